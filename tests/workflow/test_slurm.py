"""The workflow on a real Slurm: the same bytes as here, groups of jobs in few allocations, and a node that fails.

They need root, network namespaces and Debian's slurm-wlm, munge and iproute2. A job on a node starts
Snakemake twice, some 10 s on a free machine, so the groups are smaller than those of the profile.
"""

import math
import os
import re
import shlex
import signal
import subprocess
import sys

import pytest
from project import SMOKE, Project
from workflow.interrupting import (
    IN_BLOCKS,
    SUMMARY,
    is_held,
    jobs_of,
    wait_until,
)
from workflow.small_cluster import Cluster, why_not

KINDS = ("traces", "summaries", "checks", "figures")
TARGETS = ["results/smoke/checks/tossou2016.csv", "results/smoke/figures/tossou2016/fig2.pdf"]
# What a test may not wait for; everything else is the profile as it is.
FASTER = "--slurm-init-seconds-before-status-checks 1 --seconds-between-status-checks 2 --latency-wait 600"
GROUPS = {"simulations": 5, "audits": 2}
COMMAND = [sys.executable, "-m", "snakemake", "--profile", "profiles/slurm", *FASTER.split()]
COMPONENTS = ["--group-components", *(f"{name}={size}" for name, size in GROUPS.items())]
PAIRS = ["--group-components", "simulations=2", *IN_BLOCKS]  # the blocks in two allocations
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def possible():
    if reason := why_not():
        pytest.skip(reason)


def run_on(cluster, project, *arguments):
    """Snakemake with the cluster's profile, to its end: what it printed."""
    where = {"cwd": project.folder, "env": cluster.environment}
    done = subprocess.run(
        [*cluster.inside, *COMMAND, *arguments], capture_output=True, text=True, **where
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def cluster(possible):
    with Cluster(slots=2) as running:
        yield running


@pytest.fixture(scope="module")
def submitted(cluster, tmp_path_factory):
    """The checks of tossou2016 and its Figure 2 at the smoke scale, through the profile."""
    project = Project.new(tmp_path_factory.mktemp("submitted"))
    printed = run_on(cluster, project, *COMPONENTS, *SMOKE, "--", *TARGETS)
    sent = r"^Job \S+ has been submitted with SLURM jobid (\d+)"
    project.allocations = re.findall(sent, printed, re.MULTILINE)
    counts = dict(re.findall(r"^(\w+) +(\d+)$", project.last_log(), re.MULTILINE))
    project.jobs = {"simulations": int(counts["simulate"]), "audits": int(counts["audit_part"])}
    return project


def test_groups_of_simulations_and_audits_are_submitted_and_nothing_else(submitted):
    assert all(submitted.jobs[name] > size for name, size in GROUPS.items())
    groups = [math.ceil(submitted.jobs[name] / size) for name, size in GROUPS.items()]
    assert len(set(submitted.allocations)) == len(submitted.allocations) == sum(groups)


def test_an_allocation_has_one_core_the_memory_of_one_job_and_the_time_of_all(submitted, cluster):
    columns = "State:20,NumCPUs:9,MinMemory:9,TimeLimit:9"
    allocations = f"--jobs={','.join(submitted.allocations)}"
    ended = cluster.ask("squeue", "--noheader", "--states=all", allocations, f"--Format={columns}")
    *same, minutes = zip(*(line.split() for line in ended.splitlines()), strict=True)
    assert [set(column) for column in same] == [{"COMPLETED"}, {"1"}, {"1000M"}]
    assert sum(int(time.removesuffix(":00")) for time in minutes) == 5 * sum(
        submitted.jobs.values()
    )


def test_results_of_the_cluster_are_up_to_date_here(submitted):
    """How a simulation was run is not part of what it is."""
    assert submitted.would_run(*SMOKE, "--", *TARGETS) == []


@pytest.mark.parametrize("again", ["slurm", "snakemake", "killed"])
def test_a_lost_job_costs_only_its_own_group(again, undisturbed, tmp_path):
    """A node loses its power, or a job is killed: its group runs again, to the same bytes.

    Slurm itself repeats what a failing node ran (JobRequeue, its default), under the same number. Where
    a cluster does not, and after a job that failed, Snakemake submits the group once more (`retries` in
    the profile), with twice the time and memory.
    """
    project = Project.new(tmp_path)
    options = ["--slurm-no-requeue"] if again == "snakemake" else []
    with Cluster(slots=1) as cluster, open(tmp_path / "printed", "w") as file:
        where = {
            "cwd": project.folder,
            "env": cluster.environment,
            "stdout": file,
            "stderr": subprocess.STDOUT,
        }
        process = subprocess.Popen([*cluster.inside, *COMMAND, *options, *PAIRS], **where)

        def on_node1():
            cluster.check_launches()
            return set(jobs_of(project)) & set(cluster.processes("node1"))

        job = wait_until(on_node1, process).pop()
        assert is_held(job)
        lost = cluster.ask(
            "squeue", "--noheader", "--states=RUNNING", "--nodelist=node1", "--format=%A"
        )
        assert lost.isdigit()
        if again == "killed":
            os.kill(job, signal.SIGKILL)
        else:
            cluster.cut_power("node1")
        process.wait()
        columns = "JobID:9,State:12,NodeList:9,RestartCnt:9,TimeLimit:9,MinMemory:9"
        ended = cluster.ask("squeue", "--noheader", "--states=all", f"--Format={columns}")
        jobs = {job: about for job, *about in map(str.split, ended.splitlines())}
        nodes = cluster.states()
    printed = (tmp_path / "printed").read_text()
    assert process.returncode == 0, printed
    assert nodes == {"node1": "idle" if again == "killed" else "down*", "node2": "idle"}
    state, *about = jobs.pop(lost)
    once, twice = ["10:00", "1000M"], ["20:00", "2000M"]
    if again == "slurm":
        assert (state, about) == ("COMPLETED", ["node2", "1", *once])
        assert sorted(about[3:] for about in jobs.values()) == [once]
    else:
        assert state == {"snakemake": "NODE_FAIL", "killed": "FAILED"}[again]
        assert about == ["node1", "0", *once]
        assert sorted(about[3:] for about in jobs.values()) == [once, twice]
        assert project.last_log().count("Trying to restart job") == 1
    assert {about[0] for about in jobs.values()} == {"COMPLETED"}
    assert {name: (project.folder / name).read_bytes() for name in undisturbed} == undisturbed
    assert not list(project.folder.rglob("*.part"))


def test_snakemake_runs_in_one_allocation(cluster, one_paper, tmp_path):
    """The other way of docs/cluster.md, without the plugin."""
    Project.new(tmp_path)
    command = [sys.executable, "-m", "snakemake", "--cores", "2", *IN_BLOCKS]
    limits = ["--wait", "--cpus-per-task=2", "--mem=1G", "--time=60", f"--chdir={tmp_path}"]
    printed = cluster.ask("sbatch", *limits, "--output=printed", "--wrap", shlex.join(command))
    assert printed.startswith("Submitted batch job")
    made = (tmp_path / SUMMARY).read_bytes()
    assert made == (one_paper.folder / SUMMARY).read_bytes(), (tmp_path / "printed").read_text()


def test_every_byte_is_that_of_a_local_run(submitted, one_paper):
    made, here = (
        {
            name: content
            for kind in KINDS
            for name, content in project.bytes(f"results/smoke/{kind}/**/*").items()
        }
        for project in (submitted, one_paper)
    )
    assert len(made) > 15
    assert made == {name: here[name] for name in made}
