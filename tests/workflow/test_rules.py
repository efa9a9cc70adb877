"""The picture of the rules in docs/ is that of the workflow."""

import re
import subprocess
import sys

from project import ROOT, Project

GRAPH = """digraph snakemake_dag {
    0[label = "all", color = "0.02 0.6 0.85", style="rounded"];
    1[label = "draw", color = "0.19 0.6 0.85", style="rounded"];
    2[label = "run", color = "0.51 0.6 0.85", style="rounded"];
    3[label = "check", color = "0.51 0.6 0.85", style="rounded"];
    1 -> 0
    2 -> 0
    2 -> 1
    3 -> 0
}"""


def picture_of_rules(graph):
    return subprocess.run(
        [sys.executable, "docs/rules.py"], cwd=ROOT, input=graph, capture_output=True, text=True, check=True
    ).stdout


def test_a_picture_of_rules_leaves_out_the_arrows_that_follow():
    """From left to right: run, then draw and check, then all."""
    boxes = re.findall(r'<rect x="(\d+)" y="([\d.]+)".*?<text.*?>(\w+)</text>', picture_of_rules(GRAPH))
    across = {name: int(x) for x, _, name in boxes}
    assert across["run"] < across["draw"] == across["check"] < across["all"]
    assert len({(x, y) for x, y, _ in boxes}) == len(boxes) == 4
    assert picture_of_rules(GRAPH).count("marker-end") == 3


def test_the_picture_is_up_to_date():
    graph = Project(ROOT).run("--rulegraph", "dot")
    assert (ROOT / "docs/rules.svg").read_text() == picture_of_rules(graph), "make docs"


def test_a_rule_that_is_made_of_another_has_its_imports_and_its_estimate():
    rules = {path.name: path.read_text() for path in (ROOT / "workflow/rules").glob("*.smk")}
    made = [pair for text in rules.values() for pair in re.findall(r"use rule (\w+) as (\w+)", text)]
    imports = dict(re.findall(r'"(\w+)": "(dpbandits_jobs\.\w+)"', rules["jobs.smk"]))
    seconds = dict(re.findall(r'"(\w+)": ([\w.]+),', rules["progress.smk"]))
    assert ("simulate", "simulate_here") in made
    for known in (imports, seconds):
        assert [known.get(name) for _, name in made] == [known.get(of) for of, _ in made]
