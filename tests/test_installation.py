"""Locked versions, metadata and images agree; other Pythons and processors compute the same."""

import json
import re
import shutil
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from project import KERNELS, ROOT, SMOKE, Project, run_program, study_of

import dpbandits
from dpbandits import publish

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
OF_LIBRARY = [*map(Requirement, PROJECT["project"]["dependencies"])]
OF_EXTRAS, FOR_DOCS = (
    [Requirement(text) for group in groups.values() for text in group]
    for groups in (PROJECT["project"]["optional-dependencies"], PROJECT["dependency-groups"])
)
LOCK, LOCK_FOR_DOCS = ((ROOT / f"requirements{name}.lock").read_text() for name in ("", "-docs"))


def loaded(name):
    """A YAML file of the repository."""
    return yaml.safe_load((ROOT / name).read_text())


def locked(lock):
    return dict(re.findall(r"^([a-z0-9._-]+)==([^ ;\\]+)", lock, re.MULTILINE))


WANTED = {each.name: locked(LOCK).get(each.name) for each in (*OF_LIBRARY, *OF_EXTRAS)}


@pytest.mark.parametrize(
    ("lock", "wanted", "least"),
    [(LOCK, OF_LIBRARY + OF_EXTRAS, 50), (LOCK_FOR_DOCS, FOR_DOCS, 20)],
    ids=["", "docs"],
)
def test_the_lock_has_allowed_versions_and_a_hash_for_everything_and_no_address(
    lock, wanted, least
):
    versions = locked(lock)
    assert [x.name for x in wanted if not x.specifier.contains(versions.get(x.name, "0"))] == []
    entries = re.findall(r"^[a-z0-9._-]+==", lock, re.MULTILINE)
    hashed = re.findall(r"^[a-z0-9._-]+==.*\\\n    --hash=sha256:", lock, re.MULTILINE)
    assert least < len(versions) <= len(entries) == len(hashed)
    assert not re.search("http|--index|--find-links", lock)


def test_installed_versions_are_the_locked_ones_also_those_of_conda():
    assert {name: metadata.version(name) for name in WANTED} == WANTED
    done = run_program(sys.executable, "-m", "pip", "check")
    assert done.returncode == 0, done.stdout
    conda = loaded("environment.yml")
    assert {*conda} == {"channels", "dependencies"}  # no name that clones would share
    pins = dict(each.split("=") for each in conda["dependencies"] if "=" in each)
    # uv only resolves the lock.
    assert pins == {"python": "3.11"} | {n: v for n, v in WANTED.items() if n != "uv"}


def test_a_library_leaves_others_a_choice_and_tools_have_one_version():
    """But of numba one minor version, whose undocumented parts numba_internals.py uses."""
    assert all(str(each.specifier).startswith("==") for each in OF_EXTRAS + FOR_DOCS)
    (numba,) = [each for each in OF_LIBRARY if each.name == "numba"]
    assert not numba.specifier.contains("0.69.0")


def test_citation_metadata_and_tests_agree():
    """And tests run on every supported Python."""
    citation, zenodo = loaded("CITATION.cff"), json.loads((ROOT / ".zenodo.json").read_text())
    same = {"title": "title", "version": "version", "keywords": "keywords"}
    same |= {"creators": "authors", "description": "abstract", "upload_type": "type"}
    of_zenodo = {key: citation[name] for key, name in same.items()}
    assert zenodo == of_zenodo | {"license": {"id": citation["license"]}}
    assert citation["license"] == PROJECT["project"]["license"]
    assert citation["version"] == dpbandits.__version__ == metadata.version("dpbandits")
    papers = [path.stem for path in (ROOT / "config/papers").glob("*.yaml")]
    titles = {paper["title"] for paper in citation["references"]}
    assert {study_of(paper).title for paper in papers} <= titles
    names = {path.stem: path for path in ROOT.glob(".github/w*/*.yml")}
    assert {*publish.BADGES} < {*names}
    pythons = loaded(names["tests"])["jobs"]["tests"]["strategy"]["matrix"]["python"]
    classified = [f"Programming Language :: Python :: {each}" for each in pythons]
    assert classified == PROJECT["project"]["classifiers"]
    assert tuple(pythons) == VERSIONS
    assert PROJECT["project"]["requires-python"] == ">=3.11,<3.14"


@pytest.mark.parametrize("repository", ["", "https://example.org/a/b"])
def test_badges_need_the_repository(repository):
    badges = publish.badges(repository)
    assert badges.count(f"({repository}/actions/workflows/") == (4 if repository else 0)


def test_an_algorithm_from_the_form_becomes_a_guest(tmp_path):
    project = Project.new(tmp_path, own_source=True)
    module = (ROOT / "docs/examples/greedy_compiled.py").read_text()
    answers = {
        "Name": "Greedy ({epsilon:g})",
        "Parameters": "_No response_",  # of an empty field
        "Module": f"```python\n{module}```",
    }
    form = loaded(".github/ISSUE_TEMPLATE/algorithm.yml")["body"]
    labels = filter(None, (part["attributes"].get("label") for part in form))
    issue = "\n\n".join(f"### {label}\n\n{answers.get(label, 'x')}" for label in labels)

    def submit(issue):
        command = [sys.executable, ROOT / ".github/algorithm.py"]
        variables = {"BODY": issue.replace("\n", "\r\n")}
        return run_program(*command, folder=tmp_path, variables=variables)

    assert "the issue lacks" in submit(issue.replace("### Module", "### Code")).stderr
    assert submit(issue).returncode == 0
    assert (tmp_path / "config/submitted_policy.py").read_text() == module
    guests = yaml.safe_load((tmp_path / "config/config.yaml").read_text())["guests"]
    assert guests == {"submitted": {"label": answers["Name"], "algorithm": "submitted_policy"}}
    commands = next(ROOT.glob(".github/w*/algorithm.yml")).read_text()
    targets = re.findall("scale=smoke -- (.*)", commands)
    assert len(targets) == 2
    assert project.would_run(*SMOKE, "--", *targets)


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
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    compiled = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=compiled)

    def pip(*words):
        pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
        assert run_program(*pip, *words, folder=tmp_path).returncode == 0

    pip("wheel", "--no-deps", "--no-build-isolation", "-w", "made", ".")
    (wheel,) = (tmp_path / "made").iterdir()
    pip("install", "--no-deps", "--target", "site", wheel)
    package, away = tmp_path / "site/dpbandits", tmp_path / "away"
    assert [*(package / "page/templates").iterdir()]
    data = ("py.typed", "references.bib", "figures/data/looks.csv")
    assert all((package / name).exists() for name in data)
    away.mkdir()
    paths = {"PYTHONPATH": str(package.parent), "NUMBA_CACHE_DIR": str(ROOT / KERNELS)}
    done = run_program(sys.executable, "-c", COMPARE, folder=away, variables=paths)
    assert done.stdout.split() == [str(package / "__init__.py"), "1.0"], done.stderr
    assert (away / "compare.pdf").stat().st_size > 5000


MADE_IN_A_CLONE = [
    *(f"{name}/bin/python" for name in (".venv", ".venv-conda", ".venv-docs")),
    *(f"figures/azize2022/fig5d.{kind}" for kind in ("pdf", "png")),
    "results/paper/claims.csv",
    "site/index.html",
    ".snakemake/metadata/a",
    "src/dpbandits/__pycache__/kernels/a.nbc",
    "src/dpbandits.egg-info/PKG-INFO",
]


@pytest.mark.parametrize("file", [".dockerignore", ".gitignore"])
def test_an_image_gets_what_git_tracks_and_nothing_that_a_clone_made(file, tmp_path):
    """Docker and Podman read these names. Podman's own names would have precedence there."""
    assert [path.name for path in ROOT.glob("*ontainer*")] == []
    rules = (ROOT / file).read_text()
    if file == ".dockerignore":  # whose patterns begin at the top
        rules = re.sub(r"^(!?)(?=[.\w])", r"\1/", rules, flags=re.MULTILINE)
    (tmp_path / ".gitignore").write_text(rules)

    run_program("git", "init", "--quiet", folder=tmp_path)
    tracked = run_program("git", "ls-files").stdout.split()
    assert len(tracked) > 300
    paths = "\n".join([*tracked, *MADE_IN_A_CLONE])
    check = ("git", "-c", "core.excludesFile=", "check-ignore", "--no-index", "--stdin")
    ignored = run_program(*check, folder=tmp_path, input=paths).stdout.split()
    assert ignored == MADE_IN_A_CLONE


def test_an_image_keeps_its_environment_outside_the_mounted_folder():
    """Its header mounts a clone at the working directory."""
    text = (ROOT / "Dockerfile").read_text()
    (folder,), (environment,) = (
        re.findall(pattern, text, re.MULTILINE)
        for pattern in (r"^WORKDIR (.+)$", r"python -m venv (\S+)")
    )
    assert not Path(environment).is_relative_to(folder)
    assert f"PATH={environment}/bin:" in text
    assert f'"$PWD:{folder}"' in text
    assert "--require-hashes --requirement /tmp/requirements.lock" in text


@pytest.mark.parametrize(
    ("version", "named", "is_refused"),
    [("3.9.1", True, True), ("3.9.1", False, False), ("", True, False)],
)
def test_make_does_not_use_another_python_than_the_one_that_is_named(
    version, named, is_refused, tmp_path, monkeypatch
):
    """`version`: of the Python that .venv was made with; "" for the named one."""
    monkeypatch.delenv("PYTHON", raising=False)
    for name in ("requirements.lock", "pyproject.toml", "Makefile"):
        shutil.copy(ROOT / name, tmp_path)
    (programs := tmp_path / ".venv/bin").mkdir(parents=True)
    answers = f"echo Python {version}" if version else f'exec {sys.executable} "$@"'
    for program, does in (("python", answers), ("snakemake", "echo started")):
        (programs / program).write_text(f"#!/bin/sh\n{does}\n")
        (programs / program).chmod(0o755)
    (tmp_path / ".venv/.installed").touch()
    python = [f"PYTHON={sys.executable}"] if named else []
    done = run_program("make", *python, "figures", folder=tmp_path)
    assert (done.returncode != 0) == is_refused == ("started\n" not in done.stdout)
    says = f"make: .venv has Python 3.9.1, not {sys.executable}; type rm -r .venv, then this"
    assert done.stderr.startswith(says) == is_refused


def test_make_clean_leaves_what_git_tracks(tmp_path):
    names = ["gallery/arena.png", *(f"tossou2016/fig1.{kind}" for kind in ("pdf", "png", "svg"))]
    for name in (*names, "README.md"):
        (tmp_path / "figures" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "figures" / name).touch()
    assert run_program("make", "-f", ROOT / "Makefile", "clean", folder=tmp_path).returncode == 0
    left = {path.name for path in (tmp_path / "figures").rglob("*.*")}
    assert left == {"arena.png", "README.md"}


# `make pythons` installs the lock for each version that is on the path.
VERSIONS = ("3.11", "3.12", "3.13")
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"
OTHERS = [v for v in VERSIONS if v != HERE and (ROOT / f".venv-{v}/.installed").exists()]
# Without the instructions that only newer processors have.
OLD = (
    "NUMBA_CPU_NAME=generic",
    "NUMBA_CPU_FEATURES=",
    "NPY_DISABLE_CPU_FEATURES=X86_V3 X86_V4 AVX512_ICL",
)
SUMMARIES = [f"summaries/tossou2016/{name}.csv" for name in ("fig2a", "fig2b", "s-hybrid-a")]


def python(version):
    return sys.executable if version == HERE else str(ROOT / f".venv-{version}/bin/python")


@pytest.mark.parametrize("version", [HERE, *OTHERS])
def test_the_sources_compile_without_a_warning(version, tmp_path):
    command = [python(version), "-W", "error", "-m", "compileall", "-q", "-f", ROOT / "src"]
    done = run_program(*command, variables={"PYTHONPYCACHEPREFIX": str(tmp_path)})
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
