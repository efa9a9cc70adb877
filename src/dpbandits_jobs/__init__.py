"""The scripts of a run as forks of one process that has imported what they need, which takes longer than most of them.

A script has a Python of its own on a cluster's nodes, in an environment of conda or a container, and without Linux.
"""

import atexit
import ctypes
import gc
import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import threading
from importlib.machinery import ModuleSpec
from multiprocessing import connection, forkserver, resource_tracker

_forks = multiprocessing.get_context("forkserver")
_lock = (
    threading.Lock()
)  # Snakemake has a thread for each job; multiprocessing one list of all processes
_interrupted = threading.Event()


def use_forks(workflow):
    """Before the first job, let Snakemake run scripts in forks."""
    from snakemake.script import PythonScript

    if sys.platform != "linux" or not workflow.is_main_process:
        return
    own_python = PythonScript.execute_script

    def execute_script(job, script, edit=False):
        if job.conda_env or job.container_img or job.env_modules or job.bench_record:
            return own_python(job, script, edit)
        try:
            code = run_in_fork(script)
        except (OSError, EOFError):  # there can be no server, or it was killed
            return own_python(job, script, edit)
        return subprocess.CompletedProcess(script, code).check_returncode()

    prepare("dpbandits_jobs.imports")
    PythonScript.execute_script = execute_script


def prepare(imports):
    """Let the server of `run_in_fork` import this module first, and notice Ctrl-C, of which forks of a server may not hear."""
    sys.modules["__main__"].__spec__ = ModuleSpec(
        "__main__", None
    )  # or each fork would import Snakemake's main module
    os.environ.update(
        OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1"
    )  # read by numpy's import
    _forks.set_forkserver_preload(["dpbandits_jobs", imports])
    usual = signal.getsignal(signal.SIGINT)
    if callable(usual):  # a background shell ignores it
        signal.signal(signal.SIGINT, lambda *given: (_interrupted.set(), usual(*given)))


def run_in_fork(script):
    """Run a script as a Python of its own would: its exit code."""
    process = _forks.Process(target=_run, args=(script,))
    with _lock:
        resource_tracker.ensure_running()  # multiprocessing's own; its start lets the signals through again
        signal.pthread_sigmask(
            signal.SIG_BLOCK, {signal.SIGINT}
        )  # in the server, and in the fork until `_run`
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


def _run(script):
    """In a fork, run the script."""
    gc.freeze()  # no garbage collection looks at what the server has imported
    prctl = ctypes.CDLL(None).prctl
    prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: when the server ends
    prctl(15, script.split(".")[-2].encode())  # PR_SET_NAME: .snakemake/scripts/tmp01abcdef.call.py
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a traceback
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    runpy.run_path(script, run_name="__main__")


@atexit.register
def stop_server():
    """End the server and wait for it, which adds the processor time of its forks to that of this process."""
    forkserver._forkserver._stop()
