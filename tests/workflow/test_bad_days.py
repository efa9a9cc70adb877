"""Kills, full and read-only disks, two runs at once: same bytes, no finished file lost, a message.

An interruption comes while the n-th job is held, so that a failure can be repeated. All
assertions hold at any moment.
"""

import base64
import os
import re
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from project import SMOKE, Project
from workflow.interrupting import BLOCKS, IN_BLOCKS, SLOW, TRACES, is_held, jobs_of, wait_until

pytestmark = pytest.mark.slow


def interrupted(project, number, interrupt, command=IN_BLOCKS):
    """Hold the job of this number, or the next one that can be held, and interrupt it or the run.

    Then let the job go on and wait for the end. Return what the command printed.
    """
    log, met, held = project.folder / "interrupted.log", set(), None
    with open(log, "w") as file:
        variables = SLOW if command is IN_BLOCKS else {}
        process = project.start(*command, stdout=file, variables=variables)
        while held is None and process.poll() is None:
            for job in wait_until(lambda: set(jobs_of(project)) - met, process) or ():
                met.add(job)
                if held is None and len(met) >= number and is_held(job):
                    held = job
        assert held, f"none of {len(met)} jobs could be held: {log.read_text()}"
        interrupt(process, held)
        with suppress(ProcessLookupError):
            os.kill(held, signal.SIGCONT)
        process.wait()
    return log.read_text()


def kept(project):
    """Return the finished traces, with their times."""
    return {
        path: path.stat().st_mtime_ns
        for path in project.folder.glob("results/smoke/traces/**/[0-9]*.npz")
    }


def booked(project, path):
    """Return whether the file is finished for Snakemake, and not one of its incomplete files."""
    name = base64.urlsafe_b64encode(str(path.relative_to(project.folder)).encode()).decode()
    return not (project.folder / ".snakemake/incomplete" / name).exists()


def kill_all(process, job):
    os.killpg(process.pid, signal.SIGKILL)


def kill_snakemake(process, job):
    os.kill(process.pid, signal.SIGKILL)


def kill_job(process, job):
    os.kill(job, signal.SIGKILL)


def ctrl_c(process, job):
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to Snakemake and to its jobs


def complete(project, undisturbed, before):
    """Run the command again: same bytes, finished files stay. Return how many jobs simulate."""
    project.run(*IN_BLOCKS)
    simulated = len([job for job in project.last_jobs() if job.startswith("simulate")])
    assert {name: (project.folder / name).read_bytes() for name in undisturbed} == undisturbed
    assert len(kept(project)) == len(BLOCKS)
    again = [path for path, mtime in before.items() if path.stat().st_mtime_ns != mtime]
    assert again == []
    assert simulated == len(BLOCKS) - len(before)
    return simulated


@pytest.mark.parametrize(("kill", "number"), [(kill_all, 1), (kill_all, 3), (kill_snakemake, 2)])
def test_killed(kill, number, undisturbed, tmp_path):
    """SIGKILL to everything, as when the power fails, or to Snakemake alone, whose jobs live on."""
    project = Project.new(tmp_path)
    interrupted(project, number, kill)
    survivors = [path for path in kept(project) if booked(project, path)]
    if kill is kill_all:  # a file system may leave a part of a file, under either name
        for name in BLOCKS:
            half = project.folder / TRACES / name
            if not booked(project, half) and not half.exists():
                half.write_bytes(undisturbed[f"{TRACES}/{name}"][:2000])
                half.with_name(f".{name}.1.part").touch()
        for draft in tmp_path.rglob("*.part"):  # real drafts, too, since the next run is later
            os.utime(draft, (0, 0))
    before = {path: mtime for path, mtime in kept(project).items() if path in survivors}
    if list(project.folder.glob(".snakemake/locks/*")):
        printed = project.run(*IN_BLOCKS, expect=1)
        assert "It can be removed with the --unlock argument" in printed
        project.run("--unlock")
    complete(project, undisturbed, before)
    assert not list(tmp_path.rglob("*.part"))


def test_a_killed_job_is_told_and_the_others_stay(undisturbed, tmp_path):
    """SIGKILL to a simulation, for example because memory is full."""
    project = Project.new(tmp_path)
    printed = interrupted(project, 3, kill_job)
    assert re.search(
        r"^failed: simulate: died with <Signals.SIGKILL: 9>.* \(log: .*/tossou2016/", printed, re.M
    )
    assert "Traceback" not in printed
    assert complete(project, undisturbed, kept(project)) >= 1


@pytest.mark.parametrize("target", ["audits/tossou2016/1.csv", "page/index.html"])
def test_a_killed_table_or_page_is_made_again(target, copy):
    """No part of a file has its final name, and the same command gives the same bytes."""
    path = copy.folder / "results/smoke" / target
    command, whole = [*SMOKE, "--", f"results/smoke/{target}"], path.read_bytes()
    path.unlink()
    printed = interrupted(copy, 1, kill_job, command)
    assert "died with <Signals.SIGKILL: 9>" in printed
    assert "Traceback" not in printed
    assert not path.exists()
    copy.run(*command)
    assert path.read_bytes() == whole


def test_ctrl_c(undisturbed, tmp_path):
    """SIGINT leaves no lock and no part of a file."""
    project = Project.new(tmp_path)
    printed = interrupted(project, 2, ctrl_c)
    # Python's own word, if a job was still starting
    assert "Traceback" not in printed or "KeyboardInterrupt" in printed
    assert printed.count("run the same command to resume") == 1
    assert "failed: " not in printed
    before = {path: mtime for path, mtime in kept(project).items() if booked(project, path)}
    complete(project, undisturbed, before)


def test_two_at_once_in_one_folder(undisturbed, tmp_path):
    """The second is refused while the first one runs, and the first one ends as if alone.

    Its jobs are forks, which share their imports.
    """
    project = Project.new(tmp_path)
    first = project.start(*IN_BLOCKS, variables=SLOW)
    try:
        job, *_ = wait_until(lambda: jobs_of(project), first)  # it has its lock by now
        assert b"forkserver" in Path(f"/proc/{job}/cmdline").read_bytes()
        assert is_held(first.pid)  # so that it is there for as long as the second one takes
        printed = project.run(*IN_BLOCKS, expect=1)
    finally:
        os.kill(first.pid, signal.SIGCONT)
    assert first.wait() == 0
    assert "Directory cannot be locked" in printed
    assert "no other Snakemake process" in printed
    assert {name: (project.folder / name).read_bytes() for name in undisturbed} == undisturbed


@pytest.fixture
def small_disk(tmp_path):
    """A project with its results on a disk of 12 kB, for two blocks and their logs."""
    project = Project.new(tmp_path)
    results = tmp_path / "results"
    results.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=12k", "none", results], capture_output=True
    ).returncode:
        pytest.skip("mounting a small file system needs root")
    project.remount = lambda options: subprocess.run(
        ["mount", "-o", f"remount,{options}", results], check=True
    )
    yield project
    subprocess.run(["umount", results], check=True)


def test_a_full_disk(small_disk, undisturbed):
    printed = small_disk.run(*IN_BLOCKS, expect=1)
    assert re.search(
        r"^error: results/smoke/.*: No space left on device; finished files are not lost",
        printed,
        re.M,
    )
    before = kept(small_disk)
    assert 1 <= len(before) < len(BLOCKS)
    for path in before:
        assert path.read_bytes() == undisturbed[str(path.relative_to(small_disk.folder))]
    assert not list(small_disk.folder.rglob("*.part"))
    small_disk.remount("size=10m")
    complete(small_disk, undisturbed, before)


def test_a_read_only_folder(tmp_path):
    """Without a traceback, which `run` would find."""
    project = Project.new(tmp_path)
    if subprocess.run(["mount", "--bind", tmp_path, tmp_path], capture_output=True).returncode:
        pytest.skip("a mount needs root")
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", tmp_path], check=True)
        printed = project.run(*SMOKE, expect=1)
    finally:
        subprocess.run(["umount", tmp_path], check=True)
    assert f"{tmp_path}: this folder is read-only; copy it to a place" in printed


def test_read_only_results(small_disk):
    small_disk.remount("ro")
    printed = small_disk.run(*IN_BLOCKS, expect=1)
    assert re.search("results.*Read-only file system|Read-only file system.*results", printed)
