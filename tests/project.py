"""A copy of the project's folder with one paper or a few, and Snakemake in it."""

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
PAPERS = sorted(
    path.name for path in (ROOT / "reference/summaries").iterdir()
)  # a paper of your own has no reference
PARTS = ["Snakefile", "config", "workflow", "profiles", "reference"]
KERNELS = "src/dpbandits/__pycache__/kernels"  # compiled already, and the same in a copy
SMOKE = ["--config", "scale=smoke"]
# Run Snakemake in forks of a process that has imported it and the package, which takes longer than
# most of these runs.
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
    """A paper, or the arena, which every process loads once."""
    from dpbandits import studies

    return studies.load(
        ROOT / ("config" if name == "arena" else "config/papers") / f"{name}.yaml", scale
    )


def with_a_guest(study, experiment, policy):
    """The study in which this policy of an experiment is one from config.yaml."""
    played = study.experiments[experiment]
    policies = played.policies | {policy: replace(played.policies[policy], guest=True)}
    experiments = study.experiments | {experiment: replace(played, policies=policies)}
    return replace(study, experiments=experiments)


def all_papers(scale="paper"):
    return {name: study_of(name, scale) for name in PAPERS}


def snakemake_in_a_fork(folder, arguments, printed, path):
    """Do what `python -m snakemake` does with this PYTHONPATH, where it is imported already."""
    os.chdir(folder)
    if path != os.environ.get(
        "PYTHONPATH", ""
    ):  # to a copy of the package, which takes the place of the imported one
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


def forget_sources():
    """Fingerprints are taken anew, after an edit of the sources."""
    from dpbandits.plan import fingerprints

    for cached in (fingerprints.fingerprint, fingerprints._read, fingerprints._file):
        cached.cache_clear()


def uncompiled(program, stdin="", **variables):
    """Return what a Python program prints in a process in which nothing is compiled."""
    environment = {
        **os.environ,
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONPATH": str(ROOT / "tests"),
        **variables,
    }
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, input=stdin, env=environment, cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def jobs_in(printed):
    """The messages of the jobs that Snakemake lists."""
    return sorted(set(re.findall(r"^Job \d+: (.*)$", printed, re.MULTILINE)))


def name_in_record(file):
    """The output that a file of .snakemake/metadata belongs to; long names are cut into folders."""
    parts = file.parts[file.parts.index("metadata") + 1 :]
    return base64.b64decode("".join(part.removeprefix("@") for part in parts)).decode()


class Project:
    """A copy of the project's folder, and Snakemake in it."""

    python = sys.executable

    def __init__(self, folder):
        self.folder = Path(folder)

    @classmethod
    def new(cls, folder, own_source=False, papers=("tossou2016",)):
        for part in [*PARTS, "src"] if own_source else PARTS:
            source = ROOT / part
            if source.is_dir():
                shutil.copytree(
                    source,
                    folder / part,
                    ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"),
                )
            elif source.exists():
                shutil.copy2(source, folder / part)
        if own_source and (ROOT / KERNELS).is_dir():
            shutil.copytree(ROOT / KERNELS, folder / KERNELS)
        for path in (folder / "config/papers").glob("*.yaml"):
            if path.stem not in papers:
                path.unlink()
        if set(papers) != set(PAPERS):  # a project of one paper has no arena
            (folder / "config/arena.yaml").unlink()
        return cls(folder)

    def copied(self, folder):
        shutil.copytree(self.folder, folder, dirs_exist_ok=True)
        return Project(folder)

    def copy_results(self, finished, paper):
        """Take over one paper's part of a finished run, with what Snakemake remembers of it."""
        shutil.copytree(
            finished.folder / ".snakemake/metadata", self.folder / ".snakemake/metadata"
        )
        for kind in ("traces", "logs", "summaries", "tables", "figures", "pictures", "audits"):
            source = finished.folder / "results/smoke" / kind / paper
            if source.exists():
                shutil.copytree(source, self.folder / "results/smoke" / kind / paper)
        for kind in ("checks", "accounts", "audits", "replays"):
            (self.folder / "results/smoke" / kind).mkdir(exist_ok=True)
            for source in (finished.folder / "results/smoke" / kind).glob(f"{paper}.csv*"):
                shutil.copy2(source, self.folder / "results/smoke" / kind)

    def command(self, *arguments):
        return [self.python, "-m", "snakemake", "--cores", "2", *arguments]

    def environment(self):
        own = self.folder / "src"
        return {**os.environ, **({"PYTHONPATH": str(own)} if own.exists() else {})}

    def start(self, *arguments, stdout=subprocess.DEVNULL):
        return subprocess.Popen(
            self.command(*arguments),
            cwd=self.folder,
            env=self.environment(),
            stdout=stdout,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            # A background shell ignores it.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )

    def run(self, *arguments, expect=0, before=()):
        """Snakemake to its end; a failure prints no traceback.

        `before`: words before the command (unshare, setpriv).
        """
        if before or self.python != sys.executable:
            command = [*before, *self.command(*arguments)]
            done = subprocess.run(
                command, cwd=self.folder, env=self.environment(), capture_output=True, text=True
            )
            code, output = done.returncode, done.stdout + done.stderr
        else:
            with tempfile.NamedTemporaryFile("r", prefix="snakemake-") as printed:
                command = ("--cores", "2", *arguments)
                given = (
                    self.folder,
                    command,
                    printed.name,
                    self.environment().get("PYTHONPATH", ""),
                )
                process = IMPORTED.Process(target=snakemake_in_a_fork, args=given)
                process.start()
                try:
                    process.join()
                finally:
                    process.kill()  # if the test has waited for too long
                code, output = process.exitcode, printed.read()
        assert (code == 0) is (expect == 0), output
        assert expect == 0 or "Traceback" not in output, output
        return output

    def would_run(self, *arguments):
        """The jobs of a dry run, by their messages."""
        return jobs_in(self.run("-n", *arguments))

    def records(self):
        """Output file -> what Snakemake has stored of the job that wrote it."""
        files = filter(Path.is_file, (self.folder / ".snakemake/metadata").rglob("*"))
        return {name_in_record(file): json.loads(file.read_text()) for file in files}

    def last_log(self):
        """Snakemake's log file of the last run, with every job and more than it prints."""
        return max((self.folder / ".snakemake/log").iterdir()).read_text()

    def last_jobs(self):
        """The jobs of the last run, by their messages, in their order."""
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
