"""Metadata that differ from run to run: commit, versions, and computing times."""

import csv
import platform
import subprocess
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

PACKAGES = ("numpy", "numba", "scipy", "pandas", "matplotlib", "snakemake")


def collect(folder: Path, settings: Mapping[str, Any], benchmarks: Mapping[str, Iterable[Path]]) -> dict[str, Any]:
    """Collect a run's metadata. `folder`: the project's; `benchmarks`: paper -> Snakemake's benchmark files."""
    return {
        "commit": _git(folder, "rev-parse", "HEAD"),
        "changed": bool(_git(folder, "status", "--porcelain", "--untracked-files=no")),
        "settings": dict(settings),
        "versions": {"Python": platform.python_version()} | _versions(),
        "times": {paper: times(files) for paper, files in benchmarks.items()},
    }


def times(files: Iterable[Path]) -> dict[str, float]:
    """Wall and CPU seconds of the jobs that have benchmark files; of a job that ran twice the last run counts."""
    rows = []
    for path in files:
        if path.exists():
            with open(path, encoding="utf-8", newline="") as file:
                rows += list(csv.DictReader(file, delimiter="\t"))[-1:]

    def total(column: str) -> float:
        return round(sum(float(row[column]) for row in rows if row[column] not in ("-", "NA", "")), 1)

    return {"jobs": len(rows), "wall_s": total("s"), "cpu_s": total("cpu_time")}


def _versions() -> dict[str, str]:
    found = {}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def _git(folder: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=False)
    except OSError:  # no git on this machine
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
