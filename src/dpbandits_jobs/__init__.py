"""The jobs of a run as forks of one process that has imported what they need.

Importing numba or matplotlib takes longer than a short simulation or a drawing. So where Snakemake's main process would
start a Python for a script, a fork of the standard library's forkserver runs it; it has nothing of other jobs. A script
has a Python of its own on the nodes of a cluster, in an environment of conda or a container, and on other systems than Linux.
"""

import atexit
import ctypes
import gc
import multiprocessing
import os
import re
import runpy
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from importlib.machinery import ModuleSpec
from multiprocessing import connection, forkserver, resource_tracker
from pathlib import Path

THREADS = [f"{library}_NUM_THREADS" for library in ("OMP", "GOTO", "OPENBLAS", "MKL", "NUMEXPR")]
THREADS += ["VECLIB_MAXIMUM_THREADS"]
FOLDERS = ["TMPDIR", "TMP", "TEMPDIR", "TEMP"]
PR_SET_PDEATHSIG, PR_SET_NAME = 1, 15

_forks = multiprocessing.get_context("forkserver")
_lock = threading.Lock()  # Snakemake has a thread for each job; multiprocessing one list of all processes
_stdin = os.dup(0) if sys.stdin else None  # a forkserver closes its own


def use_forks(modules: Iterable[str]) -> None:
    """Let Snakemake run scripts in forks of a process that has imported these modules."""
    from snakemake.script import PythonScript

    if sys.platform != "linux":
        return
    own_python = PythonScript.execute_script

    def execute_script(job, script, edit=False):
        if job.conda_env or job.container_img or job.env_modules or job.bench_record:
            return own_python(job, script, edit)
        environment = dict.fromkeys(THREADS, str(job.threads)) | dict.fromkeys(FOLDERS, job.resources.get("tmpdir"))
        try:
            code = run_in_fork(script, {name: value for name, value in environment.items() if value})
        except (OSError, EOFError):  # there can be no server, or it was killed
            return own_python(job, script, edit)
        if code:
            raise subprocess.CalledProcessError(code, f"{sys.executable} {script}")
        return None

    prepare(modules)
    PythonScript.execute_script = execute_script


def prepare(modules: Iterable[str]) -> None:
    """Let the process of which `run_in_fork` makes forks import these modules first."""
    # A main module with another name would be imported in each fork.
    sys.modules["__main__"].__spec__ = ModuleSpec("__main__", None)
    os.environ.update(dict.fromkeys(THREADS, "1"))  # numpy reads it when it is imported
    _forks.set_forkserver_preload(["dpbandits_jobs", *modules, "dpbandits_jobs.interrupted"])


def run_in_fork(script: str, environment: dict[str, str]) -> int:
    """Run a script as a Python of its own would, with these variables besides those of this process: its exit code."""
    process = _forks.Process(target=_run, args=(script, environment), name=Path(script).name)
    with _lock:
        resource_tracker.ensure_running()  # multiprocessing's own; its start lets the signals through again
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # until `_run`
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    connection.wait([process.sentinel])
    with _lock:
        process.join()
    return process.exitcode


def _run(script: str, environment: dict[str, str]) -> None:
    """In a fork, run the script."""
    from dpbandits_jobs.interrupted import INTERRUPTED

    gc.freeze()  # no search for garbage looks at what the server has imported
    prctl = ctypes.CDLL(None).prctl
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # when the server ends
    prctl(PR_SET_NAME, script.split(".")[-2].encode())  # .snakemake/scripts/tmp01abcdef.draw.py
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # a background shell ignores it
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # until `run_job` no traceback, either
    pending = re.search(r"ShdPnd:\s*(\w+)", Path(f"/proc/{os.getppid()}/status").read_text(encoding="utf-8"))
    if INTERRUPTED or int(pending[1], 16) & 1 << signal.SIGINT - 1:  # Ctrl-C reached the server before this fork
        os.kill(os.getpid(), signal.SIGINT)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if _stdin is not None:
        os.dup2(_stdin, 0)
        sys.stdin = os.fdopen(0)
    os.environ.update(environment)
    sys.argv = [script]
    sys.path.insert(0, str(Path(script).parent))
    runpy.run_path(script, run_name="__main__")


@atexit.register
def stop_server() -> None:
    """End the server and wait for it, which adds the processor time of its forks to that of this process."""
    with suppress(KeyboardInterrupt):
        forkserver._forkserver._stop()
