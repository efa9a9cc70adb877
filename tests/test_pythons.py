"""Other versions of Python that pyproject.toml allows: the sources compile, and the numbers are those of the reference.

`make test-slow` installs requirements.lock for each version that it finds, into .venv-3.12 and so on. Without such an
environment the numbers are not compared, and the reason is reported.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from project import ROOT, SMOKE, Project

VERSIONS = ("3.11", "3.12", "3.13")
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"
SUMMARIES = [f"summaries/tossou2016/{experiment}.csv" for experiment in ("fig2a", "fig2b", "s-hybrid-a")]
COMPILE = """
import pathlib, sys, warnings
warnings.simplefilter("error")
for path in pathlib.Path(sys.argv[1]).rglob("*.py"):
    compile(path.read_text(encoding="utf-8"), str(path), "exec")
print("compiled", sys.version.split()[0])
"""


def interpreter(version):
    """A Python of this series: on the path, or among pyenv's or uv's; None if there is none that starts."""
    homes = [
        Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions",
        Path.home() / ".local/share/uv/python",
    ]
    candidates = [shutil.which(f"python{version}")]
    candidates += [path for home in homes for path in sorted(home.glob(f"*{version}.*/bin/python3"))]
    for path in filter(None, candidates):
        done = subprocess.run([path, "--version"], capture_output=True, text=True)
        if done.stdout.startswith(f"Python {version}."):
            return str(path)
    return None


def test_the_range_is_said_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["requires-python"] == ">=3.11,<3.14"
    classified = [c.rsplit(" ")[-1] for c in project["classifiers"] if re.search(r"Python :: 3\.\d", c)]
    assert classified == list(VERSIONS)
    for page in ("README.md", "ARTIFACT.md"):
        assert "Python 3.11 to 3.13" in (ROOT / page).read_text()
    assert "(3, 11) <= sys.version_info < (3, 14)" in (ROOT / "Makefile").read_text()


@pytest.mark.parametrize("version", VERSIONS)
def test_the_sources_compile_without_a_warning(version):
    python = interpreter(version)
    if python is None:
        pytest.skip(f"no Python {version} was found on the path, in pyenv or in uv")
    done = subprocess.run([python, "-c", COMPILE, ROOT / "src"], capture_output=True, text=True)
    assert done.stdout.startswith(f"compiled {version}."), done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("version", [version for version in VERSIONS if version != HERE])
def test_the_numbers_are_those_of_the_reference(version, tmp_path):
    if not (ROOT / f".venv-{version}/.installed").exists():
        pytest.skip(f"no .venv-{version}: `make test-slow` installs it, if there is a Python {version}")
    project = Project.new(tmp_path, own_source=True)
    project.python = str(ROOT / f".venv-{version}/bin/python")
    project.run(*SMOKE, "--", *(f"results/smoke/{summary}" for summary in SUMMARIES))
    for summary in SUMMARIES:
        assert (tmp_path / "results/smoke" / summary).read_bytes() == (ROOT / "reference/smoke" / summary).read_bytes()
