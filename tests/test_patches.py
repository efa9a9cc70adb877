"""Snakemake runs with and without each of its patches, and says what it lacks."""

import json
import re
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from project import Project, run_program

from dpbandits_jobs import TESTED

SNAKEFILE = """
import threading
from dpbandits.errors import InputError
from dpbandits_jobs import attach_bar, start

attach_bar(workflow, list)
timers = []


class Counted(threading.Timer):
    def start(self):
        timers.append(self)
        super().start()


threading.Timer = Counted


def no_such_figure(wildcards):
    raise InputError(f"there is no {wildcards.figure}; did you mean 'fig1'?")


rule describe:
    output:
        "{threads}.json",
    threads: lambda wildcards: int(wildcards.threads)
    script:
        "describe.py"


rule draw:
    input:
        no_such_figure,
    output:
        "figures/{figure}.pdf",
    shell:
        "true"


onstart:
    start(workflow)


onsuccess:
    print("timers:", len(timers))
"""
DESCRIBE = """
import json, os, sys, tempfile
with open(f"/proc/{os.getppid()}/cmdline") as file:
    forked = "from multiprocessing.forkserver" in file.read()
environment = dict(os.environ)
environment.pop("PWD", None), environment.pop("_", None)  # bash sets them
seen = {"environment": environment, "tempfile": tempfile.gettempdir(), "argv": sys.argv[1:]}
with open(snakemake.output[0], "w") as file:
    json.dump([forked, os.getppid(), seen], file)
"""
# Run Snakemake after a replacement in the source of one of its modules.
CHANGED = """
import sys
from importlib.machinery import SourceFileLoader
module, old, new, *arguments = sys.argv[1:]
get_code = SourceFileLoader.get_code
def changed_code(loader, name):
    if name != module:
        return get_code(loader, name)
    source = loader.get_source(name)
    assert old in source
    return compile(source.replace(old, new), loader.path, "exec")
SourceFileLoader.get_code = changed_code
from snakemake.cli import main
main(arguments)
"""
INSTALLED = version("snakemake")
NEWER = ("snakemake", INSTALLED, "99.0.1")
NO_BAR, LIMIT, NO_FORKS = (
    "no progress bar",
    "the limit of jobs per second stays",
    "jobs start a Python each",
)
CHANGES = [
    (("snakemake", INSTALLED, INSTALLED), set()),
    (NEWER, {NO_BAR, LIMIT, NO_FORKS}),
    (("snakemake.scheduling.job_scheduler", "job_rate_limiter", "rate_limiter"), {LIMIT}),
    (("snakemake.script", "execute_script", "run_script"), {NO_FORKS}),
    (("snakemake.script", "bench_record", "benchmark"), {NO_FORKS}),
    (("multiprocessing.forkserver", "def _stop(", "def _end("), {NO_FORKS}),
    (("snakemake.logging", "DefaultStreamHandler", "StreamHandler"), {NO_BAR}),
]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks need Linux")


@pytest.fixture
def snakemake(tmp_path):
    """Run Snakemake on the workflow above; return what it prints, and what each job describes."""
    (tmp_path / "Snakefile").write_text(SNAKEFILE)
    (tmp_path / "describe.py").write_text(DESCRIBE)

    def run(*arguments, change=None):
        program = ["-c", CHANGED, *change] if change else ["-m", "snakemake"]
        command = [sys.executable, *program, "--cores", "2", *arguments]
        done = run_program(*command, folder=tmp_path)
        printed = done.stdout + done.stderr
        assert done.returncode == 0, printed
        return printed, [json.loads(path.read_text()) for path in sorted(tmp_path.glob("*.json"))]

    return run


def test_the_tested_version_is_the_installed_one():
    assert INSTALLED.startswith(f"{TESTED}.")


def timers(printed):
    """The number of timers that Snakemake has started for one job."""
    return int(re.search(r"^timers: (\d+)$", printed, re.MULTILINE)[1])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "lost"), CHANGES, ids=lambda x: " ".join(x[::2]) if isinstance(x, tuple) else ""
)
def test_a_run_goes_on_without_a_patch_and_says_so_in_one_line(change, lost, snakemake, tmp_path):
    """If no timers are left without the patch, remove src/dpbandits_jobs/limiter.py."""
    printed, [(forked, server, _)] = snakemake("1.json", change=change)
    lines = re.findall(r"^Snakemake ([\d.]+): (.*) \((.*)\)$", printed, re.MULTILINE)
    assert sorted(line[1] for line in lines) == sorted(lost)
    reason = f"tested: {TESTED}" if change is NEWER else re.findall(r"\w+", change[1])[-1]
    assert all(reason in line[2] for line in lines), lines
    assert "Traceback" not in printed
    assert forked is (NO_FORKS not in lost)
    assert not Path(f"/proc/{server}").exists()
    assert "1 of 1 steps (100%) done" in printed
    assert ("Finished jobid" in printed) is (NO_BAR in lost)  # the log file has it in any case
    (log,) = (tmp_path / ".snakemake/log").iterdir()
    assert log.read_text().count("Finished jobid") == 1
    assert (timers(printed) > 0) is (LIMIT in lost)


@pytest.mark.slow
def test_a_limit_that_the_user_sets_stays(snakemake):
    assert timers(snakemake("1.json", "--max-jobs-per-timespan", "50/1s")[0]) > 0


@pytest.mark.slow
@pytest.mark.parametrize("why", ["a long path of the server's socket", "a node of a cluster"])
def test_where_there_can_be_no_server_each_job_has_a_python_of_its_own(
    why, snakemake, tmp_path, monkeypatch
):
    if "path" in why:
        (long := tmp_path / ("x" * 120)).mkdir()
        monkeypatch.setenv("TMPDIR", str(long))
    options = [] if "path" in why else ["--mode", "remote"]
    _, [(forked, *_)] = snakemake("1.json", *options)
    assert not forked


@pytest.mark.slow
def test_a_fork_has_the_environment_of_a_python_of_its_own(snakemake, tmp_path):
    """With several threads a job has its own Python: numpy has one thread in the forks."""
    (folder := tmp_path / "temporary").mkdir()
    command = ["--default-resources", f"tmpdir='{folder}'", "--forceall", "--", "1.json", "2.json"]
    (fork, two), (own, own_two) = (snakemake(*command, change=each)[1] for each in (None, NEWER))
    assert [job[0] for job in (fork, two, own, own_two)] == [True, False, False, False]
    assert fork[2] == own[2]
    assert two[2] == own_two[2]
    assert fork[2]["tempfile"] == fork[2]["environment"]["TMPDIR"] == str(folder)
    assert fork[2]["environment"]["OMP_NUM_THREADS"] == "1"


def test_a_mistake_that_an_input_function_finds_is_one_line(snakemake, tmp_path):
    printed = Project(tmp_path).run("figures/fig9z.pdf", expect=1)
    assert printed.splitlines()[-1] == "there is no fig9z; did you mean 'fig1'?"
    assert "Error" not in printed
