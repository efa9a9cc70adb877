"""Forks for Snakemake's jobs (src/dpbandits_jobs): which jobs they are for, and that nothing of them stays."""

import subprocess
import sys
from pathlib import Path

import pytest
from project import Project
from workflow.interrupting import IN_BLOCKS, SUMMARY, processes_in, wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every job has a Python of its own"),
]
PARENT = """
from dpbandits_jobs import use_forks

rule name_parent:
    output: "parent"
    script: "name_parent.py"

onstart:
    use_forks(workflow)
"""
NAMES_PARENT = """
import os
with open(f"/proc/{os.getppid()}/cmdline") as parent, open(snakemake.output[0], "w") as output:
    output.write(parent.read())
"""


def forks_in(project):
    """Jobs of this project that are done by forks of a server, and the servers."""
    serving = {pid: parent for pid, parent, command in processes_in(project) if b"forkserver" in command}
    return {pid: parent for pid, parent in serving.items() if parent in serving}


def test_simulations_share_their_imports(tmp_path):
    project = Project.new(tmp_path)
    process = project.start(*IN_BLOCKS)
    forks = wait_until(lambda: forks_in(project), process)
    assert forks
    (server,) = set(forks.values())
    assert process.wait() == 0
    assert (project.folder / SUMMARY).exists()
    assert not Path(f"/proc/{server}").exists()


@pytest.mark.parametrize(("mode", "forked"), [("default", True), ("remote", False)])
def test_jobs_on_a_cluster_have_their_own_python(mode, forked, tmp_path):
    (tmp_path / "Snakefile").write_text(PARENT)
    (tmp_path / "name_parent.py").write_text(NAMES_PARENT)
    command = [sys.executable, "-m", "snakemake", "--cores", "1", "--quiet", "--mode", mode, "parent"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    assert ("forkserver" in (tmp_path / "parent").read_text()) is forked


def test_where_there_can_be_no_server_jobs_have_their_own_python(tmp_path, monkeypatch):
    """The path of its socket is too long."""
    long = tmp_path / ("x" * 120)
    long.mkdir()
    monkeypatch.setenv("TMPDIR", str(long))
    project = Project.new(tmp_path)
    process = project.start(*IN_BLOCKS)
    assert not wait_until(lambda: forks_in(project), process)
    assert process.wait() == 0
    assert (project.folder / SUMMARY).exists()
