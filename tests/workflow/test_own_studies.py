"""The paper and the arena of docs/examples, without our studies and beside them, and guests.

The guests are the modules of docs/extending.md and a policy that promises nothing
(privacy/test_promises.py has other forms of such a promise).
"""

import re
import shutil
from itertools import product

import pandas as pd
import pytest
from project import ROOT, SMOKE, Project

from dpbandits.checks import tables

EXAMPLES = ROOT / "docs/examples"
SCORES = "results/smoke/my-arena/scores.csv"


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    project = Project.new(tmp_path_factory.mktemp("alone"), papers=())
    for file in ("my-arena.yaml", "mine2026.yaml", "claims/mine2026.yaml"):
        folder = {"my": ".", "mi": "papers", "cl": "claims"}[file[:2]]
        shutil.copy(EXAMPLES / file, project.folder / "config" / folder)
    project.output = project.run(*SMOKE)
    return project


def test_the_skeleton_of_a_paper_makes_its_figure_and_its_verdict(alone):
    results = alone.folder / "results/smoke"
    assert (results / "figures/mine2026/two-arms.pdf").stat().st_size > 5_000
    (row,) = tables.read_checks(results / "checks/mine2026.csv").to_dict("records")
    assert (row["check"], row["experiment"], row["reading"]) == ("A1", "two-arms", "both")
    assert row["value"] < 1
    answers = tables.read_claims(results / "claims.csv")
    assert answers[["paper", "claim", "answer"]].to_numpy().tolist() == [
        ["mine2026", "S1", row["verdict"]],
        ["mine2026", "S2", "nothing testable"],
    ]


def test_every_policy_is_scored_at_every_epsilon_against_its_yardstick(alone):
    table = pd.read_csv(alone.folder / SCORES, dtype={"epsilon": str}, keep_default_na=False)
    end = table[table["t"] == 2000]
    played = {*product(["wide", "narrow"], ["dp-se", "ldp-ucb"], ["0.1", "1"])}
    played |= {*product(["wide", "narrow"], ["ucb"], [""])}
    assert {*end[["instance", "policy", "epsilon"]].itertuples(index=False)} == played
    assert {*end.loc[end["policy"] == "ucb", "over_yardstick"].astype(float)} == {1.0}


def test_the_arena_has_figures_and_a_place_on_the_page(alone):
    results = alone.folder / "results/smoke"
    pictures = sorted(path.name for path in (results / "figures/my-arena").iterdir())
    assert pictures == ["scores.pdf", "scores.png", "winners.pdf", "winners.png"]
    page = (results / "page/index.html").read_text()
    menu = page[page.index("<nav") : page.index("</nav>")]
    assert page.count('<section id="my-arena"') == menu.count('href="#my-arena"') == 1
    arena = page[page.index('<section id="my-arena"') :]
    ranked = {label.strip() for label in re.findall(r'<th scope="row">([^<]*)', arena)}
    assert {"DP-SE", "LDP-UCB"} <= ranked
    verified = (results / "verification.txt").read_text()
    # Two figures, the audits and the replays.
    assert re.findall("^(.*?)  .*my-arena", verified, re.M) == ["not in the reference"] * 4


PUBLIC = """from dpbandits.policies.arms.ucb import UCB


class Public(UCB):
    '''A policy without privacy.'''

    def privacy(self, horizon, number_of_arms):
        return None
"""


@pytest.fixture(scope="module")
def with_guests(alone, tmp_path_factory):
    """The module of docs/extending.md with and without its promise, and two examples."""
    project = alone.copied(tmp_path_factory.mktemp("guests"))
    page = (ROOT / "docs/extending.md").read_text()
    private = re.search(r"```python\n(.*?)```", page, re.DOTALL)[1]  # the first block
    plain, promise = private.split("\n    def privacy", 1)
    assert "Account" in promise
    guests = {"public": PUBLIC, "plain": plain, "plain-private": private}
    for name in ("compiled", "gaussian"):
        guests[name] = (EXAMPLES / f"greedy_{name}.py").read_text()
    lines = "guests:\n"
    for name, text in guests.items():
        module = f"my_{name.replace('-', '_')}"
        (project.folder / f"config/{module}.py").write_text(text)
        lines += f"  {name}: {{label: {name}, algorithm: {module}}}\n"
    project.edit("config/config.yaml", "guests: {}\n", lines)
    project.run(*SMOKE, "--", "all", "audit", "my-arena", "checks", "page")
    return project


def table_of(project, name):
    return pd.read_csv(project.folder / f"results/smoke/{name}.csv").set_index("policy")


@pytest.mark.slow
def test_a_guest_without_a_promise_passes_through_every_target(with_guests):
    accounts = table_of(with_guests, "accounts/mine2026")
    assert accounts.loc["public", "verdict"] == "no promise"
    scores = pd.read_csv(with_guests.folder / SCORES, keep_default_na=False)
    assert {*scores.loc[scores["policy"] == "public", "league"]} == {"none"}
    for study in ("mine2026", "my-arena"):
        assert "public" not in table_of(with_guests, f"audits/{study}").index


@pytest.mark.slow
def test_the_modules_of_the_page_play_and_are_audited(with_guests):
    """Including the module in plain Python."""
    private = ["plain-private", "compiled", "gaussian"]
    for study in ("mine2026", "my-arena"):
        rows = table_of(with_guests, f"audits/{study}").loc[private]
        assert {*rows["channel"]} == {"actions"}
        # At this scale few games are played.
        assert {finding.split(":")[0] for finding in rows["finding"]} <= {"within", "no power"}
        assert (rows["games"] > 0).all()
    accounts = table_of(with_guests, "accounts/mine2026")
    assert {*accounts.loc[private, "verdict"]} == {"kept"}
    assert {*accounts.loc[["gaussian"], "delta"]} == {1e-6}
    scores = table_of(with_guests, "my-arena/scores")
    assert scores.loc[[*private, "plain"], "mean"].notna().all()
    assert {*private, "plain"} <= {*table_of(with_guests, "summaries/mine2026/two-arms").index}


@pytest.mark.slow
def test_another_value_is_refused_by_the_guests_name_and_its_file(with_guests):
    with_guests.edit("config/my_public.py", "return None", "return 3")
    printed = with_guests.run(*SMOKE, "-n", expect=1)
    with_guests.edit("config/my_public.py", "return 3", "return None")
    assert "config/config.yaml: guests.public: in mine2026 two-arms: my_public.py: " in printed
    assert "privacy: 3 is not a promise; return an Account" in printed


def test_beside_ours_an_arena_has_jobs_of_its_own(alone):
    (alone.folder / "config/arena.yaml").write_text((ROOT / "config/arena.yaml").read_text())
    assert alone.would_run(*SMOKE, "--", "my-arena") == []
    ours = alone.would_run(*SMOKE, "--", "arena")
    assert "score arena" in ours
    assert not any("my-arena" in job for job in ours)
