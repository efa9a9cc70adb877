"""Requirements of Snakemake and its catalogue: lint, explained settings, modules, storage."""

import re
import shutil
import sys
import venv
from importlib.util import find_spec

import pytest
import yaml
from project import ROOT, SMOKE, Project, run_program

from dpbandits_jobs import TESTED

PANEL = "results/smoke/figures/tossou2016/fig2a.pdf"
JOBS = [
    "draw tossou2016/fig2a",
    "simulate tossou2016 fig2a: together-1, runs 0 to 9",
    "summarise tossou2016 fig2a",
]
WITH_POINTS = (
    "results/smoke/figures/sarkar2025/fig1a.pdf"  # drawn by its authors, at this scale, too
)
MODULE = """
configfile: "config/config.yaml"

module dpbandits:
    snakefile: "{}"
    config: config["dpbandits"]
    {}

use rule * from dpbandits as bandits_*
"""
NESTED = ["--config", "dpbandits={scale: smoke}"]
OWN_RULE = """
rule all:
    message: "the other workflow's own target"
    shell: "true"
"""


def test_snakemakes_linter_finds_only_that_rules_name_no_environment(tmp_path):
    """They name none on purpose: all import the package, whose environment Snakemake runs in.

    A prefix that clones share would run the source of one of them.
    """
    printed = Project.new(tmp_path).run("--lint", expect=1)
    assert {*re.findall(r"^ +\* (.*)", printed, re.MULTILINE)} == {
        "Specify a conda environment or container for each rule.:"
    }
    rules = [ROOT / "workflow/Snakefile", *(ROOT / "workflow/rules").glob("*.smk")]
    named = re.compile(r"^ *(conda|container|containerized|envmodules):", re.MULTILINE)
    assert not any(named.search(file.read_text()) for file in rules)


@pytest.mark.slow
def test_an_older_snakemake_is_refused_by_its_version(tmp_path):
    Project.new(tmp_path)
    program = "import snakemake.common; snakemake.common.__version__ = '9.26.0'\n"
    program += "from snakemake.cli import main; main(['-n'])"
    done = run_program(sys.executable, "-c", program, folder=tmp_path)
    assert done.returncode == 1
    assert f"Expecting Snakemake version {TESTED} or higher" in done.stdout + done.stderr


def test_without_the_snakefile_at_the_top_the_same_runs(tmp_path):
    """As `snakedeploy` and the catalogue use it. All other tests have the one at the top."""
    project = Project.new(tmp_path)
    (tmp_path / "Snakefile").unlink()
    assert project.would_run(*SMOKE, "--", PANEL) == JOBS


def workflow_with_module(folder, option=""):
    """A workflow in this folder that uses ours as a module, after a rule of its own."""
    for part in ("config", "reference"):
        shutil.copytree(ROOT / part, folder / part)
    (folder / "workflow").mkdir()
    settings = yaml.safe_load((folder / "config/config.yaml").read_text())
    content = {"key_of_the_other_workflow": 1, "dpbandits": settings}
    (folder / "config/config.yaml").write_text(yaml.safe_dump(content))
    module = MODULE.format(ROOT / "workflow/Snakefile", option)
    (folder / "workflow/Snakefile").write_text(OWN_RULE + module)
    return Project(folder)


@pytest.mark.slow
def test_another_workflow_can_use_it_as_a_module(tmp_path):
    """With other names of rules and its own configuration. Its first rule stays its default."""
    project = workflow_with_module(tmp_path)
    assert project.would_run() == ["the other workflow's own target"]
    jobs = project.would_run(*NESTED, "--", "bandits_claims", "bandits_checks", PANEL)
    assert {"checks: up to date", "check tossou2016", *JOBS} <= set(jobs)


@pytest.fixture(scope="module")
def panel(tmp_path_factory):
    """The bytes of a panel with the points of its authors, as our own workflow draws it."""
    project = Project.new(tmp_path_factory.mktemp("panel"), papers=["sarkar2025"])
    project.run(*SMOKE, "--", WITH_POINTS)
    return (project.folder / WITH_POINTS).read_bytes()


@pytest.mark.slow
def test_a_module_with_a_prefix_builds_a_panel_with_the_points_of_its_authors(panel, tmp_path):
    """Its outputs are below the prefix, and the points stay where they are."""
    project = workflow_with_module(tmp_path, 'prefix: "x"')
    project.run(*NESTED, "--", f"x/{WITH_POINTS}")
    assert (tmp_path / "x" / WITH_POINTS).read_bytes() == panel
    assert sorted(project.records()[f"x/{WITH_POINTS}"]["input"]) == [
        "reference/published/sarkar2025/fig1a.csv",
        "x/results/smoke/summaries/sarkar2025/fig1a.csv",
    ]
    assert not (tmp_path / "results").exists()
    assert not (tmp_path / "x/reference").exists()


@pytest.mark.slow
@pytest.mark.skipif(
    not (find_spec("snakemake_storage_plugin_fs") and shutil.which("rsync")),
    reason="install snakemake-storage-plugin-fs, and the command rsync",
)
def test_results_can_be_in_a_storage(panel, tmp_path):
    """Kubernetes and clouds need this. Files of the repository stay where they are."""
    (tmp_path / "project").mkdir()
    project = Project.new(tmp_path / "project", papers=["sarkar2025"])
    storage = ["--default-storage-provider", "fs", "--default-storage-prefix", tmp_path / "storage"]
    project.run(*map(str, storage), *SMOKE, "--", WITH_POINTS)
    assert (tmp_path / "storage" / WITH_POINTS).read_bytes() == panel
    assert not (project.folder / "results").exists()
    assert not (tmp_path / "storage/reference").exists()


COMMANDS = ["-n", "--lint", "-n --workflow-profile none", "--cores 1 all"]
EACH_IN_A_FORK = """
import os, sys
from snakemake.cli import main
for command in sys.argv[1:]:
    if not os.fork():
        main(command.split())
    print(os.waitstatus_to_exitcode(os.wait()[1]))
"""


@pytest.mark.slow
def test_without_the_package_one_line_says_what_to_type(tmp_path, monkeypatch):
    """In a Python with everything that is installed here but this package."""
    Project.new(tmp_path)
    venv.create(tmp_path / "bare", with_pip=False, symlinks=True)
    (site,) = tmp_path.glob("bare/lib/python*/site-packages")
    (site / "everything.pth").write_text(
        "\n".join(path for path in sys.path if path.endswith("site-packages"))
    )
    monkeypatch.delenv("PYTHONPATH", raising=False)
    command = [tmp_path / "bare/bin/python", "-c", EACH_IN_A_FORK, *COMMANDS]
    done = run_program(*command, folder=tmp_path)
    lines = [
        line
        for line in done.stderr.splitlines()
        if "specific profile" not in line and "filesystem" not in line
    ]
    assert lines == 4 * [
        "error: this Snakemake's Python has no module 'dpbandits'; type .venv/bin/snakemake, which "
        "`make figures` installs, or activate the environment of environment.yml"
    ]
    assert done.stdout == 4 * "1\n"


def test_every_setting_is_explained():
    """By a comment behind it, or above it."""
    text = (ROOT / "config/config.yaml").read_text()
    explained = re.findall(r"^(?:#.*\n(\w+):|(\w+):.*  # )", text, re.MULTILINE)
    assert ["".join(names) for names in explained] == list(yaml.safe_load(text))
