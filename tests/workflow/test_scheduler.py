"""Snakemake's scheduler starts no timers of its own: whether the line about it in workflow/Snakefile is still needed."""

import re
import subprocess
import sys

import pytest
from project import ROOT

SNAKEFILE = """
import threading

started = []

class Counted(threading.Timer):
    def start(self):
        started.append(self)
        super().start()

threading.Timer = Counted

rule all:
    input: "job"

rule job:
    output: "job"
    shell: "touch {{output}}"

onstart:
    {remedy}

onsuccess:
    print("timers:", len(started))
"""
(LINE,) = re.findall(r"workflow\.scheduler\.\w+ = None", (ROOT / "workflow/Snakefile").read_text())


def timers(folder, remedy):
    """How many timers Snakemake starts for one trivial job."""
    (folder / "Snakefile").write_text(SNAKEFILE.format(remedy=remedy))
    command = [sys.executable, "-m", "snakemake", "--cores", "1", "--quiet"]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return int(re.search(r"^timers: (\d+)$", done.stdout + done.stderr, re.MULTILINE)[1])


@pytest.mark.slow
def test_a_job_starts_no_timer_and_without_the_remedy_it_would(tmp_path_factory):
    assert timers(tmp_path_factory.mktemp("with"), LINE) == 0
    assert timers(tmp_path_factory.mktemp("without"), "pass") > 0, (
        "Snakemake no longer leaves timers; remove the line about it in workflow/Snakefile"
    )
