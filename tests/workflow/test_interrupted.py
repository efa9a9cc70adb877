"""Ctrl-C while a job is still importing: no traceback of it, whatever else is printed."""

import os
import signal
import subprocess
import sys
import time

import pytest
from project import HANGS, Project
from workflow.interrupting import jobs_of

from dpbandits_jobs import STARTUP

DIAGRAM = "results/smoke/figures/tossou2016/fig1.pdf"  # one drawing
JOBS = ".snakemake/scripts"
HANDLER = "import signal; print(getattr(signal.getsignal(signal.SIGINT), '__name__', signal.getsignal(signal.SIGINT)))"
JOB = """
import time
if {importing}: print("ready", flush=True), time.sleep(60)
from dpbandits.errors import run_job
with run_job({log!r}):
    print("ready", flush=True)
    time.sleep(60)
"""


def started(folder, code, own="", ignoring=False):
    """A job as a rule starts it, when it has printed that it is ready."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [STARTUP, own]))}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "job.py").write_text(code)
    process = subprocess.Popen(
        [sys.executable, str(folder / "job.py")],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN if ignoring else signal.SIG_DFL),
    )
    return process, process.stdout.readline().strip()


@pytest.mark.parametrize(("importing", "code"), [(True, -signal.SIGINT), (False, 130)], ids=["importing", "at work"])
def test_a_job_ends_without_a_traceback(importing, code, tmp_path):
    job = JOB.format(importing=importing, log=str(tmp_path / "log"))
    process, said = started(tmp_path / JOBS, job)
    assert said == "ready"
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=HANGS) == ("", "")
    assert process.returncode == code


def test_a_job_that_ignores_the_signal_goes_on_ignoring_it(tmp_path):
    process, said = started(tmp_path / JOBS, HANDLER, ignoring=True)
    process.communicate(timeout=HANGS)
    assert said == str(int(signal.SIG_IGN))


def test_only_jobs_end_at_once(tmp_path):
    """Snakemake itself, started by a program with this environment, still says what was interrupted."""
    for folder, handler in ((JOBS, str(int(signal.SIG_DFL))), ("elsewhere", "default_int_handler")):
        process, said = started(tmp_path / folder, HANDLER)
        process.communicate(timeout=HANGS)
        assert said == handler


def test_the_machines_own_sitecustomize_is_not_lost(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import builtins; builtins.own = 'own'")
    code = "import sys; print(own, any('startup' in folder for folder in sys.path))"
    process, said = started(tmp_path / JOBS, code, str(tmp_path))
    process.communicate(timeout=HANGS)
    assert said == "own False"


def test_ctrl_c_while_a_job_imports_prints_one_line(tmp_path):
    project, log = Project.new(tmp_path), tmp_path / "printed"
    with open(log, "w") as file:
        process = project.start("--config", "scale=smoke", "--", DIAGRAM, stdout=file)
        while not jobs_of(project, "draw") and process.poll() is None:
            time.sleep(0.01)
        time.sleep(0.2)  # Python has started, and imports numpy
        os.killpg(process.pid, signal.SIGINT)
        process.wait(timeout=HANGS)
    printed = log.read_text()
    assert "Traceback" not in printed
    assert "KeyboardInterrupt" not in printed
    assert printed.count("run the same command to resume") == 1
    assert not (project.folder / DIAGRAM).exists()
