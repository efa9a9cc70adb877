"""docs/method.md shows the rules as Snakemake prints them, and explains each."""

import re
import shlex

import yaml
from project import PAPERS, ROOT, SMOKE, Project

SECTION = (ROOT / "docs/method.md").read_text().partition("\n## Words\n")[0]
COMMAND, PICTURE = re.search(
    r"```\nsnakemake (--rulegraph .*?)```\n+```mermaid\n(.*?)```", SECTION, re.DOTALL
).groups()


def graph(picture):
    """The names of the rules and the edges between them. Their order depends on the run."""
    names = dict(re.findall(r"^\s*(id\d+)\[(\w+)\]$", picture, re.MULTILINE))
    edges = re.findall(r"^\s*(id\d+) --> (id\d+)$", picture, re.MULTILINE)
    return set(names.values()), {(names[used], names[user]) for used, user in edges}


def test_the_picture_is_what_snakemake_prints(tmp_path):
    project = Project.new(tmp_path, papers=PAPERS)
    printed = project.run(*shlex.split(COMMAND.replace("\\\n", " ")))
    rules, edges = graph(PICTURE)
    assert len(rules) > 5
    assert graph(printed) == (rules, edges)


def test_the_page_and_figures_declare_the_replays_of_guests_which_they_read(tmp_path):
    project = Project.new(tmp_path)
    guest = "guests: {mine: {label: Mine, algorithm: ucb}}"
    project.edit("config/config.yaml", "guests: {}", guest)
    _, edges = graph(project.run("--rulegraph", "mermaid-js", *SMOKE, "--", "page"))
    assert {("replay_guest", rule) for rule in ("page", "draw", "account")} < edges


def test_every_rule_is_explained():
    files = sorted((ROOT / "workflow/rules").glob("*.smk"))
    rules = [rule for file in files for rule in re.findall(r"^rule (\w+):", file.read_text(), re.M)]
    assert len(rules) > 10
    assert [rule for rule in rules if f"`{rule}`" not in SECTION] == []


def test_a_cluster_gets_the_jobs_of_those_rules_that_its_profile_groups():
    """A rule with a script that is not local is submitted, each job alone if it has no group."""
    text = "\n".join(file.read_text() for file in (ROOT / "workflow/rules").glob("*.smk"))
    rules = re.split(r"^ *rule *(?=\w*:\n)", text, flags=re.MULTILINE)[1:]
    submitted = {
        rule.partition(":")[0] for rule in rules if "script:" in rule and "localrule:" not in rule
    }
    profile = yaml.safe_load((ROOT / "profiles/slurm/config.yaml").read_text())
    assert len(rules) > 10
    assert submitted == profile["groups"].keys() == {"simulate", "audit_part"}
    assert profile["group-components"].keys() == {*profile["groups"].values()}
