"""What Snakemake's catalogue asks for: workflow/Snakefile, its configuration explained, and use as a module elsewhere."""

import re
import shutil

import yaml
from project import ROOT, SMOKE, Project

PANEL = "results/smoke/figures/tossou2016/fig2a.pdf"
WANTED = ["draw tossou2016 fig2a", "simulate tossou2016 fig2a: together-1, runs 0 to 9", "summarise tossou2016 fig2a"]
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


def test_another_workflow_can_use_it_as_a_module(tmp_path):
    """Under other names for the rules, in another folder, with that folder's configuration."""
    shutil.copytree(ROOT / "config", tmp_path / "config")
    (tmp_path / "workflow").mkdir()
    (tmp_path / "workflow/Snakefile").write_text(MODULE.format(ROOT / "workflow/Snakefile"))
    project = Project(tmp_path)
    jobs = project.would_run(*SMOKE, "--", "bandits_claims", PANEL)
    assert {"all claims are judged", "judge the claims of tossou2016", *WANTED} <= set(jobs)


def test_every_setting_is_explained():
    explained = re.findall(r"^\| `(\w+)` \|", (ROOT / "config/README.md").read_text(), re.MULTILINE)
    assert explained == list(yaml.safe_load((ROOT / "config/config.yaml").read_text()))


def test_the_catalogue_can_read_how_it_is_used():
    usage = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text())["usage"]
    assert set(usage) == {"mandatory-flags", "software-stack-deployment", "report"}
    conda = re.findall(r"^\s+conda:|^conda:", (ROOT / "workflow/Snakefile").read_text(), re.MULTILINE)
    assert usage["software-stack-deployment"]["conda"] is bool(conda)
