"""Snakemake runs with and without each of its patches, and says what it lacks."""

import json
import re
import subprocess
import sys
from importlib.metadata import version

import pytest

from dpbandits_jobs import TESTED

SNAKEFILE = """
from dpbandits.errors import InputError
from dpbandits_jobs import attach_bar, start

attach_bar(workflow, list)


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
"""
DESCRIBE = """
import json, os, sys, tempfile
with open(f"/proc/{os.getppid()}/cmdline") as file:
    forked = "from multiprocessing.forkserver" in file.read()
environment = dict(os.environ)
environment.pop("PWD", None), environment.pop("_", None)  # bash sets them
seen = {"environment": environment, "tempfile": tempfile.gettempdir(), "argv": sys.argv[1:]}
with open(snakemake.output[0], "w") as file:
    json.dump([forked, seen], file)
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
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks need Linux")


@pytest.fixture
def snakemake(tmp_path):
    """Run Snakemake on the workflow above; return its exit code and what it prints."""
    (tmp_path / "Snakefile").write_text(SNAKEFILE)
    (tmp_path / "describe.py").write_text(DESCRIBE)

    def run(*arguments, change=None):
        program = ["-c", CHANGED, *change] if change else ["-m", "snakemake"]
        command = [sys.executable, *program, "--cores", "2", *arguments]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    return run


def test_the_tested_version_is_the_installed_one():
    assert INSTALLED.startswith(f"{TESTED}.")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "lost"),
    [
        (NEWER, {NO_BAR, LIMIT, NO_FORKS}),
        (("snakemake.scheduling.job_scheduler", "job_rate_limiter", "rate_limiter"), {LIMIT}),
        (("snakemake.script", "execute_script", "run_script"), {NO_FORKS}),
        (("snakemake.script", "bench_record", "benchmark"), {NO_FORKS}),
        (("multiprocessing.forkserver", "def _stop(", "def _end("), {NO_FORKS}),
        (("snakemake.logging", "DefaultStreamHandler", "StreamHandler"), {NO_BAR}),
    ],
    ids=lambda value: " ".join(value[::2]) if isinstance(value, tuple) else "",
)  # fmt: skip
def test_a_run_goes_on_without_a_patch_and_says_so_in_one_line(change, lost, snakemake, tmp_path):
    code, printed = snakemake("1.json", change=change)
    assert code == 0, printed
    lines = re.findall(r"^Snakemake ([\d.]+): (.*) \((.*)\)$", printed, re.MULTILINE)
    assert sorted(line[1] for line in lines) == sorted(lost)
    reason = f"tested: {TESTED}" if change is NEWER else re.findall(r"\w+", change[1])[-1]
    assert all(reason in line[2] for line in lines), lines
    assert "Traceback" not in printed
    forked, _ = json.loads((tmp_path / "1.json").read_text())
    assert forked is (NO_FORKS not in lost)
    assert ("1/1 jobs, " in printed) is (NO_BAR not in lost)


@pytest.mark.slow
def test_a_fork_has_the_environment_of_a_python_of_its_own(snakemake, tmp_path):
    """With several threads a job has its own Python: numpy has one thread in the forks."""
    (folder := tmp_path / "temporary").mkdir()
    command = ["--default-resources", f"tmpdir='{folder}'", "--forceall", "--", "1.json", "2.json"]
    seen = []
    for change in (None, NEWER):
        code, printed = snakemake(*command, change=change)
        assert code == 0, printed
        seen += [json.loads((tmp_path / f"{threads}.json").read_text()) for threads in (1, 2)]
    assert [forked for forked, _ in seen] == [True, False, False, False]
    (_, fork), (_, two), (_, own), (_, own_two) = seen
    assert fork == own
    assert two == own_two
    assert fork["tempfile"] == fork["environment"]["TMPDIR"] == str(folder)
    assert fork["environment"]["OMP_NUM_THREADS"] == "1"


def test_a_mistake_that_an_input_function_finds_is_one_line(snakemake):
    code, printed = snakemake("figures/fig9z.pdf")
    assert code == 1
    assert printed.splitlines()[-1] == "there is no fig9z; did you mean 'fig1'?"
    assert "Error" not in printed
