"""What Snakemake's catalogue asks for: workflow/Snakefile, its configuration explained, and use as a module elsewhere."""

import os
import re
import shutil
import subprocess
import sys
import venv

import pytest
import yaml
from project import ROOT, SMOKE, Project

PANEL = "results/smoke/figures/tossou2016/fig2a.pdf"
WANTED = [
    "draw tossou2016/fig2a",
    "make the table summaries/tossou2016/fig2a",
    "simulate tossou2016 fig2a: together-1, runs 0 to 9",
]
MODULE = """
configfile: "config/config.yaml"

module dpbandits:
    snakefile: "{}"
    config: config

use rule * from dpbandits as bandits_*
"""


def test_without_the_snakefile_at_the_top_the_same_runs(tmp_path):
    """As `snakedeploy` and the catalogue use it; every other test starts from the one at the top."""
    project = Project.new(tmp_path)
    (tmp_path / "Snakefile").unlink()
    assert project.would_run(*SMOKE, "--", PANEL) == WANTED


OWN_RULE = """
rule all:
    message: "the other workflow's own target"
    shell: "true"
"""


@pytest.mark.slow
def test_another_workflow_can_use_it_as_a_module(tmp_path):
    """Under other names for the rules, in another folder, with that folder's configuration; its first rule stays its default target."""
    shutil.copytree(ROOT / "config", tmp_path / "config")
    (tmp_path / "workflow").mkdir()
    module, project = MODULE.format(ROOT / "workflow/Snakefile"), Project(tmp_path)
    (tmp_path / "workflow/Snakefile").write_text(OWN_RULE + module)
    assert project.would_run(*SMOKE) == ["the other workflow's own target"]
    jobs = project.would_run(*SMOKE, "--", "bandits_claims", PANEL)
    assert {"all of checks is there", "make the table checks/tossou2016", *WANTED} <= set(jobs)


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
def test_without_the_package_one_line_says_what_to_type(tmp_path):
    """In a Python with everything that is installed here but this package, which is installed as a path to its source."""
    Project.new(tmp_path)
    venv.create(tmp_path / "bare", with_pip=False, symlinks=True)
    (site,) = tmp_path.glob("bare/lib/python*/site-packages")
    (site / "everything.pth").write_text(
        "\n".join(path for path in sys.path if path.endswith("site-packages"))
    )
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [tmp_path / "bare/bin/python", "-c", EACH_IN_A_FORK, *COMMANDS]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    lines = [
        line
        for line in done.stderr.splitlines()
        if "specific profile" not in line and "filesystem" not in line
    ]
    assert lines == 4 * [
        "error: this Snakemake's Python has no module 'dpbandits'; type .venv/bin/snakemake, which `make figures` installs, "
        "or activate the environment of environment.yml"
    ]
    assert done.stdout == 4 * "1\n"


def test_every_setting_is_explained():
    """By a comment behind it, or above it."""
    text = (ROOT / "config/config.yaml").read_text()
    explained = re.findall(r"^(?:#.*\n(\w+):|(\w+):.*  # )", text, re.MULTILINE)
    assert ["".join(names) for names in explained] == list(yaml.safe_load(text))


def test_the_catalogue_can_read_how_it_is_used():
    usage = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text())["usage"]
    assert set(usage) == {"mandatory-flags", "software-stack-deployment", "report"}
    conda = re.findall(
        r"^\s+conda:|^conda:", (ROOT / "workflow/Snakefile").read_text(), re.MULTILINE
    )
    assert usage["software-stack-deployment"]["conda"] is bool(conda)
