"""The workflow on a real Slurm of one node: the same bytes as here, and the jobs where they belong.

`make test-slurm` runs this; it needs root and Debian's slurm-wlm and munge. Submitting costs some 10 s a job, so the
largest jobs of the smoke scale are submitted and the rest run beside Snakemake, as the profile does at paper scale.
"""

import os
import re
import subprocess
import sys

import pytest
from project import HANGS, Project
from workflow.one_node import Cluster, why_not

SCALE = ["--config", "scale=smoke", "submit_above=1.568"]
KINDS = ("traces", "summaries", "claims", "figures")
TARGETS = ["results/smoke/claims/tossou2016.csv", "results/smoke/figures/tossou2016/fig2.pdf"]
# What a test may not wait for; everything else is the profile as it is.
FASTER = [
    "--slurm-init-seconds-before-status-checks",
    "1",
    "--seconds-between-status-checks",
    "2",
    "--latency-wait",
    "600",
]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    reason = why_not()
    if reason and os.environ.get("SLURM_IS_WANTED"):
        pytest.fail(reason)
    if reason:
        pytest.skip(reason)
    with Cluster(tmp_path_factory.mktemp("slurm")) as running:
        yield running


@pytest.fixture(scope="module")
def submitted(cluster, tmp_path_factory):
    """The claims of tossou2016 and its Figure 2 at the smoke scale, through the profile."""
    project = Project.new(tmp_path_factory.mktemp("submitted"))
    command = [sys.executable, "-m", "snakemake", "--profile", "profiles/slurm", *FASTER, *SCALE, "--", *TARGETS]
    done = subprocess.run(
        command, cwd=project.folder, env=cluster.environment, capture_output=True, text=True, timeout=HANGS
    )
    project.output = done.stdout + done.stderr
    assert done.returncode == 0, project.output
    return project


def test_the_large_simulations_are_submitted_and_nothing_else(submitted):
    sent = re.findall(r"^Job \d+ has been submitted with SLURM jobid (\d+)", submitted.output, re.MULTILINE)
    counts = dict(re.findall(r"^(\w+) +(\d+)$", submitted.last_log(), re.MULTILINE))
    assert len(sent) == len(set(sent)) == int(counts["simulate"])
    assert int(counts["simulate"]) >= 2
    assert int(counts["simulate_here"]) > int(counts["simulate"])


def test_slurm_was_asked_for_what_the_formula_says(submitted, cluster):
    jobs = cluster.ask(
        "squeue", "--noheader", "--states=all", "--Format=State:20,MinMemory:20,TimeLimit:20"
    ).splitlines()
    assert {job.split()[0] for job in jobs} == {"COMPLETED"}
    assert {tuple(job.split()[1:]) for job in jobs} == {("700M", "6:00")}


def test_every_byte_is_that_of_a_local_run(submitted, one_paper):
    made, here = (
        {name: content for kind in KINDS for name, content in project.bytes(f"results/smoke/{kind}/**/*").items()}
        for project in (submitted, one_paper)
    )
    assert len(made) > 15
    assert made == {name: here[name] for name in made}


def test_what_the_cluster_made_is_up_to_date_here(submitted):
    """Which of the two rules did a simulation, and in blocks of what time, is not part of what it is."""
    assert submitted.would_run("--config", "scale=smoke", "--", *TARGETS) == []


def test_the_cluster_stops_by_its_process_ids(tmp_path):
    if why_not():
        pytest.skip(why_not())
    with Cluster(tmp_path / "second") as cluster:
        pids = cluster.pids()
        assert set(pids) == {"munged", "slurmctld", "slurmd"}
        listening = subprocess.run(["ss", "-ltnp"], capture_output=True, text=True).stdout
        ours = [
            line.split()[3] for line in listening.splitlines() if any(f"pid={pid}," in line for pid in pids.values())
        ]
        assert len(ours) == 2
        assert all(address.startswith("127.0.0.1:") for address in ours)
    assert not any(os.path.exists(f"/proc/{pid}") for pid in pids.values())
