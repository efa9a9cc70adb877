"""Jobs that share their imports (src/dpbandits_jobs): for whom Snakemake starts the process, and that nothing of it stays."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from project import HANGS, ROOT, Project
from workflow.interrupting import IN_BLOCKS, SUMMARY, processes_in, wait_until

from dpbandits_jobs import VARIABLE

pytestmark = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="elsewhere every job has its own Python")
ASKS = f"""
include: "{ROOT}/workflow/rules/jobs.smk"

rule ask:
    output: "answer"
    shell: "echo ${{{{{VARIABLE}:-none}}}} > {{output}}"
"""


def forks_in(project):
    """Jobs of this project that are done by forks of a server, and the servers."""
    serving = {pid: parent for pid, parent, command in processes_in(project) if b"dpbandits_jobs.server" in command}
    return {pid: parent for pid, parent in serving.items() if parent in serving}


def test_several_simulations_share_their_imports(tmp_path):
    project = Project.new(tmp_path)
    process = project.start(*IN_BLOCKS)
    forks = wait_until(lambda: forks_in(project), process)
    assert forks
    (server,) = set(forks.values())
    assert process.wait(timeout=HANGS) == 0
    assert (project.folder / SUMMARY).exists()
    assert not Path(f"/proc/{server}").exists()


def test_for_a_few_jobs_there_is_no_server(tmp_path):
    project = Project.new(tmp_path)
    project.edit("workflow/rules/jobs.smk", "SEVERAL = 4", "SEVERAL = 5")
    process = project.start(*IN_BLOCKS)
    assert not wait_until(lambda: forks_in(project), process)
    assert process.wait(timeout=HANGS) == 0


@pytest.mark.parametrize(("mode", "answer"), [("default", "server"), ("remote", "none")])
def test_jobs_on_a_cluster_do_not_ask_the_server_of_the_main_process(mode, answer, tmp_path):
    (tmp_path / "Snakefile").write_text(ASKS)
    command = [sys.executable, "-m", "snakemake", "--cores", "1", "--quiet", "--mode", mode, "answer"]
    subprocess.run(command, cwd=tmp_path, env=os.environ | {VARIABLE: "server"}, check=True, capture_output=True)
    assert (tmp_path / "answer").read_text().strip() == answer
