"""Kills, full and read-only disks, two at once: same bytes, nothing finished lost, a clear message.

Each kind of interruption happens at one random moment, from a fixed seed; `MOMENTS=50 make test-slow` tries fifty of each kind.
What is asserted holds at whatever moment the interruption comes, however fast the machine is. What a test records besides
is for the table that tests/bad_days.py prints.
"""

import base64
import os
import random
import re
import shutil
import signal
import subprocess
import time
from contextlib import suppress

import pytest
from project import Project
from workflow.interrupting import BLOCKS, IN_BLOCKS, TRACES, is_held, jobs_of, undisturbed_bytes, wait_until

pytestmark = pytest.mark.slow
PANEL = "results/smoke/figures/tossou2016/fig2a.corrected.pdf"
MOMENTS = range(int(os.environ.get("MOMENTS", "1")))


@pytest.fixture(scope="module")
def undisturbed(one_paper, tmp_path_factory):
    return undisturbed_bytes(one_paper, tmp_path_factory.mktemp("blocks"))


def interrupted(project, seed, interrupt):
    """Start the summary, let `interrupt(process)` happen at a random moment, and wait for the end: what was printed."""
    rng = random.Random(seed)
    finished, patience = rng.randrange(1, 3), rng.uniform(0, 1.5)
    log = project.folder / "interrupted.log"
    while True:
        with open(log, "w") as file:
            process = project.start(*IN_BLOCKS, stdout=file)
            wait_until(lambda: len(kept(project)) >= finished, process)
            time.sleep(patience)
            with suppress(ProcessLookupError):
                interrupt(process)
            failed = process.wait()
        printed = log.read_text()
        if failed and not re.search(r"(\d+)/\1 jobs", printed):
            return printed
        for made in ("results", ".snakemake"):  # it was quicker: from the beginning again, and sooner
            shutil.rmtree(project.folder / made)
        patience /= 2


def kept(project):
    """The traces under their final names."""
    return {path: path.stat().st_mtime_ns for path in project.folder.glob("results/smoke/traces/**/[0-9]*.npz")}


def booked(project, path):
    """Whether Snakemake knows that the file is finished: it is not among those that it was still working on."""
    name = base64.urlsafe_b64encode(str(path.relative_to(project.folder)).encode()).decode()
    return not (project.folder / ".snakemake/incomplete" / name).exists()


def kill_all(process):
    os.killpg(process.pid, signal.SIGKILL)


def kill_snakemake(process):
    os.kill(process.pid, signal.SIGKILL)


def ctrl_c(process):
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to Snakemake and to its jobs


def complete(project, undisturbed, before, record_property):
    """The same command again: it ends well, with the same bytes; what was finished stays as it is. How many were simulated."""
    project.run(*IN_BLOCKS)
    simulated = len([job for job in project.last_jobs() if job.startswith("simulate")])
    assert {name: (project.folder / name).read_bytes() for name in undisturbed} == undisturbed
    assert len(kept(project)) == len(BLOCKS)
    again = [path for path, mtime in before.items() if path.stat().st_mtime_ns != mtime]
    record_property("kept", len(before) - len(again))
    record_property("lost", len(again))
    assert again == []
    assert simulated == len(BLOCKS) - len(before)
    return simulated


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("kill", [kill_all, kill_snakemake], ids=["power", "snakemake"])
def test_killed(kill, moment, undisturbed, tmp_path, record_property):
    """SIGKILL to everything at once, as when the power fails, or to Snakemake alone, whose jobs then live on."""
    record_property("bad day", "power" if kill is kill_all else "snakemake")
    project = Project.new(tmp_path)
    interrupted(project, f"{kill.__name__} {moment}", kill)
    survivors = [path for path in kept(project) if booked(project, path)]
    if kill is kill_all:  # what a file system may leave of a file that was being written: a part, under either name
        for name in BLOCKS:
            half = project.folder / TRACES / name
            if not booked(project, half) and not half.exists():
                half.write_bytes(undisturbed[f"{TRACES}/{name}"][:2000])
                half.with_name(f".{name}.1.part").write_bytes(undisturbed[f"{TRACES}/{name}"][:1000])
        for draft in tmp_path.rglob("*.part"):  # also what was really left: the next run is later
            os.utime(draft, (0, 0))
    before = {path: mtime for path, mtime in kept(project).items() if path in survivors}
    if (project.folder / ".snakemake/locks").exists() and any((project.folder / ".snakemake/locks").iterdir()):
        printed = project.run(*IN_BLOCKS, expect=1)
        assert "It can be removed with the --unlock argument" in printed
        assert "Traceback" not in printed
        project.run("--unlock")
    complete(project, undisturbed, before, record_property)
    assert not list(tmp_path.rglob("*.part"))


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_killed_job_is_told_and_the_others_stay(moment, undisturbed, tmp_path, record_property):
    """Out of memory, say: SIGKILL to a simulation, the first or a later one, held first so that it cannot end before."""
    record_property("bad day", "job")
    project = Project.new(tmp_path)
    nth = random.Random(f"job {moment}").randrange(1, 4)
    met, victim = set(), None
    log = project.folder / "interrupted.log"
    with open(log, "w") as file:
        process = project.start(*IN_BLOCKS, stdout=file)
        while victim is None and process.poll() is None:
            for job in wait_until(lambda: set(jobs_of(project)) - met, process) or ():
                met.add(job)
                if len(met) >= nth and is_held(job):
                    victim = job
                    os.kill(job, signal.SIGKILL)
                    break
        process.wait()
    printed = log.read_text()
    assert victim, f"none of {len(met)} simulations could be held: {printed}"
    assert re.search(r"^failed: simulate tossou2016 .*: died with <Signals.SIGKILL: 9>", printed, re.M)
    assert "Traceback" not in printed
    assert complete(project, undisturbed, kept(project), record_property) >= 1


@pytest.mark.parametrize("moment", MOMENTS)
def test_ctrl_c(moment, undisturbed, tmp_path, record_property):
    """SIGINT: no lock is left, nothing half done either."""
    record_property("bad day", "ctrl-c")
    project = Project.new(tmp_path)
    printed = interrupted(project, f"SIGINT {moment}", ctrl_c)
    # Python's own word, if a job was still starting
    assert "Traceback" not in printed or "KeyboardInterrupt" in printed
    assert printed.count("run the same command to resume") == 1
    assert "failed: " not in printed
    before = {path: mtime for path, mtime in kept(project).items() if booked(project, path)}
    complete(project, undisturbed, before, record_property)


def test_two_at_once_in_one_folder(undisturbed, tmp_path, record_property):
    """The second is refused while the first one runs, and the first one ends as if alone."""
    record_property("bad day", "two at once")
    project = Project.new(tmp_path)
    first = project.start(*IN_BLOCKS)
    try:
        wait_until(lambda: jobs_of(project), first)  # it has its lock by now
        assert is_held(first.pid)  # so that it is there for as long as the second one takes
        printed = project.run(*IN_BLOCKS, expect=1)
    finally:
        os.kill(first.pid, signal.SIGCONT)
    assert first.wait() == 0
    assert "Directory cannot be locked" in printed
    assert "no other Snakemake process" in printed
    assert "Traceback" not in printed
    assert {name: (project.folder / name).read_bytes() for name in undisturbed} == undisturbed


@pytest.fixture
def small_disk(tmp_path):
    """A project whose results are on a disk of 12 kB, with room for two blocks and their logs, which can be made larger."""
    project = Project.new(tmp_path)
    results = tmp_path / "results"
    results.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12k", "none", results], capture_output=True).returncode:
        pytest.skip("mounting a small file system needs root")
    project.remount = lambda options: subprocess.run(["mount", "-o", f"remount,{options}", results], check=True)
    yield project
    subprocess.run(["umount", results], check=True)


def test_a_full_disk(small_disk, undisturbed, record_property):
    record_property("bad day", "full disk")
    printed = small_disk.run(*IN_BLOCKS, expect=1)
    assert re.search(r"^error: results/smoke/.*: No space left on device; finished files are not lost", printed, re.M)
    assert "Traceback" not in printed
    before = kept(small_disk)
    assert 1 <= len(before) < len(BLOCKS)
    for path in before:
        assert path.read_bytes() == undisturbed[str(path.relative_to(small_disk.folder))]
    assert not list(small_disk.folder.rglob("*.part"))
    small_disk.remount("size=10m")
    complete(small_disk, undisturbed, before, record_property)


def test_read_only_results(one_paper, copy, record_property):
    """Another seed asks for what cannot be written: nothing that is there is touched, and the reason is said."""
    record_property("bad day", "read-only")
    project, results = copy, copy.folder / "results"
    if os.getuid() == 0:
        if subprocess.run(["mount", "--bind", results, results], capture_output=True).returncode:
            pytest.skip("making a folder read-only for root needs the right to mount")
        subprocess.run(["mount", "-o", "remount,bind,ro", results], check=True)
    else:
        for folder in [results, *(path for path in results.rglob("*") if path.is_dir())]:
            folder.chmod(0o555)
    try:
        printed = project.run(
            "--config", "scale=smoke", "seed=7", "--", PANEL.replace("smoke", "seed-7/smoke"), expect=1
        )
    finally:
        if os.getuid() == 0:
            subprocess.run(["umount", results], check=True)
    assert re.search("Write-protected output|Read-only file system|Permission denied", printed), printed
    assert "Traceback" not in printed, printed
    assert "results" in printed
    assert project.bytes("results/**/*.npz") == one_paper.bytes("results/**/*.npz")
