"""A finished run by hand: a small paper with known verdicts, and the arena's real scores."""

import shutil

import pandas as pd
import pytest
from project import ROOT, study_of, with_a_guest

from dpbandits.arena import FIGURES
from dpbandits.page import content, site

SETTINGS = {
    "seed": 1,
    "scale": "smoke",
    "estimator": "default",
    "r6a": "",
    "formats": ["pdf", "png"],
    "version": "0",
}
SOURCES = {  # the YAML files that the page copies
    "tossou2016": [ROOT / f"config/{kind}/tossou2016.yaml" for kind in ("papers", "claims")],
    "arena": [ROOT / "config/arena.yaml"],
}
DRAWING = """<svg xmlns="http://www.w3.org/2000/svg" width="75pt" height="60pt" viewBox="0 0 75 60">
<path d="M 10 20 L 60 10" stroke="#112233"/></svg>"""
CHECKS = [  # check, kind, figures, reading, value, error, verdict, evidence, cause
    ("A1", "experiment", "fig2a fig2", "published", 0.4843, 0.017, "holds", "dp-ucb / ucb", ""),
    (
        "A1",
        "experiment",
        "fig2a.corrected fig2.corrected",
        "corrected",
        1.5,
        0.02,
        "fails",
        "dp-ucb / ucb",
        "other <noise>",
    ),
    ("A2", "experiment", "fig2b fig2", "both", 0.99, 0.1, "undecided", "", ""),
    ("A3", "ours", "", "both", 3.0, None, "holds", "a question of ours", ""),
    ("A4", "ours", "fig2b fig2", "both", 0.485, 0.1, "holds", "", ""),
]
CLAIMS = [  # claim, kind, reading, answer, checks, reason
    ("S1", "experiment", "published", "holds", "A1", "A1: 0.484 ± 0.017"),
    ("S1", "experiment", "corrected", "fails", "A1", "1 of 1 verdicts"),
    ("S2", "experiment", "both", "undecided", "A1 A2", "A2: 0.99 ± 0.10"),
    ("P1", "privacy", "published", "fails", "A4", "measured"),
    ("P1", "privacy", "corrected", "holds", "A4", "kept"),
]  # fmt: skip


def checks_table():
    columns = [
        "check",
        "kind",
        "figures",
        "reading",
        "value",
        "standard_error",
        "verdict",
        "evidence",
        "cause",
    ]
    frame = pd.DataFrame(CHECKS, columns=columns)
    return frame.assign(
        experiment=["fig2a", "fig2a", "fig2b", "fig9", "fig2b"],
        statement=[f"what {check} says" for check in frame["check"]],
        source="section 4",
        relation="at_most",
        threshold=1,
        threshold_high=None,
        **dict.fromkeys(("interval_low", "interval_high", "critical_threshold")),
    )


def claims_table():
    frame = pd.DataFrame(CLAIMS, columns=["claim", "kind", "reading", "answer", "checks", "reason"])
    return frame.assign(
        paper="tossou2016",
        place="section 4",
        says=[f"the text of {id}" for id in frame["claim"]],
        reconstruction=["of our noise", *[""] * (len(frame) - 1)],
        **dict.fromkeys(("value", "interval_low", "interval_high", "critical_threshold")),
    )


@pytest.fixture(scope="session")
def paper():
    return with_a_guest(study_of("tossou2016", "smoke"), "fig2a", "ucb")


@pytest.fixture(scope="session")
def arena():
    return study_of("arena", "smoke")


def write(frame, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    frame.to_csv(path, index=False)


def draw(results, study, figure):
    """A figure as the workflow leaves it: for print and for the page."""
    for folder, suffix in (("figures", "pdf"), ("figures", "png"), ("pictures", "svg")):
        path = results / folder / study / f"{figure}.{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(DRAWING)


@pytest.fixture(scope="session")
def results(tmp_path_factory, paper, arena):
    """A folder of results."""
    folder = tmp_path_factory.mktemp("results")
    for figure in paper.figures:
        draw(folder, paper.id, figure)
    for figure in FIGURES:
        draw(folder, arena.id, figure)
    for experiment in paper.experiments.values():
        means = {id: 10.0 + place for place, id in enumerate(experiment.series)}
        rows = [
            {"policy": id, "t": t, "mean": mean * t / 7, "std": 1.0, "runs": 4}
            | dict.fromkeys(("median_of_means", "locked_in", "median"), mean * t / 7)
            | dict.fromkeys(("gmd_below", "gmd_above"), 1.0)
            for id, mean in means.items()
            for t in (1, 7)
        ]
        write(pd.DataFrame(rows), folder / f"summaries/{paper.id}/{experiment.id}.csv")
    both = {"policy": "ucb", "label": "UCB$_\\tau$", "reading": "both", "epsilon": 1}
    both |= {"mechanism": "ucb.UCB()"}
    account = both | {"delta": 0, "trust": "central", "neighbours": "one reward"}
    account |= {"spent": 0.5, "ratio": 0.5, "verdict": "kept"}
    accounts = [
        account | {"experiment": "fig2a"},
        account | {"experiment": "fig2b", "epsilon": 2, "spent": 3, "ratio": 1.5}
        | {"verdict": "exceeded"},
        account | {"experiment": "fig2b", "mechanism": "ucb.UCB(other)", "verdict": "no promise"},
    ]  # fmt: skip
    write(pd.DataFrame(accounts), folder / f"accounts/{paper.id}.csv")
    audit = both | {
        "channel": "actions",
        "spent": 1.0,
        "measured": 0.25,
        "power": 3.0,
        "finding": "no power: a <reason>",
        "event": "one",
        "pair": "two",
        "promise": "kept",
    }
    replay = both | {"changes": "any", "loss": 0.75, "finding": "as booked"}
    for study in (paper, arena):
        write(pd.DataFrame([{"study": study.id} | audit]), folder / f"audits/{study.id}.csv")
        write(pd.DataFrame([{"study": study.id} | replay]), folder / f"replays/{study.id}.csv")
        write(
            checks_table() if study is paper else checks_table()[3:4],
            folder / f"checks/{study.id}.csv",
        )
    write(claims_table(), folder / "claims.csv")
    distance = {
        "paper": "tossou2016",
        "figure": "fig2b",
        "series": "dp-ucb",
        "median": 0.0142,
        "largest": 0.118,
    }
    write(pd.DataFrame([distance]), folder / "distances.csv")
    (folder / "verification.txt").write_text(
        "identical  a figure\n0 differences from the reference\n"
    )
    shutil.copytree(ROOT / "reference/arena", folder / "arena")
    return folder


@pytest.fixture(scope="session")
def page(results, paper, arena):
    """The page's folder."""
    folder = results / "page"
    studies = {paper.id: paper, arena.id: arena}
    site.write(studies, results, results / "figures", SOURCES, SETTINGS, folder)
    return folder


@pytest.fixture(scope="session")
def values(paper, arena, results):
    return content.gather({paper.id: paper, arena.id: arena}, run_in(results), SOURCES)


def run_in(results, **settings):
    return content.Run(results, results / "figures", SETTINGS | settings)
