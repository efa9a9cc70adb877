"""Run scripts as forks of a warm process: importing takes longer than most jobs.

A job has a Python of its own if it has a conda environment, a container, modules, a benchmark
or several threads (the warm process has imported numpy with one). So have all jobs on a
cluster's nodes and without Linux.
"""

import atexit
import ctypes
import gc
import inspect
import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import threading
from importlib.machinery import ModuleSpec
from multiprocessing import connection, forkserver, resource_tracker

# A job with one of these has a Python of its own.
OWN_PYTHON = ("conda_env", "container_img", "env_modules", "bench_record")
# Snakemake sets these to the job's resource `tmpdir`, and those of imports.py to its threads.
TEMPORARY_FOLDERS = ("TMPDIR", "TMP", "TEMPDIR", "TEMP")

_context = multiprocessing.get_context("forkserver")
_lock = threading.Lock()  # Snakemake has a thread per job, multiprocessing one list of processes
_interrupted = threading.Event()


def use(workflow):
    """Let Snakemake run Python scripts in forks."""
    from snakemake.script import PythonScript

    if sys.platform != "linux":
        return
    own_python = PythonScript.execute_script
    inspect.signature(own_python).bind("job", "script", edit=False)
    attributes = dict.fromkeys((*OWN_PYTHON, "threads", "resources"))
    inspect.signature(PythonScript).bind_partial(**attributes)  # the constructor has all of them

    def execute_script(job, script, edit=False):
        if job.threads > 1 or any(getattr(job, name) for name in OWN_PYTHON):
            return own_python(job, script, edit)
        try:
            code = run_in_fork(script, job.resources.get("tmpdir"))
        except (OSError, EOFError):  # no server can start, or it was killed
            return own_python(job, script, edit)
        return subprocess.CompletedProcess(script, code).check_returncode()

    prepare("dpbandits_jobs.imports")
    PythonScript.execute_script = execute_script


def prepare(imports):
    """Let the server import this module first, and pass Ctrl-C on to its forks."""
    # End the server and wait for it: this process is then charged for the time of the forks.
    atexit.register(forkserver._forkserver._stop)
    # Without this each fork would import Snakemake's main module.
    sys.modules["__main__"].__spec__ = ModuleSpec("__main__", None)
    _context.set_forkserver_preload([__name__, imports])
    handler = signal.getsignal(signal.SIGINT)
    if callable(handler):  # a background shell ignores Ctrl-C
        signal.signal(signal.SIGINT, lambda *event: (_interrupted.set(), handler(*event)))


def run_in_fork(script, tmpdir=None):
    """Run a script as a Python of its own would, and return its exit code."""
    process = _context.Process(target=_run, args=(script, tmpdir))
    with _lock:
        resource_tracker.ensure_running()  # its start would unblock the signal
        # Blocked in the server, and in the fork until `_run`.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    while not connection.wait([process.sentinel], timeout=1):
        if _interrupted.is_set():
            os.kill(process.pid, signal.SIGINT)
    with _lock:
        process.join()
    return process.exitcode


def _run(script, tmpdir):
    """Run the script in this fork."""
    gc.freeze()  # the garbage collector skips what the server has imported
    gc.set_threshold(20_000)  # compiling allocates much; to collect less often saves 5 to 10%
    prctl = ctypes.CDLL(None).prctl
    prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: when the server ends
    prctl(15, script.split(".")[-2].encode())  # PR_SET_NAME: .snakemake/scripts/tmp01abcdef.draw.py
    if tmpdir:
        os.environ.update(dict.fromkeys(TEMPORARY_FOLDERS, tmpdir))
    tempfile.tempdir = None  # the server's
    sys.argv = [script]
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a traceback
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    runpy.run_path(script, run_name="__main__")
