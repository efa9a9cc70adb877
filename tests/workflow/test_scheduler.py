"""Whether the patch of Snakemake's limit of jobs per second works and is still needed."""

import re
import subprocess
import sys

import pytest

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
REMEDY = "from dpbandits_jobs import start; start(workflow)"


def timers(folder, remedy, *options):
    """Count the timers that Snakemake starts for one trivial job."""
    (folder / "Snakefile").write_text(SNAKEFILE.format(remedy=remedy))
    command = [sys.executable, "-m", "snakemake", "--cores", "1", "--quiet", "--forceall"]
    done = subprocess.run(
        [*command, *options], cwd=folder, check=True, capture_output=True, text=True
    )
    return int(re.search(r"^timers: (\d+)$", done.stdout + done.stderr, re.MULTILINE)[1])


@pytest.mark.slow
def test_a_job_starts_no_timer_and_without_the_patch_it_would(tmp_path):
    assert timers(tmp_path, REMEDY) == 0
    assert timers(tmp_path, "pass") > 0, (
        "Snakemake no longer leaves timers: remove src/dpbandits_jobs/limiter.py"
    )


@pytest.mark.slow
def test_a_limit_that_the_user_sets_stays(tmp_path):
    assert timers(tmp_path, REMEDY, "--max-jobs-per-timespan", "50/1s") > 0
