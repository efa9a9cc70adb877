"""A copy of the project's folder with one or some papers, in which Snakemake runs."""

import base64
import functools
import gc
import json
import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).parent.parent
# A paper of the user's own has no reference.
PAPERS = sorted(path.name for path in (ROOT / "reference/summaries").iterdir())
PARTS = ["Snakefile", "config", "workflow", "profiles", "reference"]
KERNELS = "src/dpbandits/__pycache__/kernels"  # machine code, which is valid in a copy
SMOKE = ["--config", "scale=smoke"]
# Run Snakemake in forks of a warm process: importing takes longer than most of these runs.
IMPORTED = multiprocessing.get_context("forkserver")
IMPORTED.set_forkserver_preload(
    [
        "snakemake.cli",
        "snakemake.report",
        "pandas",
        "dpbandits.verification",
        "dpbandits.plan.validation",
    ]
)


@functools.cache
def study_of(name, scale="paper"):
    """Return a paper, or the arena, which every process loads once."""
    from dpbandits import studies

    folder = ROOT / ("config" if name == "arena" else "config/papers")
    return studies.load(folder / f"{name}.yaml", scale)


def with_a_guest(study, experiment, policy):
    """Return the study with a policy of an experiment as a guest."""
    played = study.experiments[experiment]
    policies = played.policies | {policy: replace(played.policies[policy], guest=True)}
    experiments = study.experiments | {experiment: replace(played, policies=policies)}
    return replace(study, experiments=experiments)


def with_guests(studies, typed):
    """Return studies with guests as config/config.yaml has them."""
    from dpbandits.parameters import validated
    from dpbandits.studies.guests import GUESTS, Guest, invited
    from dpbandits.studies.things import Slug

    return invited(studies, validated(dict[Slug, Guest], typed, GUESTS))


def all_papers(scale="paper"):
    return {name: study_of(name, scale) for name in PAPERS}


def snakemake_in_a_fork(folder, arguments, printed, path):
    """Do what `python -m snakemake` does with this PYTHONPATH."""
    os.chdir(folder)
    if path != os.environ.get("PYTHONPATH", ""):
        # A copy of the package replaces the imported one.
        os.environ["PYTHONPATH"] = path
        sys.path[:0] = path.split(os.pathsep)
        for name in [name for name in sys.modules if "dpbandits" in name]:
            del sys.modules[name]
    with open(printed, "w") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    sys.argv = ["snakemake", *arguments]
    gc.freeze()
    from snakemake import cli

    try:
        cli.main(list(arguments))
    except Exception:
        traceback.print_exc()
        sys.exit(1)


def in_a_fork(function, *arguments, timeout=None):
    """Call a function in a fork of the warm process; return the exit code."""
    process = IMPORTED.Process(target=function, args=arguments)
    process.start()
    try:
        process.join(timeout)
    finally:
        process.kill()  # if the test has waited for too long
    process.join()
    return process.exitcode


def cut_off_from_the_network():
    """Return the words before a command that cut it off; none where that is forbidden."""
    words = ["unshare", "--net"]
    return words if subprocess.run([*words, "true"], capture_output=True).returncode == 0 else []


def forget_sources():
    """Take fingerprints anew, after an edit of the sources."""
    from dpbandits.plan import fingerprints

    names = ("fingerprint", "_read", "_file", "_data_in")
    for cached in (getattr(fingerprints, name) for name in names):
        cached.cache_clear()


def run_program(*command, folder=ROOT, variables=(), **options):
    """Run a program in a folder, with more environment variables; keep what it prints."""
    environment = os.environ | dict(variables)
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, **options
    )


def uncompiled(program, stdin="", **variables):
    """Return the output of a Python program in a process in which nothing is compiled."""
    variables = {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT / "tests"), **variables}
    done = run_program(sys.executable, "-c", program, variables=variables, input=stdin)
    assert done.returncode == 0, done.stderr
    return done.stdout


def jobs_in(printed):
    """Return the messages of the jobs that Snakemake lists."""
    return sorted(set(re.findall(r"^Job \d+: (.*)$", printed, re.MULTILINE)))


class Project:
    """A copy of the project's folder, and Snakemake in it."""

    python = sys.executable

    def __init__(self, folder):
        self.folder = Path(folder)

    @classmethod
    def new(cls, folder, own_source=False, papers=("tossou2016",)):
        for part in [*PARTS, "src"] if own_source else PARTS:
            if (ROOT / part).is_dir():
                ignore = shutil.ignore_patterns("__pycache__", "*.egg-info")
                shutil.copytree(ROOT / part, folder / part, ignore=ignore)
            else:
                shutil.copy2(ROOT / part, folder / part)
        if own_source and (ROOT / KERNELS).is_dir():
            shutil.copytree(ROOT / KERNELS, folder / KERNELS)
        for path in folder.glob("config/[cp]*/*.yaml"):  # claims and papers
            if path.stem not in papers:
                path.unlink()
        if set(papers) != set(PAPERS):  # a project of one paper has no arena
            (folder / "config/arena.yaml").unlink()
        return cls(folder)

    def copied(self, folder):
        shutil.copytree(self.folder, folder, dirs_exist_ok=True)
        return Project(folder)

    def copy_results(self, finished, paper):
        """Copy one paper's part of a finished run, with Snakemake's records of it."""
        source, copy = finished.folder, self.folder
        for part in (source / ".snakemake/metadata", *source.glob(f"results/smoke/*/{paper}")):
            shutil.copytree(part, copy / part.relative_to(source))
        for table in source.glob(f"results/smoke/*/{paper}.csv"):
            (copy / table.relative_to(source)).parent.mkdir(exist_ok=True)
            shutil.copy2(table, copy / table.relative_to(source))

    def command(self, *arguments):
        return [self.python, "-m", "snakemake", "--cores", "2", *arguments]

    def environment(self):
        own = self.folder / "src"
        return {**os.environ, **({"PYTHONPATH": str(own)} if own.exists() else {})}

    def start(self, *arguments, stdout=subprocess.DEVNULL, variables=()):
        return subprocess.Popen(
            self.command(*arguments),
            cwd=self.folder,
            env={**self.environment(), **dict(variables)},
            stdout=stdout,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            # A background shell ignores it.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )

    def run(self, *arguments, expect=0, before=()):
        """Run Snakemake and return its output; a failure prints no traceback.

        `before` has the words before the command, such as unshare.
        """
        if before or self.python != sys.executable:
            command = [*before, *self.command(*arguments)]
            done = run_program(*command, folder=self.folder, variables=self.environment())
            code, output = done.returncode, done.stdout + done.stderr
        else:
            with tempfile.NamedTemporaryFile("r", prefix="snakemake-") as printed:
                path = self.environment().get("PYTHONPATH", "")
                of_fork = self.folder, ("--cores", "2", *arguments), printed.name, path
                code, output = in_a_fork(snakemake_in_a_fork, *of_fork), printed.read()
        assert (code == 0) is (expect == 0), output
        assert expect == 0 or "Traceback" not in output, output
        return output

    def would_run(self, *arguments):
        """Return the messages of the jobs of a dry run."""
        return jobs_in(self.run("-n", *arguments))

    def records(self):
        """Return Snakemake's record of each output file."""
        folder = self.folder / ".snakemake/metadata"
        # A name is the encoded output. Long names are cut into folders that begin with @.
        return {
            base64.b64decode(
                re.sub("[/@]", "", str(file.relative_to(folder)))
            ).decode(): json.loads(file.read_text())
            for file in filter(Path.is_file, folder.rglob("*"))
        }

    def last_log(self):
        """Return Snakemake's log of the last run, with every job and more than it prints."""
        return max((self.folder / ".snakemake/log").iterdir()).read_text()

    def last_jobs(self):
        """Return the messages of the jobs of the last run, in their order."""
        return re.findall(r"^Job \d+: (.*)$", self.last_log(), re.MULTILINE)

    def edit(self, file, old, new, count=1):
        path = self.folder / file
        text = path.read_text()
        assert text.count(old) >= 1, old
        path.write_text(text.replace(old, new, count))

    def bytes(self, pattern):
        return {
            str(p.relative_to(self.folder)): p.read_bytes()
            for p in sorted(self.folder.glob(pattern))
            if p.is_file()
        }
