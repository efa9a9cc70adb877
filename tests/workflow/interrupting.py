"""The runs that tests interrupt, and ways to wait for a moment of a run."""

import os
import re
import signal
import time
from contextlib import suppress
from pathlib import Path

from project import ROOT

from dpbandits import files, studies

# The interrupted jobs: the runs of one policy in four blocks, and their summary.
SUMMARY = "results/smoke/summaries/tossou2016/s-lost-runs.csv"
TRACES = "results/smoke/traces/tossou2016/s-lost-runs/dp-ucb-int"
BLOCKS = {"0-2.npz": (0, 2), "3-5.npz": (3, 5), "6-8.npz": (6, 8), "9-9.npz": (9, 9)}
SCRIPTS = {path.stem for path in (ROOT / "workflow/scripts").glob("*.py")}
# A folder in which no machine code is kept: every job compiles for some seconds, and can be held.
SLOW = {"NUMBA_CACHE_DIR": "/proc"}
IN_BLOCKS = ["--config", "scale=smoke", "block=3", "--", SUMMARY]


def undisturbed_bytes(one_paper, folder):
    """Return the bytes of each block, simulated here, and of the summary of a single block."""
    paper = studies.load(ROOT / "config/papers/tossou2016.yaml", "smoke")
    simulation = paper.experiments["s-lost-runs"].simulation(["dp-ucb-int"], 1)
    contents = {SUMMARY: (one_paper.folder / SUMMARY).read_bytes()}
    for name, (first, last) in BLOCKS.items():
        files.write(folder / name, simulation.run(first, last))
        contents[f"{TRACES}/{name}"] = (folder / name).read_bytes()
    return contents


def wait_until(condition, process=None):
    """Poll until the condition is true or the process has ended; return the condition."""
    while not (found := condition()) and (process is None or process.poll() is None):
        time.sleep(0.002)
    return found


def jobs_of(project):
    """Return the processes of jobs here: forks with the name of a script, and own Pythons.

    A job may take less than a tenth of a second, so this looks at few files of a process.
    """
    found = []
    for id in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):
            name = _content(id, "comm").decode().strip()
            is_job = name in SCRIPTS or (name.startswith("python") and _runs_a_script(id))
            if is_job and os.readlink(f"/proc/{id}/cwd") == str(project.folder):
                found.append(int(id))
    return found


def _runs_a_script(id):
    """Whether a process is a Python of Snakemake's with a script."""
    return re.search(rb"\.\w+\.py\0$", _content(id, "cmdline"))


def _content(id, name):
    with open(f"/proc/{id}/{name}", "rb") as file:
        return file.read()


def is_held(job):
    """Stop a process; return False if it has ended."""
    try:
        os.kill(job, signal.SIGSTOP)
    except ProcessLookupError:
        return False

    def final_state():
        """The state (T: stopped) when the signal has arrived, else an empty string."""
        with suppress(FileNotFoundError, ProcessLookupError):
            state = Path(f"/proc/{job}/stat").read_text().rpartition(")")[2].split()[0]
            return state if state in "TZX" else ""
        return "gone"

    return wait_until(final_state) == "T"
