"""Other versions of Python that pyproject.toml allows, and an older processor: the numbers are those of the reference.

`make pythons` installs requirements.lock for each version that is on the path, into .venv-3.12 and so on, and names the others:
those are compared nowhere, and no test claims to.
"""

import re
import subprocess
import sys
import tomllib

import pytest
from project import ROOT, SMOKE, Project

VERSIONS = ("3.11", "3.12", "3.13")
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"
OTHERS = [version for version in VERSIONS if version != HERE and (ROOT / f".venv-{version}/.installed").exists()]
# Without the instructions that only newer processors have.
OLD = ("NUMBA_CPU_NAME=generic", "NUMBA_CPU_FEATURES=", "NPY_DISABLE_CPU_FEATURES=X86_V3 X86_V4 AVX512_ICL")
SUMMARIES = [f"summaries/tossou2016/{experiment}.csv" for experiment in ("fig2a", "fig2b", "s-hybrid-a")]
COMPILE = """
import pathlib, sys, warnings
warnings.simplefilter("error")
for path in pathlib.Path(sys.argv[1]).rglob("*.py"):
    compile(path.read_text(encoding="utf-8"), str(path), "exec")
print("compiled", sys.version.split()[0])
"""


def python(version):
    return sys.executable if version == HERE else str(ROOT / f".venv-{version}/bin/python")


def test_the_range_is_said_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["requires-python"] == ">=3.11,<3.14"
    classified = [c.rsplit(" ")[-1] for c in project["classifiers"] if re.search(r"Python :: 3\.\d", c)]
    assert classified == list(VERSIONS)
    assert "Python 3.11 to 3.13" in (ROOT / "README.md").read_text()
    assert "(3, 11) <= sys.version_info < (3, 14)" in (ROOT / "Makefile").read_text()


@pytest.mark.parametrize("version", [HERE, *OTHERS])
def test_the_sources_compile_without_a_warning(version):
    done = subprocess.run([python(version), "-c", COMPILE, ROOT / "src"], capture_output=True, text=True)
    assert done.stdout.startswith(f"compiled {version}."), done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("version", "variables"), [(HERE, OLD), *((version, ()) for version in OTHERS)])
def test_the_numbers_are_those_of_the_reference(version, variables, tmp_path):
    project = Project.new(tmp_path, own_source=True)
    project.python = python(version)
    targets = [f"results/smoke/{summary}" for summary in SUMMARIES]
    project.run(*SMOKE, "--", *targets, before=["env", *variables])
    for summary in SUMMARIES:
        made, known = tmp_path / "results/smoke" / summary, ROOT / "reference/smoke" / summary
        assert made.read_bytes() == known.read_bytes()
