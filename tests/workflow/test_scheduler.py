"""Snakemake's scheduler starts no timers of its own: whether the line about it in workflow/Snakefile is still needed."""

import re
import subprocess
import sys

import pytest
from project import ROOT

SNAKEFILE = """
{remedy}

rule all:
    input: expand("threads/{{i}}", i=range({jobs}))

rule count_threads_of_snakemake:
    output: "threads/{{i}}"
    shell: "grep Threads: /proc/$PPID/status > {{output}}"
"""
(LINE,) = re.findall(r"workflow\.scheduler\.\w+ = None", (ROOT / "workflow/Snakefile").read_text())
REMEDY = f"onstart: {LINE}"


def most_threads(folder, remedy, jobs):
    """The largest number of threads that Snakemake had while it ran trivial jobs, as each job saw it."""
    (folder / "Snakefile").write_text(SNAKEFILE.format(remedy=remedy, jobs=jobs))
    command = [sys.executable, "-m", "snakemake", "--cores", "2", "--quiet"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    counted = [int(path.read_text().split()[1]) for path in (folder / "threads").iterdir()]
    assert len(counted) == jobs
    return max(counted)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_threads_do_not_pile_up_and_without_the_remedy_they_would(tmp_path_factory):
    assert most_threads(tmp_path_factory.mktemp("with"), REMEDY, jobs=200) <= 12
    threads = most_threads(tmp_path_factory.mktemp("without"), "", jobs=100)
    assert threads > 20, (
        f"only {threads}: Snakemake no longer leaks timers; remove the line about it in workflow/Snakefile"
    )
