"""A node of a Slurm that fails, and a job on it that is killed: the same bytes, one group again."""

import os
import signal
import subprocess

import pytest
from project import Project
from workflow.interrupting import IN_BLOCKS, is_held, jobs_of, wait_until
from workflow.small_cluster import COMMAND, Cluster

PAIRS = ["--group-components", "simulations=2", *IN_BLOCKS]  # the blocks in two allocations
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("slurm")]


@pytest.mark.parametrize("again", ["slurm", "snakemake", "killed"])
def test_a_lost_job_costs_only_its_own_group(again, undisturbed, tmp_path):
    """A node loses its power, or a job is killed: its group runs again, to the same bytes.

    Slurm itself repeats what a failing node ran (JobRequeue, its default), under the same number.
    Where a cluster does not, and after a job that failed, Snakemake submits the group once more
    (`retries` in the profile), with twice the time and memory.
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
