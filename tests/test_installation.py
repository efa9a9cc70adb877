"""Locked versions agree, and other Pythons and an older processor compute the same numbers."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from project import KERNELS, ROOT, SMOKE, Project

import dpbandits

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
    assert [name for name, reason in lines if len(reason) <= 15] == []


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
    """But of numba one minor version, whose undocumented parts numba_internals.py uses."""
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


def test_the_rules_name_no_environment_of_their_own():
    """A prefix that clones share would run the source of one of them."""
    rules = (ROOT / "Snakefile", *(ROOT / "workflow").rglob("*.smk"), ROOT / "workflow/Snakefile")
    named = re.compile(r"^ *(conda|container|containerized|envmodules):", re.MULTILINE)
    assert [file.name for file in rules if named.search(file.read_text())] == []
    usage = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text())["usage"]
    assert set(usage) == {"mandatory-flags", "software-stack-deployment", "report"}
    assert set(usage["software-stack-deployment"].values()) == {False}


def test_an_environment_of_conda_belongs_to_one_clone():
    """It has no name that clones would share, and git ignores its folder."""
    text = (ROOT / "environment.yml").read_text()
    assert set(yaml.safe_load(text)) == {"channels", "dependencies"}
    create, activate, install, _ = re.findall(r"^#   (.+)$", text, re.MULTILINE)
    prefix = "./.venv-conda"
    assert create == f"conda env create --prefix {prefix} --file environment.yml"
    assert activate == f"conda activate {prefix}"
    assert install == "pip install --no-deps --no-build-isolation --editable ."
    assert f"{prefix[2:]}/bin/python" in MADE_IN_A_CLONE


def test_the_installed_versions_are_the_locked_ones():
    assert {name: metadata.version(name) for name in WANTED} == WANTED


def test_the_installation_is_consistent():
    done = subprocess.run([sys.executable, "-m", "pip", "check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


COMPARE = """
import dpbandits, dpbandits_jobs.bar
from dpbandits import Bernoulli, compare
from dpbandits.policies import DPSE
result = compare([DPSE(epsilon=1)], on=Bernoulli([0.9, 0.6]), horizon=1e3, n_runs=4)
result.plot("compare.pdf")
print(dpbandits.__file__, *result.privacy["spent"])
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
    for name in ("py.typed", "references.bib"):
        assert (tmp_path / "site/dpbandits" / name).exists()
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
    assert done.stdout.split() == [str(tmp_path / "site/dpbandits/__init__.py"), "1.0"], done.stderr
    assert (away / "compare.pdf").stat().st_size > 5000


def test_the_citation_has_the_version_and_every_paper():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["version"] == dpbandits.__version__ == metadata.version("dpbandits")
    ours = {
        yaml.safe_load(path.read_text())["title"]
        for path in (ROOT / "config/papers").glob("*.yaml")
    }
    assert len(ours) >= 5
    assert ours <= {paper["title"] for paper in citation["references"]}


def ignored(file, paths, folder):
    """The paths that .gitignore or .dockerignore leaves out. Docker's patterns begin at the top."""
    rules = (ROOT / file).read_text()
    if file == ".dockerignore":
        rules = re.sub(r"^(!?)(?=[.\w])", r"\1/", rules, flags=re.MULTILINE)
    subprocess.run(["git", "init", "--quiet", folder], check=True)
    (folder / ".gitignore").write_text(rules)
    command = ["git", "-c", "core.excludesFile=", "check-ignore", "--no-index", "--stdin"]
    done = subprocess.run(
        command, cwd=folder, input="\n".join(paths), capture_output=True, text=True
    )
    return done.stdout.split()


MADE_IN_A_CLONE = [
    ".venv/bin/python",
    ".venv-conda/bin/python",
    ".venv-docs/.installed",
    ".snakemake/metadata/a",
    "results/paper/claims.csv",
    "figures/azize2022/fig5d.pdf",
    "figures/azize2022/fig5d.png",
    "site/index.html",
    "src/dpbandits/__pycache__/kernels/a.nbc",
    "src/dpbandits.egg-info/PKG-INFO",
]


@pytest.mark.parametrize("file", [".dockerignore", ".gitignore"])
def test_an_image_gets_what_git_tracks_and_nothing_that_a_clone_made(file, tmp_path):
    """Docker and Podman read these names. Podman's own names would have precedence there."""
    assert [path.name for path in ROOT.glob("*ontainer*")] == []
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    paths = tracked.stdout.split()
    assert len(paths) > 300
    assert ignored(file, [*paths, *MADE_IN_A_CLONE], tmp_path) == MADE_IN_A_CLONE


def test_an_image_keeps_its_environment_outside_the_mounted_folder():
    """Its header mounts a clone at the working directory. No registry is needed."""
    text = (ROOT / "Dockerfile").read_text()
    steps = re.findall(r"^([A-Z]+) ((?:.*\\\n)*.*)$", text, re.MULTILINE)
    single = dict(steps)
    assert re.fullmatch(r"docker\.io/library/python:3\.1[123]-slim", single["FROM"])
    (environment,) = re.findall(r"python -m venv (\S+)", text)
    folder = single["WORKDIR"]
    assert not Path(environment).is_relative_to(folder)
    assert f"PATH={environment}/bin:" in text
    (lock, package) = [text for word, text in steps if word == "RUN"]
    assert re.search(r"pip install .*--require-hashes --requirement /tmp/requirements\.lock", lock)
    assert re.search(r"pip install .*--no-deps --no-build-isolation --editable \.", package)
    assert f'"$PWD:{folder}"' in text


@pytest.mark.parametrize(
    ("version", "named", "says"),
    [
        ("3.9.1", True, "make: .venv has Python 3.9.1, not "),
        ("3.9.1", False, ""),
        ("", True, ""),
    ],
)
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


# `make pythons` installs the lock for each version that is on the path.
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
