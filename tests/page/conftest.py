"""A finished run by hand: a small paper with known verdicts, and the arena's real scores."""

import shutil

import pandas as pd
import pytest
from project import ROOT, study_of, with_a_guest

from dpbandits.arena import FIGURES
from dpbandits.checks import tables
from dpbandits.page import content, site

SETTINGS = {"seed": 1, "scale": "smoke", "estimator": "default", "r6a": "", "version": "0"}
SETTINGS |= {"formats": ["pdf", "png"]}
SOURCES = {  # the YAML files that the page copies
    "tossou2016": [ROOT / f"config/{kind}/tossou2016.yaml" for kind in ("papers", "claims")],
    "arena": [ROOT / "config/arena.yaml"],
}
DRAWING = """<svg xmlns="http://www.w3.org/2000/svg" width="75pt" height="60pt" viewBox="0 0 75 60">
<path d="M 10 20 L 60 10" stroke="#112233"/></svg>"""
OF_CHECKS = "check kind experiment figures reading value standard_error verdict evidence cause"
CHECKS = [
    ("A1", "experiment", "fig2a", "fig2a fig2", "published", 0.4843, 0.017, "holds", "a / b", ""),
    ("A1", "experiment", "fig2a", "fig2a.corrected fig2.corrected", "corrected", 1.5, 0.02,
     "fails", "a / b", "other <noise>"),
    ("A2", "experiment", "fig2b", "fig2b fig2", "both", 0.99, 0.1, "undecided", "", ""),
    ("A3", "ours", "fig9", "", "both", 3.0, None, "holds", "a question of ours", ""),
    ("A4", "ours", "fig2b", "fig2b fig2", "both", 0.485, 0.1, "holds", "", ""),
]  # fmt: skip
OF_CLAIMS = "claim kind reading answer checks reason reconstruction"
CLAIMS = [
    ("S1", "experiment", "published", "holds", "A1", "A1: 0.484 ± 0.017", "of our noise"),
    ("S1", "experiment", "corrected", "fails", "A1", "1 of 1 verdicts", ""),
    ("S2", "experiment", "both", "undecided", "A1 A2", "A2: 0.99 ± 0.10", ""),
    ("P1", "privacy", "published", "refuted", "A4", "measured", ""),
    ("P1", "privacy", "corrected", "proved", "A4", "kept", ""),
]


def checks_table():
    frame = pd.DataFrame(CHECKS, columns=OF_CHECKS.split())
    more = {"statement": "what " + frame["check"] + " says", "source": "section 4"}
    return frame.assign(**more, relation="at_most", threshold=1).reindex(columns=tables.CHECKS)


def claims_table():
    frame = pd.DataFrame(CLAIMS, columns=OF_CLAIMS.split())
    more = {"says": "the text of " + frame["claim"], "joint_answer": frame["answer"]}
    more |= {"paper": "tossou2016", "place": "section 4"}
    return frame.assign(**more).reindex(columns=tables.CLAIMS)


@pytest.fixture(scope="session")
def paper():
    return with_a_guest(study_of("tossou2016", "smoke"), "fig2a", "ucb")


@pytest.fixture(scope="session")
def arena():
    return study_of("arena", "smoke")


@pytest.fixture(scope="session")
def studies(paper, arena):
    return {paper.id: paper, arena.id: arena}


def write(rows, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    pd.DataFrame(rows).to_csv(path, index=False)


BOTH = {"policy": "ucb", "label": "UCB$_\\tau$", "reading": "both", "epsilon": 1}
BOTH |= {"mechanism": "ucb.UCB()"}
ACCOUNT = BOTH | {"experiment": "fig2a", "delta": 0, "trust": "central", "spent": 0.5, "ratio": 0.5}
ACCOUNT |= {"neighbours": "one reward", "verdict": "kept"}
TWICE = {"epsilon": 2, "spent": 3, "ratio": 1.5, "verdict": "exceeded"}
ACCOUNTS = [
    ACCOUNT,
    ACCOUNT | TWICE | {"experiment": "fig2b"},
    ACCOUNT | {"experiment": "fig2b", "mechanism": "ucb.UCB(other)", "verdict": "no promise"},
]
AUDIT = BOTH | {"channel": "actions", "spent": 1.0, "measured": 0.25, "power": 3.0}
AUDIT |= {"finding": "no power: a <reason>", "event": "one", "pair": "two", "promise": "kept"}
REPLAY = BOTH | {"changes": "any", "loss": 0.75, "finding": "as booked"}
DISTANCE = {"paper": "tossou2016", "figure": "fig2b", "series": "dp-ucb", "points": 9}


@pytest.fixture(scope="session")
def results(tmp_path_factory, paper, arena):
    """A folder of results."""
    folder = tmp_path_factory.mktemp("results")
    for study, figures in ((paper, paper.figures), (arena, FIGURES)):
        for kind, suffix in (("figures", "pdf"), ("figures", "png"), ("pictures", "svg")):
            (folder / kind / study.id).mkdir(parents=True, exist_ok=True)
            for figure in figures:
                (folder / kind / study.id / f"{figure}.{suffix}").write_text(DRAWING)
        write([{"study": study.id} | AUDIT], folder / f"audits/{study.id}.csv")
        write([{"study": study.id} | REPLAY], folder / f"replays/{study.id}.csv")
        checks = checks_table()[0 if study is paper else 3 : 5 if study is paper else 4]
        write(checks, folder / f"checks/{study.id}.csv")
    for experiment in paper.experiments.values():
        rows = [
            {"policy": id, "t": t, "mean": mean * t / 7}
            for mean, id in enumerate(experiment.series, start=10)
            for t in (1, 7)
        ]
        write(rows, folder / f"summaries/{paper.id}/{experiment.id}.csv")
    write(ACCOUNTS, folder / f"accounts/{paper.id}.csv")
    write(claims_table(), folder / "claims.csv")
    write([DISTANCE | {"median": 0.0142, "largest": 0.118}], folder / "distances.csv")
    verified = "identical  a figure\n0 differences from the reference\n"
    (folder / "verification.txt").write_text(verified)
    shutil.copytree(ROOT / "reference/arena", folder / "arena")
    return folder


@pytest.fixture
def copy(results, tmp_path):
    """A copy of the results, to change."""
    return shutil.copytree(results, tmp_path / "results")


@pytest.fixture(scope="session")
def page(results, studies):
    """The page's folder."""
    folder = results / "page"
    site.write(studies, results, results / "figures", SOURCES, SETTINGS, folder)
    return folder


def gather(studies, results, **settings):
    """The values of the page of these results, with other settings."""
    run = content.Run(results, results / "figures", SETTINGS | settings)
    return content.gather(studies, run, SOURCES)


@pytest.fixture(scope="session")
def values(studies, results):
    return gather(studies, results)
