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
