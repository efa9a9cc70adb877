"""requirements.lock and environment.yml name the same versions, which pyproject.toml allows; other Pythons and an older processor
compute the same numbers."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata

import pytest
import yaml
from packaging.requirements import Requirement
from project import KERNELS, ROOT, SMOKE, Project

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS = PROJECT["project"]["optional-dependencies"]
LIBRARY, OF_EXTRAS, FOR_DOCS = (
    [Requirement(text) for group in groups for text in group]
    for groups in (
        [PROJECT["project"]["dependencies"]],
        EXTRAS.values(),
        PROJECT["dependency-groups"].values(),
    )
)
LOCK, LOCK_FOR_DOCS = ((ROOT / f"requirements{name}.lock").read_text() for name in ("", "-docs"))


def locked(lock):
    return dict(re.findall(r"^([a-z0-9._-]+)==([^ ;\\]+)", lock, re.MULTILINE))


WANTED = {each.name: locked(LOCK).get(each.name) for each in (*LIBRARY, *OF_EXTRAS)}


def test_every_dependency_has_its_reason():
    lines = re.findall(
        r'^  "([^"]+)",? *(#.*)?$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE
    )
    assert [Requirement(name) for name, _ in lines] == [*LIBRARY, *OF_EXTRAS, *FOR_DOCS]
    assert all(len(reason) > 15 for _, reason in lines), [
        name for name, reason in lines if len(reason) <= 15
    ]


@pytest.mark.parametrize(
    ("lock", "wanted", "least"),
    [(LOCK, LIBRARY + OF_EXTRAS, 50), (LOCK_FOR_DOCS, FOR_DOCS, 20)],
    ids=["", "docs"],
)
def test_the_lock_has_allowed_versions_and_a_hash_for_everything_and_no_address(
    lock, wanted, least
):
    assert [
        each.name
        for each in wanted
        if not each.specifier.contains(locked(lock).get(each.name, "0"))
    ] == []
    entries = re.split(
        r"\n(?=[a-z0-9])", lock[lock.index("\n", lock.rindex("# ", 0, 300)) :].strip()
    )
    assert len(entries) == len(re.findall(r"^[a-z0-9._-]+==", lock, re.MULTILINE)) > least
    assert all("--hash=sha256:" in entry for entry in entries)
    assert not re.search("http|--index|--find-links", lock)


def test_a_library_leaves_others_a_choice_and_tools_have_one_version():
    """But of numba one minor version, whose undocumented parts compiled.py uses."""
    assert all(str(each.specifier).startswith("==") for each in OF_EXTRAS + FOR_DOCS)
    for each in LIBRARY:
        least, most = sorted(str(each.specifier).split(","), reverse=True)
        assert least.startswith(">="), each
        assert most.startswith("<"), each
    (numba,) = [each for each in LIBRARY if each.name == "numba"]
    assert not numba.specifier.contains("0.69.0")


def test_environment_yml_agrees():
    listed = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    pins = dict(item.split("=") for item in listed if isinstance(item, str) and "=" in item)
    assert pins.pop("python") == "3.11"
    assert pins == {
        name: version for name, version in WANTED.items() if name != "uv"
    }  # which only resolves the lock


def test_the_rules_have_the_environment_of_environment_yml():
    rules = "".join(file.read_text() for file in (ROOT / "workflow/rules").glob("*.smk"))
    named = {
        (ROOT / "workflow/rules" / path).resolve()
        for path in re.findall(r'conda:\s+"(.+?)"', rules)
    }
    assert named == {(ROOT / "environment.yml").resolve()}


def test_the_package_is_installed_in_its_own_folder_only(tmp_path):
    command = ["sh", ROOT / "workflow/envs/dpbandits.post-deploy.sh"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (
        1,
        "start this in the folder of dpbandits",
    )


def test_the_installed_versions_are_the_locked_ones():
    assert {name: metadata.version(name) for name in WANTED} == WANTED


def test_the_installation_is_consistent():
    done = subprocess.run([sys.executable, "-m", "pip", "check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


COMPARE = """
import dpbandits, dpbandits_jobs.bar
from dpbandits import bernoulli, compare
found = compare(bernoulli(means=[0.9, 0.6]), T=1e3, runs=4, policies={"DP-SE": ("dp_se", {"epsilon": 1})}, cores=1)
found.plot("compare.pdf")
print(dpbandits.__file__, found.table["spent"].unique())
"""


@pytest.mark.slow
def test_a_wheel_works_without_a_checkout(tmp_path):
    for name in ("src", "pyproject.toml", "README.md", "LICENSE"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, tmp_path / name)
    shutil.rmtree(
        tmp_path / "src/dpbandits/__pycache__", ignore_errors=True
    )  # what was compiled here
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run(
        [*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", "made", "."],
        cwd=tmp_path,
        check=True,
    )
    (wheel,) = (tmp_path / "made").iterdir()
    subprocess.run(
        [*pip, "install", "--no-deps", "--target", "site", str(wheel)], cwd=tmp_path, check=True
    )
    assert list((tmp_path / "site/dpbandits/page/templates").iterdir())
    away = tmp_path / "away"
    away.mkdir()
    environment = {
        **os.environ,
        "PYTHONPATH": str(tmp_path / "site"),
        "NUMBA_CACHE_DIR": str(ROOT / KERNELS),
    }
    done = subprocess.run(
        [sys.executable, "-c", COMPARE], cwd=away, env=environment, capture_output=True, text=True
    )
    assert done.stdout.split() == [str(tmp_path / "site/dpbandits/__init__.py"), "[1.]"], (
        done.stderr
    )
    assert (away / "compare.pdf").stat().st_size > 5000


def test_the_citation_has_the_version_and_every_paper():
    assert metadata.version("dpbandits") == PROJECT["project"]["version"]
    assert (
        f'__version__ = "{PROJECT["project"]["version"]}"'
        in (ROOT / "src/dpbandits/__init__.py").read_text()
    )
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["version"] == PROJECT["project"]["version"]
    ours = {
        yaml.safe_load(path.read_text())["title"]
        for path in (ROOT / "config/papers").glob("*.yaml")
    }
    assert len(ours) >= 5
    assert ours <= {paper["title"] for paper in citation["references"]}


def test_the_container_is_installed_from_the_lock_and_needs_no_network_later():
    """What can be checked without a registry: a Python of ours, the lock's installation by make, and no other download."""
    steps = re.findall(
        r"^([A-Z]+) ((?:.*\\\n)*.*)$", (ROOT / "Containerfile").read_text(), re.MULTILINE
    )
    assert re.fullmatch(r"docker\.io/library/python:3\.1[123]-slim", dict(steps)["FROM"])
    runs = [text for word, text in steps if word == "RUN"]
    assert [text.split()[:2] for text in runs if text.startswith("make ")] == [
        ["make", ".venv/.installed"]
    ]
    assert not [text for text in runs if re.search(r"\b(pip|curl|wget)\b", text)]
    makefile = (ROOT / "Makefile").read_text()
    assert re.search(r"^LOCKED := .*--require-hashes$", makefile, re.MULTILINE)
    assert "$(INSTALLED): requirements.lock pyproject.toml | python\n" in makefile
    needed = {
        "requirements.lock",
        "pyproject.toml",
        "Makefile",
        "Snakefile",
        "workflow",
        "src",
        "config",
        "reference",
    }
    ignored = set((ROOT / ".containerignore").read_text().split())
    assert not needed & ignored
    assert ".venv*" in ignored  # one that was made elsewhere does not work in there


@pytest.mark.parametrize(("version", "named", "says"), [("3.9.1", True, "make: .venv has Python 3.9.1, not "), ("3.9.1", False, ""), ("", True, "")])  # fmt: skip
def test_make_does_not_use_another_python_than_the_one_that_is_named(
    version, named, says, tmp_path
):
    """`version`: of the Python that .venv was made with; "" for the named one."""
    for name in ("requirements.lock", "pyproject.toml", "Makefile"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / ".venv/bin").mkdir(parents=True)
    answers = f"echo Python {version}" if version else f'exec {sys.executable} "$@"'
    for program, does in (("python", answers), ("snakemake", "echo started")):
        (tmp_path / ".venv/bin" / program).write_text(f"#!/bin/sh\n{does}\n")
        (tmp_path / ".venv/bin" / program).chmod(0o755)
    (tmp_path / ".venv/.installed").touch()
    environment = {name: value for name, value in os.environ.items() if name != "PYTHON"}
    command = ["make", *([f"PYTHON={sys.executable}"] if named else []), "figures"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (done.returncode == 0, "started\n" in done.stdout) == (not says, not says)
    if says:
        assert done.stderr.startswith(
            f"{says}{sys.executable}; type rm -r .venv, then this command again"
        )


def test_make_clean_leaves_what_git_tracks(tmp_path):
    for name in (
        "gallery/arena.png",
        "tossou2016/fig1.pdf",
        "tossou2016/fig1.png",
        "tossou2016/fig1.svg",
        "README.md",
    ):
        (tmp_path / "figures" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "figures" / name).touch()
    subprocess.run(
        ["make", "-f", ROOT / "Makefile", "clean"], cwd=tmp_path, check=True, capture_output=True
    )
    left = {path.name for path in (tmp_path / "figures").rglob("*.*")}
    assert left == {"arena.png", "README.md"}


# `make pythons` installs the lock for each version that is on the path; those that are not are compared nowhere.
VERSIONS = ("3.11", "3.12", "3.13")
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"
OTHERS = [
    version
    for version in VERSIONS
    if version != HERE and (ROOT / f".venv-{version}/.installed").exists()
]
# Without the instructions that only newer processors have.
OLD = (
    "NUMBA_CPU_NAME=generic",
    "NUMBA_CPU_FEATURES=",
    "NPY_DISABLE_CPU_FEATURES=X86_V3 X86_V4 AVX512_ICL",
)
SUMMARIES = [
    f"summaries/tossou2016/{experiment}.csv" for experiment in ("fig2a", "fig2b", "s-hybrid-a")
]


def python(version):
    return sys.executable if version == HERE else str(ROOT / f".venv-{version}/bin/python")


def test_the_range_is_said_everywhere():
    assert PROJECT["project"]["requires-python"] == ">=3.11,<3.14"
    classified = [
        c.rsplit(" ")[-1]
        for c in PROJECT["project"]["classifiers"]
        if re.search(r"Python :: 3\.\d", c)
    ]
    assert classified == list(VERSIONS)
    assert "Python 3.11 to 3.13" in (ROOT / "README.md").read_text()
    assert "(3, 11) <= sys.version_info < (3, 14)" in (ROOT / "Makefile").read_text()


@pytest.mark.parametrize("version", [HERE, *OTHERS])
def test_the_sources_compile_without_a_warning(version, tmp_path):
    command = [python(version), "-W", "error", "-m", "compileall", "-q", "-f", ROOT / "src"]
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("version", "variables"), [(HERE, OLD), *((version, ()) for version in OTHERS)]
)
def test_the_numbers_are_those_of_the_reference(version, variables, tmp_path):
    project = Project.new(tmp_path, own_source=True)
    project.python = python(version)
    targets = [f"results/smoke/{summary}" for summary in SUMMARIES]
    project.run(*SMOKE, "--", *targets, before=["env", *variables])
    for summary in SUMMARIES:
        made, known = tmp_path / "results/smoke" / summary, ROOT / "reference/smoke" / summary
        assert made.read_bytes() == known.read_bytes()
