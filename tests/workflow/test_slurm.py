"""The workflow on a real Slurm: the same bytes as here, and groups of jobs in few allocations.

A job on a node starts Snakemake twice, some 10 s on a free machine, so the groups are smaller than
those of the profile.
"""

import math
import re
import shlex
import subprocess
import sys

import pytest
from project import SMOKE, Project
from workflow.interrupting import IN_BLOCKS, SUMMARY
from workflow.small_cluster import COMMAND, Cluster

KINDS = ("traces", "summaries", "checks", "figures")
TARGETS = ["results/smoke/checks/tossou2016.csv", "results/smoke/figures/tossou2016/fig2.pdf"]
GROUPS = {"simulations": 5, "audits": 2}
COMPONENTS = ["--group-components", *(f"{name}={size}" for name, size in GROUPS.items())]
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("slurm")]


def run_on(cluster, project, *arguments):
    """Snakemake with the cluster's profile, to its end: what it printed."""
    where = {"cwd": project.folder, "env": cluster.environment}
    done = subprocess.run(
        [*cluster.inside, *COMMAND, *arguments], capture_output=True, text=True, **where
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def cluster(slurm):
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
