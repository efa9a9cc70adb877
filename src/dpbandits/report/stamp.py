"""Metadata that differ from run to run: commit, versions, and computing times."""

import platform
import subprocess
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from dpbandits.errors import costs_in

PACKAGES = ("numpy", "numba", "scipy", "pandas", "matplotlib", "snakemake")


def collect(folder: Path, settings: Mapping[str, Any], logs: Mapping[str, Iterable[Path]]) -> dict[str, Any]:
    """Collect a run's metadata. `folder`: the project's; `logs`: paper -> the logs of its simulations."""
    return {
        "commit": _git(folder, "rev-parse", "HEAD"),
        "changed": bool(_git(folder, "status", "--porcelain", "--untracked-files=no")),
        "settings": dict(settings),
        "versions": {"Python": platform.python_version()} | _versions(),
        "times": {paper: times(files) for paper, files in logs.items()},
    }


def times(files: Iterable[Path]) -> dict[str, float]:
    """The number and the processor seconds of the simulations that ran."""
    jobs = costs_in(files)
    return {"jobs": len(jobs), "cpu_seconds": round(sum(job["cpu_seconds"] for job in jobs), 1)}


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
