"""A job in a fork of a warm process does what it does in a Python of its own."""

import json
import os
import re
import resource
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from snakemake.script import PythonScript
from workflow.interrupting import wait_until

from dpbandits_jobs import forks

# Print what a job sees of its process; `imported` is a module that the server has imported.
SEES = """
import gc, json, os, sys, imported
imported.seen += 1
print(json.dumps({
    "folder": os.getcwd(), "arguments": sys.argv[1:], "own": os.environ["OWN"],
    "name": __name__, "file": __file__,
    "module": sys.modules["__main__"].__file__, "seen": imported.seen,
    "process": os.getpid(), "imported by": imported.process,
    "searched for garbage": any(each is imported.__dict__ for each in gc.get_objects()),
}))
print("to stderr", file=sys.stderr)
"""
# Run each job in a thread, as Snakemake does, and print its exit code.
SNAKEMAKE = """
import signal, sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dpbandits_jobs.forks import prepare, run_in_fork
if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
    signal.signal(signal.SIGINT, signal.default_int_handler)
prepare("imported")
def run(script):
    while True:
        with suppress(OSError, EOFError):  # the server was killed
            return run_in_fork(script)
for script in sys.argv[1:]:
    job = ThreadPoolExecutor().submit(run, script)
    try:
        job.exception()
    except KeyboardInterrupt:
        pass
    print("ended", job.result())
"""
WAITS = "import os, time\nprint(os.getpid(), flush=True)\n{before}\ntime.sleep(3600)\n"
pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere every job has a Python of its own"
)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / ".snakemake/scripts").mkdir(parents=True)
    (tmp_path / "imported.py").write_text("import os\nprocess, seen = os.getpid(), 0\n")
    return tmp_path


def start(folder, *jobs, command=("-c", SNAKEMAKE), ignoring=False):
    """Start the process that runs these jobs, one after another."""
    scripts = [folder / f".snakemake/scripts/tmp{number}.draw.py" for number in range(len(jobs))]
    for script, code in zip(scripts, jobs, strict=True):
        script.write_text(code)
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    handler = signal.SIG_IGN if ignoring else signal.SIG_DFL
    return subprocess.Popen(
        [sys.executable, *command, *map(str, scripts)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": path, "OWN": "a value"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, handler),
        start_new_session=True,
        text=True,
        **pipes,
    )


def next_line(process):
    """Read the next line, byte by byte: `readline` would take more than `outcome` may miss."""
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(process.stdout.fileno(), 1)
        assert byte, f"the process ended after {line!r}"
        line += byte
    return line.decode()


def outcome(process):
    """Return the exit codes of the jobs, and what they print to stdout and stderr."""
    stdout, stderr = process.communicate()
    codes = [int(code) for code in re.findall(r"^ended (-?\d+)$", stdout, re.M)]
    return codes, re.sub(r"^ended .*\n", "", stdout, flags=re.M), stderr


def test_a_job_with_threads_or_an_environment_of_its_own_is_no_fork(monkeypatch):
    places = []
    monkeypatch.setattr(
        PythonScript, "execute_script", lambda job, script, edit=False: places.append("own")
    )
    monkeypatch.setattr(forks, "run_in_fork", lambda *_: places.append("fork") or 0)
    monkeypatch.setattr(forks, "prepare", lambda imports: None)
    forks.use(None)
    usual = dict.fromkeys(forks.OWN_PYTHON) | {"threads": 1, "resources": {}}
    for changes in {}, {"threads": 2}, {"conda_env": "environment.yml"}:
        PythonScript.execute_script(SimpleNamespace(**usual | changes), "script.py")
    assert places == ["fork", "own", "own"]


def own_python(folder, code):
    """Return the exit code of a job in a Python of its own, and what it prints."""
    process = start(folder, code, command=())
    _, *printed = outcome(process)
    return process.returncode, *printed


def test_a_job_sees_what_it_sees_in_its_own_python_and_nothing_of_other_jobs(folder):
    codes, stdout, stderr = outcome(start(folder, SEES, SEES, SEES))
    assert (codes, stderr) == ([0, 0, 0], "to stderr\n" * 3)
    alone = json.loads(own_python(folder, SEES)[1])
    assert alone.pop("imported by") == alone.pop("process")
    assert alone.pop("searched for garbage")
    forked = [json.loads(line) for line in stdout.splitlines()]
    processes, servers = (
        {job.pop(which) for job in forked} for which in ("process", "imported by")
    )
    assert (len(processes), len(servers - processes)) == (3, 1)
    assert [job.pop("searched for garbage") for job in forked] == [False] * 3
    assert forked[0] == alone
    assert [job["seen"] for job in forked] == [1, 1, 1]


ENDS = [
    "raise SystemExit('error: fig1.csv: what is wrong')",
    "raise SystemExit(3)",
    "1 / 0",
    "import os; os._exit(7)",
    "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
    "import os, signal; os.kill(os.getpid(), signal.SIGTERM)",
    "no python",
]


def test_jobs_end_as_in_their_own_python(folder):
    codes, stdout, stderr = outcome(start(folder, *ENDS))
    assert (0 in codes, stdout) == (False, "")
    alone = [own_python(folder, code) for code in ENDS]
    assert codes == [code for code, _, _ in alone]
    last_lines = [line for _, _, printed in alone for line in printed.splitlines()[-1:]]
    assert [line for line in stderr.splitlines() if line in last_lines] == last_lines


@pytest.mark.slow
def test_a_killed_server_ends_its_jobs_and_the_next_job_has_a_new_server(folder):
    kills = "import signal; os.kill(os.getppid(), signal.SIGKILL)"
    process = start(folder, WAITS.format(before=kills), SEES)
    job = Path("/proc", next_line(process).strip())
    wait_until(lambda: not job.exists())
    (first, second), stdout, _ = outcome(process)
    assert (first, second) == (255, 0)
    assert json.loads(stdout)["seen"] == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("importing", "before"),
    [
        ("print('ready', flush=True); import time; time.sleep(1)", ""),
        ("", "print('ready', flush=True)"),
        (
            "",
            "from dpbandits.errors import run_job\n"
            "with run_job('log'): print('ready', flush=True) or time.sleep(3600)",
        ),
    ],
    ids=["the server imports", "the job imports", "at work"],
)
def test_ctrl_c_reaches_the_job_and_prints_nothing(importing, before, folder):
    """A terminal sends it to Snakemake, to the server and to the jobs at once."""
    (folder / "imported.py").write_text(importing)
    process = start(folder, WAITS.format(before=before))
    while next_line(process) != "ready\n":
        assert process.poll() is None
    os.killpg(process.pid, signal.SIGINT)
    codes, _, stderr = outcome(process)
    assert (codes, stderr) == ([-signal.SIGINT], "")


@pytest.mark.slow
def test_a_job_that_ignores_ctrl_c_goes_on_ignoring_it(folder):
    code = (
        "import os, signal; os.killpg(0, signal.SIGINT); "
        "print(signal.getsignal(signal.SIGINT).name)"
    )
    assert outcome(start(folder, code, ignoring=True)) == ([0], "SIG_IGN\n", "")


def seconds_of_children():
    return sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


def test_the_processor_time_of_forks_is_counted(folder):
    """Otherwise `time` would not see it."""
    before = seconds_of_children()
    outcome(start(folder, "import time\nwhile time.process_time() < 1:\n    pass\n"))
    assert seconds_of_children() - before >= 1
