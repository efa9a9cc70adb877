"""The processes of a run's jobs: the rules with many jobs share one process that has imported what they need.

Importing numba or matplotlib takes longer than a short simulation or a drawing. So a run starts one process that imports
them once and does nothing else (`server`). The Python that Snakemake starts for a job asks it for a fork, before its own
imports (`startup`), lends it its terminal, and ends as the fork ends; a fork has nothing of other jobs. A job runs in its
own Python, as if there were no server, where there is no such process to ask: on the nodes of a cluster, in an
environment of conda or a container, on other systems than Linux, and after the server was killed.
"""

import atexit
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

STARTUP = str(Path(__file__).parent / "startup")  # the folder of the `sitecustomize` of all jobs
VARIABLE = "DPBANDITS_SERVER"  # tells jobs which Python the server is, where to ask, and the scripts that it is for
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")  # as Snakemake's jobs

_servers: dict[str, subprocess.Popen] = {}  # one at most, by the folder of its socket


def use_startup() -> None:
    """Let every Python that this process starts begin with `startup`."""
    folders = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    if STARTUP not in folders:
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [STARTUP, *folders]))


def start_server(scripts: Iterable[str], modules: Iterable[str]) -> None:
    """Start the server for jobs that run these scripts, named without their suffix; it imports the modules."""
    stop_server()
    if not hasattr(os, "pidfd_open"):
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX) as listener:
        os.close(os.pidfd_open(os.getpid()))  # refused by some old systems
        folder = tempfile.mkdtemp(prefix="dpbandits-jobs-")  # only this user can enter it
        try:
            listener.bind(f"{folder}/socket")
        except OSError:  # its path is too long
            os.rmdir(folder)
            return
        listener.listen()
        command = [sys.executable, "-m", "dpbandits_jobs.server", str(listener.fileno()), *modules]
        lent = {"stdin": subprocess.PIPE, "pass_fds": [listener.fileno()], "env": os.environ | ONE_THREAD}
        _servers[folder] = subprocess.Popen(command, **lent)
        os.environ[VARIABLE] = "\n".join([sys.executable, f"{folder}/socket", *scripts])


@atexit.register
def stop_server() -> None:
    """End the server, if there is one, after its last job; until the next start, jobs run in their own Python.

    Waiting for it adds the processor time of its jobs to that of this process.
    """
    os.environ.pop(VARIABLE, None)
    while _servers:
        folder, server = _servers.popitem()
        server.stdin.close()
        with suppress(KeyboardInterrupt):
            server.wait()
        shutil.rmtree(folder, ignore_errors=True)  # it is still there if the server was killed
