"""Jobs that share a process which has imported their modules do what they would do in their own Python."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from project import HANGS

import dpbandits_jobs
from dpbandits_jobs import STARTUP, VARIABLE, start_server, stop_server

# What a job can see of the process that it runs in; `imported` is a module that the server has imported.
SEES = """
import json, os, sys, imported
imported.seen += 1
print(json.dumps({
    "arguments": sys.argv, "folder": os.getcwd(), "own": os.environ["OWN"], "path": sys.path[0], "name": __name__,
    "file": __file__, "module": sys.modules["__main__"].__file__, "standard input": sys.stdin.read(), "seen": imported.seen,
    "opened": sorted(os.listdir("/proc/self/fd")), "process": os.getpid(), "imported by": imported.process,
}))
print("to the other stream", file=sys.stderr)
"""
OF_PROCESS = {"process", "imported by"}
pytestmark = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="elsewhere every job has its own Python")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / ".snakemake/scripts").mkdir(parents=True)
    (tmp_path / "imported.py").write_text("import os\nprocess, seen = os.getpid(), 0\n")
    return tmp_path


@pytest.fixture
def server(folder, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([STARTUP, str(folder)]))
    start_server(["draw"], ["imported"])
    (running,) = dpbandits_jobs._servers.values()
    yield running
    stop_server()


def job(folder, code, script="draw", python=sys.executable):
    """A job as Snakemake starts it."""
    path = folder / f".snakemake/scripts/tmp0.{script}.py"
    path.write_text(code)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([STARTUP, str(folder)]), "OWN": "a value"}
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen([python, str(path)], cwd=folder, env=environment, text=True, **pipes)


def outcome(process, given=""):
    printed, warned = process.communicate(given, timeout=HANGS)
    return process.returncode, printed, warned


def seen(folder, **options):
    code, printed, warned = outcome(job(folder, SEES, **options), "typed")
    assert (code, warned) == (0, "to the other stream\n")
    return json.loads(printed)


def own_python(folder, code, given=""):
    """The outcome of a job without the server."""
    at = os.environ.pop(VARIABLE)
    try:
        return outcome(job(folder, code), given)
    finally:
        os.environ[VARIABLE] = at


def test_a_job_sees_what_it_would_see_in_its_own_python(folder, server):
    forked = seen(folder)
    alone = json.loads(own_python(folder, SEES, "typed")[1])
    assert {key: value for key, value in forked.items() if key not in OF_PROCESS} == {
        key: value for key, value in alone.items() if key not in OF_PROCESS
    }
    assert forked["imported by"] == server.pid != forked["process"]
    assert alone["imported by"] == alone["process"]


def test_jobs_do_not_see_each_other(folder, server):
    assert [seen(folder)["seen"] for _ in range(3)] == [1, 1, 1]


@pytest.mark.parametrize(
    "code",
    [
        "raise SystemExit('error: fig1.csv: what is wrong')",
        "raise SystemExit(3)",
        "1 / 0",
        "import os; os._exit(7)",
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
        "import os, signal; os.kill(os.getpid(), signal.SIGTERM)",
        "no python",
    ],
)
def test_a_job_ends_as_in_its_own_python(code, folder, server):
    expected = own_python(folder, code)
    assert expected[0] != 0
    code_there, printed, warned = outcome(job(folder, code))
    assert (code_there, printed) == expected[:2]
    assert warned.splitlines()[-1:] == expected[2].splitlines()[-1:]


WAITS = "import os, time\nprint(os.getpid(), flush=True)\ntime.sleep({seconds})\nprint('done', flush=True)\n"


def started(folder, seconds=HANGS):
    """A job that waits, and the process that does it."""
    process = job(folder, WAITS.format(seconds=seconds))
    return process, int(process.stdout.readline())


def ends(pid):
    end = time.monotonic() + HANGS
    while Path(f"/proc/{pid}").exists():
        assert time.monotonic() < end
        time.sleep(0.01)
    return True


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_job_does_not_go_on(number, folder, server):
    process, worker = started(folder)
    assert worker != process.pid
    process.send_signal(number)
    assert outcome(process)[0] == -number
    assert ends(worker)
    assert seen(folder)["imported by"] == server.pid


def test_a_killed_worker_is_a_killed_job(folder, server):
    process, worker = started(folder)
    os.kill(worker, signal.SIGKILL)
    assert outcome(process)[0] == -signal.SIGKILL


def test_a_killed_server_takes_its_jobs_with_it_and_the_next_have_their_own_python(folder, server):
    process, worker = started(folder)
    server.kill()
    assert outcome(process)[0] == -signal.SIGKILL
    assert ends(worker)
    assert (alone := seen(folder))["imported by"] == alone["process"]
    at = Path(os.environ[VARIABLE].splitlines()[1]).parent
    stop_server()
    assert not at.exists()


@pytest.mark.parametrize(("inside", "code"), [("", -signal.SIGINT), ("with run_job('log'):", 130)])
def test_ctrl_c_reaches_the_worker(inside, code, folder):
    """As a terminal sends it, to Snakemake, which starts server and jobs, and to all of them at once."""
    wait = "print('ready', flush=True) or time.sleep(3600)"
    (folder / ".snakemake/scripts/tmp0.draw.py").write_text(
        f"import os, time\nfrom dpbandits.errors import run_job\n{inside or 'if True:'}\n    {wait}\n"
    )
    snakemake = f"""
import signal, subprocess, sys
from dpbandits_jobs import start_server, use_startup
signal.signal(signal.SIGINT, signal.default_int_handler)
use_startup()
start_server(["draw"], ["dpbandits.errors"])
job = subprocess.Popen([sys.executable, {str(folder / ".snakemake/scripts/tmp0.draw.py")!r}])
try:
    job.wait()
except KeyboardInterrupt:
    print(job.wait())
"""
    process = subprocess.Popen(
        [sys.executable, "-c", snakemake],
        cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    assert process.stdout.readline() == "ready\n"
    os.killpg(process.pid, signal.SIGINT)
    assert outcome(process) == (0, f"{code}\n", "")


def test_the_server_ends_with_its_last_job_and_leaves_nothing(folder, server):
    process, _ = started(folder, seconds=1)
    at = Path(os.environ[VARIABLE].splitlines()[1])
    assert at.exists()
    stop_server()
    assert server.returncode == 0
    assert outcome(process)[:2] == (0, "done\n")  # it was there before, and was not stopped
    assert not at.parent.exists()
    assert VARIABLE not in os.environ


def test_the_time_of_jobs_is_counted(folder):
    """As the processor time of what this process has started: `make profile` and `time` would not see it otherwise."""
    code = f"""
import os, resource, subprocess, sys
from dpbandits_jobs import start_server, stop_server, use_startup
use_startup()
start_server(["draw"], [])
subprocess.run([sys.executable, {str(folder / ".snakemake/scripts/tmp0.draw.py")!r}], check=True)
before = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
stop_server()
print(before, sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) - before)
"""
    busy = "import time\nwhile time.process_time() < 1:\n    pass\n"
    (folder / ".snakemake/scripts/tmp0.draw.py").write_text(busy)
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True)
    before, counted = map(float, done.stdout.split())
    assert before < 0.9 <= counted


def test_whom_the_server_is_not_for(folder, server):
    """Another script, and another Python, as that of an environment of conda."""
    other = folder / "other"
    other.symlink_to(sys.executable)
    for alone in (seen(folder, script="judge"), seen(folder, python=str(other))):
        assert alone["imported by"] == alone["process"]


def test_a_request_that_never_arrives_keeps_nobody_waiting(folder, server):
    with socket.socket(socket.AF_UNIX) as silent:
        silent.connect(os.environ[VARIABLE].splitlines()[1])
        assert seen(folder)["imported by"] == server.pid


def test_where_no_socket_can_be_made_there_is_no_server(folder, monkeypatch):
    long = folder / ("x" * 120)
    long.mkdir()
    monkeypatch.setattr(dpbandits_jobs.tempfile, "tempdir", str(long))
    start_server(["draw"], [])
    assert VARIABLE not in os.environ
    assert list(long.iterdir()) == []
    assert seen(folder)["seen"] == 1
