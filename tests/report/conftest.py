"""The results from which the tests make a page: the reference's tables at the smoke scale, some figures drawn, others blank."""

import json
import shutil

import pandas as pd
import pytest
from PIL import Image
from project import PAPERS, ROOT

from dpbandits import figures, report, studies
from dpbandits.arena import names
from dpbandits.audit import accounts
from dpbandits.audit import lower_bounds as audit
from dpbandits.files import tables
from dpbandits.report import content
from dpbandits.statistics.summaries import read_summary
from dpbandits.studies import published
from dpbandits.verdicts import scoreboard, sentences

SMOKE = ROOT / "reference/smoke"
DRAWN = 2  # figures of each paper that are drawn for these tests
AUDITED = {
    "sarkar2025": [
        ("ldp-ncb", "LDP-NCB", "published", "reports", 0.2, 0, 1.0, 0.94, 5, 1_000_000, "", "", "above the promise"),
        ("ldp-ncb", "LDP-NCB", "published", "actions", 0.2, 0, 1.0, 0.0, 0, 4000, "", "", "no power"),
    ]
}  # fmt: skip
DISTANCES = [
    ("sarkar2025", "fig1a", "adap-ucb", 74, 0.00001, 0.0005),
    ("sarkar2025", "fig1a", "gdp-ncb", 89, 0.0142, 0.118),
]
POINTS = ROOT / "reference/published/sarkar2025/fig1a.csv"
# A picture of two horizontal bars, as dpbandits.figures.screen describes it.
BARS = {
    "box": [0.15, 0.1, 0.8, 0.75],
    "x": ["", "linear", 1.5, -0.5],
    "y": ["regret", "linear", 0, 60],
    "flat": True,
    "names": [[0, "upper"], [1, "lower"]],
    "curves": [
        {
            "label": "", "colour": "#445566", "colours": ["#445566", "#665544"],
            "x": [0, 1], "y": [30, 50], "low": [29, 48], "high": [33, 54],
        }
    ],
}  # fmt: skip
# Two curves in steps.
STEPS = {
    "box": [0.1, 0.1, 0.8, 0.8], "title": "", "x": ["x", "linear", 0, 10], "y": ["share", "linear", 0, 1], "flat": False, "names": [],
    "curves": [
        {"label": "UCB", "colour": "#112233", "x": [2, 6, 10], "y": [0.25, 0.5, 1], "steps": True, "dash": [4, 2]},
        {"label": "other", "colour": "#332211", "x": [1, 10], "y": [0.5, 1], "steps": True},
    ],
}  # fmt: skip


@pytest.fixture(scope="session")
def settings():
    folder = {"figures": "results/smoke/figures"}
    return folder | {"seed": 1, "scale": "smoke", "estimator": "default", "formats": ["pdf", "png"], "version": "0"}


@pytest.fixture(scope="session")
def all_papers():
    return {paper: studies.load(ROOT / f"config/papers/{paper}.yaml", "smoke") for paper in PAPERS}


def blank(picture, axes=()):
    """A picture without anything, and its description."""
    picture.parent.mkdir(parents=True, exist_ok=True)
    Image.new("P", (400, 300)).save(picture)
    picture.with_suffix(".json").write_text(json.dumps({"width": 400, "height": 300, "axes": list(axes), "points": []}))


@pytest.fixture(scope="session")
def sources(all_papers, tmp_path_factory):
    results = tmp_path_factory.mktemp("results")
    (results / "verification.txt").write_text("identical  a figure\n0 differences from the reference: 1 identical\n")
    shutil.copytree(SMOKE / "summaries", results / "summaries")
    shutil.copytree(ROOT / "reference/claims", results / "claims")  # verdicts have causes at the paper's scale only
    judged = sentences.table(
        (paper, scoreboard.read_claims(results / f"claims/{paper.id}.csv")) for paper in all_papers.values()
    )
    tables.write(results / "sentences.csv", {name: [row[name] for row in judged] for name in sentences.COLUMNS})
    tables.write(results / "distances.csv", published.as_table(DISTANCES))
    for table in names.TABLES:  # the arena's of the last full run
        frame = pd.read_csv(ROOT / f"reference/arena/{table}.csv", dtype=str).fillna("")
        tables.write(results / f"arena/{table}.csv", frame)
    for figure in names.FIGURES:
        blank(results / f"pictures/arena/{figure}.png", [STEPS] if figure == "profile" else ())
    for paper in all_papers.values():
        tables.write(results / f"accounts/{paper.id}.csv", accounts.table(paper.experiments.values()))
        tables.write(results / f"audits/{paper.id}.csv", pd.DataFrame(AUDITED.get(paper.id, []), columns=audit.COLUMNS))
        panels = sorted((f for f in paper.figures.values() if f.kind in ("curves", "grid")), key=lambda f: f.kind)
        shown = [f.name for f in panels][:DRAWN]
        points = {"fig1a": {"fig1a": published.read(POINTS)}} if paper.id == "sarkar2025" else {}
        for figure in paper.figures.values():
            picture = results / "pictures" / paper.id / f"{figure.id}.png"
            blank(picture, [BARS] if figure.id == "s-lost-runs" else ())
            if figure.name in shown:
                experiments = {e: paper.experiments[e] for e in figure.experiments}
                read = {e: read_summary(results / f"summaries/{paper.id}/{e}.csv") for e in experiments}
                for_screen = picture, picture.with_suffix(".json")
                figures.draw(figure, experiments, read, "default", [], for_screen, points.get(figure.id))
    return report.Sources(results)


@pytest.fixture(scope="session")
def arena():
    return studies.load(ROOT / "config/arena.yaml")


@pytest.fixture(scope="session")
def gathered(all_papers, sources, settings):
    """The content of the page; the tests only read it."""
    return content.gather(all_papers, sources, settings)


@pytest.fixture(scope="session")
def page(all_papers, sources, settings, arena):
    return report.page({**all_papers, "arena": arena}, sources, settings)
