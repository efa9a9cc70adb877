"""Forks for the jobs of a run: which jobs have one, and that no server outlives a run."""

import sys
from pathlib import Path

import pytest
from project import Project
from workflow.interrupting import IN_BLOCKS, SUMMARY, processes_in, wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        sys.platform != "linux", reason="elsewhere every job has a Python of its own"
    ),
]
PARENT = """
from dpbandits_jobs import start

rule name_parent:
    output: "parent"
    script: "name_parent.py"

onstart:
    start(workflow)
"""
NAMES_PARENT = """
import os
with open(f"/proc/{os.getppid()}/cmdline") as parent, open(snakemake.output[0], "w") as output:
    output.write(parent.read())
"""


def forks_in(project):
    """Return the forks of a server that run in this project, each with its server."""
    serving = {
        pid: parent for pid, parent, command in processes_in(project) if b"forkserver" in command
    }
    return {pid: parent for pid, parent in serving.items() if parent in serving}


@pytest.mark.parametrize("possible", [True, False])
def test_simulations_share_their_imports_where_there_can_be_a_server(
    possible, tmp_path, monkeypatch
):
    """If the path of the server's socket is too long, each has a Python of its own."""
    if not possible:
        (long := tmp_path / ("x" * 120)).mkdir()
        monkeypatch.setenv("TMPDIR", str(long))
    project = Project.new(tmp_path)
    process = project.start(*IN_BLOCKS)
    forks = wait_until(lambda: forks_in(project), process)
    assert bool(forks) is possible
    assert process.wait() == 0
    assert (project.folder / SUMMARY).exists()
    assert not any(Path(f"/proc/{server}").exists() for server in forks.values())


@pytest.mark.parametrize(("mode", "forked"), [("default", True), ("remote", False)])
def test_jobs_on_a_cluster_have_their_own_python(mode, forked, tmp_path):
    (tmp_path / "Snakefile").write_text(PARENT)
    (tmp_path / "name_parent.py").write_text(NAMES_PARENT)
    # A fork of the tests' own server would be called forkserver, too.
    assert Project(tmp_path).start("--quiet", "--mode", mode, "parent").wait() == 0
    assert ("forkserver" in (tmp_path / "parent").read_text()) is forked
