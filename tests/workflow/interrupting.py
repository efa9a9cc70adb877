"""What tests of interruptions share: the interrupted runs, and how to wait for the moment."""

import os
import re
import signal
import time
from contextlib import suppress
from pathlib import Path

from project import ROOT

from dpbandits import files, studies

# What is interrupted: the runs of one policy, cut into four blocks, and their summary.
SUMMARY = "results/smoke/summaries/tossou2016/s-lost-runs.csv"
TRACES = "results/smoke/traces/tossou2016/s-lost-runs/dp-ucb-int"
BLOCKS = {"0-2.npz": (0, 2), "3-5.npz": (3, 5), "6-8.npz": (6, 8), "9-9.npz": (9, 9)}
SCRIPTS = {path.stem for path in (ROOT / "workflow/scripts").glob("*.py")}
IN_BLOCKS = ["--config", "scale=smoke", "block=3", "--", SUMMARY]


def undisturbed_bytes(one_paper, folder):
    """The bytes of every block, simulated here, and of the summary, from all runs in one block."""
    paper = studies.load(ROOT / "config/papers/tossou2016.yaml", "smoke")
    simulation = paper.experiments["s-lost-runs"].simulation(["dp-ucb-int"], 1)
    contents = {SUMMARY: (one_paper.folder / SUMMARY).read_bytes()}
    for name, (first, last) in BLOCKS.items():
        files.write(folder / name, simulation.run(first, last))
        contents[f"{TRACES}/{name}"] = (folder / name).read_bytes()
    return contents


def wait_until(condition, process=None):
    """Look again and again, until the condition is true or the process has ended."""
    while not (found := condition()) and (process is None or process.poll() is None):
        time.sleep(0.01)
    return found


def processes_in(project):
    """The process, the parent and the command of everything that runs in this project."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command, place = (folder / "cmdline").read_bytes(), os.readlink(folder / "cwd")
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if place == str(project.folder):
            yield int(folder.name), parent, command


def jobs_of(project):
    """The processes of jobs in this project: forks with the name of a script, or own Pythons."""
    return [
        process
        for process, _, command in processes_in(project)
        if name_of(process) in SCRIPTS
        or (b"bash" not in command and re.search(rb"\.\w+\.py\0$", command))
    ]


def name_of(process):
    with suppress(OSError):
        return Path(f"/proc/{process}/comm").read_text().strip()


def is_held(job):
    """Stop a process where it is; False if it has ended meanwhile."""
    try:
        os.kill(job, signal.SIGSTOP)
    except ProcessLookupError:
        return False

    def state():
        with suppress(FileNotFoundError, ProcessLookupError):
            return Path(f"/proc/{job}/stat").read_text().rpartition(")")[2].split()[0]
        return "gone"

    return wait_until(lambda: state() if state() in ("T", "Z", "X", "gone") else "") == "T"
