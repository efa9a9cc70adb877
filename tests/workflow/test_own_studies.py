"""The paper and the arena of docs/examples, without our studies and beside them."""

import re
import shutil

import pandas as pd
import pytest
from project import ROOT, SMOKE, Project

from dpbandits.checks import tables

EXAMPLES = ROOT / "docs/examples"


def copy_paper(project):
    """Put the skeleton of a paper and of its claims into a project."""
    shutil.copy(EXAMPLES / "mine2026.yaml", project.folder / "config/papers")
    shutil.copy(EXAMPLES / "claims/mine2026.yaml", project.folder / "config/claims")


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    project = Project.new(tmp_path_factory.mktemp("alone"), papers=())
    shutil.copy(EXAMPLES / "my-arena.yaml", project.folder / "config")
    copy_paper(project)
    project.output = project.run(*SMOKE)
    return project


def test_the_skeleton_of_a_paper_makes_its_figure_and_its_verdict(alone):
    results = alone.folder / "results/smoke"
    assert (results / "figures/mine2026/two-arms.pdf").stat().st_size > 5_000
    (row,) = tables.read_checks(results / "checks/mine2026.csv").to_dict("records")
    wanted = {
        "check": "A1",
        "kind": "experiment",
        "experiment": "two-arms",
        "reading": "both",
        "statement": "DP-UCB has more regret than UCB",
        "source": "section 5, second paragraph",
    }
    assert wanted.items() <= row.items()
    assert row["value"] > 1
    answers = tables.read_claims(results / "claims.csv")
    assert answers[["paper", "claim", "answer"]].to_numpy().tolist() == [
        ["mine2026", "S1", row["verdict"]],
        ["mine2026", "S2", "nothing testable"],
    ]


def test_every_policy_is_scored_at_every_epsilon_against_its_yardstick(alone):
    table = pd.read_csv(
        alone.folder / "results/smoke/my-arena/scores.csv",
        keep_default_na=False,
        dtype={"epsilon": str},
    )
    end = table[table["t"] == 2000]
    private = [(policy, epsilon) for policy in ("dp-se", "ldp-ucb") for epsilon in ("0.1", "1")]
    wanted = {
        (instance, *each) for instance in ("wide", "narrow") for each in [*private, ("ucb", "")]
    }
    assert set(zip(end["instance"], end["policy"], end["epsilon"], strict=True)) == wanted
    assert set(end.loc[end["policy"] == "ucb", "over_yardstick"].astype(float)) == {1.0}


def test_the_arena_has_figures_and_a_place_on_the_page(alone):
    pictures = {path.name for path in (alone.folder / "results/smoke/figures/my-arena").iterdir()}
    assert pictures == {
        f"{figure}.{kind}" for figure in ("scores", "winners") for kind in ("pdf", "png")
    }
    page = (alone.folder / "results/smoke/page/index.html").read_text()
    menu = page[page.index("<nav") : page.index("</nav>")]
    assert page.count('<section id="my-arena"') == menu.count('href="#my-arena"') == 1
    arena = page[page.index('<section id="my-arena"') :]
    ranked = {label.strip() for label in re.findall(r'<th scope="row">([^<]*)', arena)}
    assert {"DP-SE", "LDP-UCB"} <= ranked
    verified = (alone.folder / "results/smoke/verification.txt").read_text()
    lines = re.findall("^(.*?)  .*my-arena", verified, re.M)
    # Two figures, the audits and the replays.
    assert lines == ["not in the reference"] * 4


def test_beside_ours_an_arena_has_jobs_of_its_own(alone):
    (alone.folder / "config/arena.yaml").write_text((ROOT / "config/arena.yaml").read_text())
    assert alone.would_run(*SMOKE, "--", "my-arena") == []
    ours = alone.would_run(*SMOKE, "--", "arena")
    assert "score arena" in ours
    assert not any("my-arena" in job for job in ours)
