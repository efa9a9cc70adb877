"""The workflow on a real Slurm: the same bytes as here, groups of jobs, nodes that fail.

A job on a node starts Snakemake twice, some 10 s on a free machine, so the groups are smaller than
those of the profile.
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
from workflow.interrupting import IN_BLOCKS, SLOW, SUMMARY, is_held, jobs_of, wait_until
from workflow.small_cluster import COMMAND, Cluster, why_not

TARGETS = ["results/smoke/checks/tossou2016.csv", "results/smoke/figures/tossou2016/fig2.pdf"]
KINDS = [f"results/smoke/{kind}/**/*" for kind in ("traces", "summaries", "checks", "figures")]
GROUPS = {"simulations": 5, "audits": 2}
COMPONENTS = ["--group-components", *(f"{name}={size}" for name, size in GROUPS.items())]
PAIRS = ["--group-components", "simulations=2", *IN_BLOCKS]  # the blocks in two allocations
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("slurm")]


@pytest.fixture(scope="module")
def slurm():
    """Skip these tests where there can be no Slurm."""
    if reason := why_not():
        pytest.skip(reason)


def start_on(cluster, project, *arguments, variables=()):
    """Start Snakemake with the cluster's profile; `printed` is what it prints."""
    with open(project.folder / "printed", "w") as file:
        return subprocess.Popen(
            [*cluster.inside, *COMMAND, *arguments],
            cwd=project.folder,
            env={**cluster.environment, **dict(variables)},
            stdout=file,
            stderr=subprocess.STDOUT,
        )


def printed(project):
    return (project.folder / "printed").read_text()


@pytest.fixture(scope="module")
def cluster(slurm):
    with Cluster(slots=2) as running:
        yield running


@pytest.fixture(scope="module")
def submitted(cluster, tmp_path_factory):
    """The checks of tossou2016 and its Figure 2 at the smoke scale, through the profile."""
    project = Project.new(tmp_path_factory.mktemp("submitted"))
    process = start_on(cluster, project, *COMPONENTS, *SMOKE, "--", *TARGETS)
    assert process.wait() == 0, printed(project)
    return project


def test_groups_are_submitted_and_have_one_core_the_memory_of_a_job_and_the_time_of_all(
    submitted, cluster
):
    """Groups of simulations and of audits, and nothing else."""
    counts = dict(re.findall(r"^(\w+) +(\d+)$", submitted.last_log(), re.MULTILINE))
    jobs = {"simulations": int(counts["simulate"]), "audits": int(counts["audit_part"])}
    assert all(jobs[name] > size for name, size in GROUPS.items())
    sent = r"^Job \S+ has been submitted with SLURM jobid (\d+)"
    sent = re.findall(sent, printed(submitted), re.MULTILINE)
    groups = [math.ceil(jobs[name] / size) for name, size in GROUPS.items()]
    assert len({*sent}) == len(sent) == sum(groups)
    columns = "State:20,NumCPUs:9,MinMemory:9,TimeLimit:9"
    *same, times = zip(*cluster.jobs(columns, f"--jobs={','.join(sent)}"), strict=True)
    assert [{*column} for column in same] == [{"COMPLETED"}, {"1"}, {"1000M"}]
    minutes = [int(time.removesuffix(":00")) for time in times]
    assert sum(minutes) == 5 * sum(jobs.values())


def test_results_of_the_cluster_are_those_of_a_local_run_and_up_to_date_here(submitted, one_paper):
    """How a simulation was run is not part of what it is."""
    assert submitted.would_run(*SMOKE, "--", *TARGETS) == []
    made, here = (
        {name: content for kind in KINDS for name, content in each.bytes(kind).items()}
        for each in (submitted, one_paper)
    )
    assert len(made) > 15
    assert made == {name: here[name] for name in made}


def test_snakemake_runs_in_one_allocation(cluster, one_paper, tmp_path):
    """The other way of docs/cluster.md, without the plugin."""
    project = Project.new(tmp_path)
    command = [sys.executable, "-m", "snakemake", "--cores", "2", *IN_BLOCKS]
    limits = ["--wait", "--cpus-per-task=2", "--mem=1G", "--time=60", f"--chdir={tmp_path}"]
    said = cluster.ask("sbatch", *limits, "--output=printed", "--wrap", shlex.join(command))
    assert said.startswith("Submitted batch job")
    made = (tmp_path / SUMMARY).read_bytes()
    assert made == (one_paper.folder / SUMMARY).read_bytes(), printed(project)


ONCE, TWICE = ["10:00", "1000M"], ["20:00", "2000M"]
LOST = {  # who repeats the group: what ended it, and where it was, how often and with how much
    "slurm": ["COMPLETED", "node2", "1", *ONCE],
    "snakemake": ["NODE_FAIL", "node1", "0", *ONCE],
    "killed": ["FAILED", "node1", "0", *ONCE],
}


@pytest.mark.parametrize("again", LOST)
def test_a_lost_job_costs_only_its_own_group(again, undisturbed, tmp_path):
    """A node loses its power, or a job is killed: its group runs again, to the same bytes.

    Slurm itself repeats what a failing node ran (JobRequeue, its default), under the same number.
    Where a cluster does not, and after a job that failed, Snakemake submits the group once more
    (`retries` in the profile), with twice the time and memory.
    """
    project = Project.new(tmp_path)
    options = ["--slurm-no-requeue"] if again == "snakemake" else []
    with Cluster(slots=1) as cluster:
        process = start_on(cluster, project, *options, *PAIRS, variables=SLOW)

        def on_node1():
            cluster.check_launches()
            return {*jobs_of(project)} & {*cluster.processes("node1")}

        job = wait_until(on_node1, process).pop()
        assert is_held(job)
        running = ["--states=RUNNING", "--nodelist=node1", "--format=%A"]
        lost = cluster.ask("squeue", "--noheader", *running)
        if again == "killed":
            os.kill(job, signal.SIGKILL)
        else:
            cluster.cut_power("node1")
        process.wait()
        columns = "JobID:9,State:12,NodeList:9,RestartCnt:9,TimeLimit:9,MinMemory:9"
        jobs, nodes = {id: about for id, *about in cluster.jobs(columns)}, cluster.states()
    assert process.returncode == 0, printed(project)
    assert nodes == {"node1": "idle" if again == "killed" else "down*", "node2": "idle"}
    assert jobs.pop(lost) == LOST[again]
    assert {about[0] for about in jobs.values()} == {"COMPLETED"}
    others = [ONCE] if again == "slurm" else [ONCE, TWICE]
    assert sorted(about[3:] for about in jobs.values()) == others
    if again != "slurm":
        assert project.last_log().count("Trying to restart job") == 1
    assert {name: (project.folder / name).read_bytes() for name in undisturbed} == undisturbed
    assert not [*project.folder.rglob("*.part")]
