"""Whether the patch of Snakemake's limit of jobs per second works and is still needed."""

import re

import pytest
from project import Project

pytestmark = pytest.mark.slow
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
    printed = Project(folder).run("--quiet", "--forceall", *options)
    return int(re.search(r"^timers: (\d+)$", printed, re.MULTILINE)[1])


def test_a_job_starts_no_timer_and_without_the_patch_it_would(tmp_path):
    assert timers(tmp_path, REMEDY) == 0
    assert timers(tmp_path, "pass") > 0, (
        "Snakemake no longer leaves timers: remove src/dpbandits_jobs/limiter.py"
    )


def test_a_limit_that_the_user_sets_stays(tmp_path):
    assert timers(tmp_path, REMEDY, "--max-jobs-per-timespan", "50/1s") > 0
