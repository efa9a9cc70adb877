"""The library: labels, tables and pictures of a comparison, the workflow's numbers, refusals."""

import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from project import PAPERS, study_of

import dpbandits
from dpbandits import Bernoulli, bandits, compare, export, simulation
from dpbandits.bandit import Bandit
from dpbandits.bandits.game import Adversary
from dpbandits.drivers.index import IndexPolicy
from dpbandits.drivers.noisy_totals import NoisyTotals
from dpbandits.drivers.table_of_gains import TablePolicy
from dpbandits.errors import InputError
from dpbandits.export import escape
from dpbandits.figures.colours import PALETTE
from dpbandits.parameters import Positive
from dpbandits.policies import (
    DPSE,
    EXP3,
    LDPUCB,
    POLICIES,
    UCB,
    DPEXP3Lap,
    DPUCBInt,
    ExploreThenCommit,
    LinUCB,
    PrivateLinUCB,
)
from dpbandits.policy import ArmsPolicy
from dpbandits.random import stream
from dpbandits.statistics.summaries import SUMMARY, summary_of
from dpbandits.tables import number

NEWS = study_of("mishra2015").experiments["fig2"].environment
TWO = {"policies": [UCB()], "on": Bernoulli([0.9, 0.6]), "horizon": 2000, "n_runs": 8, "n_jobs": 1}
FORM = "write compare([UCB(), DPSE(epsilon=0.5)], on="


class Fixed(ArmsPolicy):
    """Play one arm: the first one is the oracle of TWO."""

    arm: int = 0

    def play(self, run):
        run.play(self.arm, run.horizon)


class Reported(LDPUCB):
    """LDP-UCB, of which the class promises `promised`."""

    promised: Positive = 1.0

    def privacy(self, horizon, number_of_arms):
        return replace(super().privacy(horizon, number_of_arms), epsilon=self.promised)


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def played(**changes):
    """A comparison on two arms, of UCB by default."""
    return compare(**TWO | changes)


@pytest.fixture(scope="module")
def compared():
    """UCB and DP-SE at two epsilons."""
    return played(policies=[UCB(), *DPSE.grid(epsilon=[0.5, 50])])


def test_runs_are_tidy_and_a_label_is_the_policy_as_it_prints_itself(compared):
    runs = compared.runs
    labels = ["UCB()", "DPSE(epsilon=0.5)", "DPSE(epsilon=50.0)"]
    assert list(runs) == ["policy", "epsilon", "elimination", "rounding", "run", "t", "regret"]
    assert runs["policy"].unique().tolist() == labels
    assert not runs.duplicated(["policy", "run", "t"]).any()
    assert len(runs) == 3 * 8 * runs["t"].nunique()
    assert runs.groupby("policy")["epsilon"].first().reindex(labels)[1:].tolist() == [0.5, 50.0]
    assert runs.query("policy == 'UCB()'")["epsilon"].isna().all()
    last = runs[runs["t"] == 2000].groupby("policy", sort=False)["regret"]
    summary = compared.summary[compared.summary["t"] == 2000].set_index("policy")
    assert last.mean().to_dict() == pytest.approx(summary["mean"].to_dict())
    assert summary["standard_error"].to_dict() == pytest.approx(last.sem().to_dict())


def test_any_label_names_a_stream_of_its_own(monkeypatch):
    words = []

    def collected(*name):
        words.append(tuple(stream(*name).words))
        return stream(*name)

    monkeypatch.setattr(simulation, "stream", collected)
    labels = ["environment of", "environment of/series", "a", "a/", "a/0"]
    played(policies=dict.fromkeys(labels, Fixed()), stream=("mine/", "test"))
    assert len({*words}) == len(words) == 8 * 6


@pytest.mark.parametrize(
    ("change", "is_same"),
    [
        ({}, True),  # in other company
        ({"policies": {"a/b": UCB()}}, True),
        ({"n_jobs": 3}, True),
        ({"n_jobs": -1}, True),
        ({"seed": 2}, False),
    ],
)
def test_only_the_seed_changes_the_numbers(change, is_same, compared):
    before = compared.runs.query("policy == 'UCB()'")["regret"]
    assert np.array_equal(played(**change).runs["regret"], before) is is_same


def test_stream_and_names_of_series_give_the_workflows_numbers():
    """Of the corrected reading, in which a series has another name in the tables."""
    name, id = ("azize2022", "fig5b"), "adap-ucb"
    experiment = study_of(name[0], "smoke").experiments[name[1]].in_reading("corrected")
    series, design = experiment.by_name[id], experiment.design
    ours = compare(
        {id: series.as_policy}, on=experiment.bandit, n_runs=10, horizon=design.horizon,
        at=design.rounds, stream=name,
    )  # fmt: skip
    trace = experiment.simulation([id], seed=1).run(0, 9)
    assert np.array_equal(ours.trace.values["regret"], trace.values["regret"])
    summary = summary_of([trace], groups=25).assign(policy=id)
    assert list(ours.summary) == [*SUMMARY, "standard_error"]
    pd.testing.assert_frame_equal(ours.summary[SUMMARY], summary[SUMMARY], check_exact=True)


def test_integers_may_be_floats_or_numpys():
    result = played(horizon=1e2, n_runs=np.int32(8), n_jobs=np.int64(1), at=np.array([50.0, 70.0]))
    assert result.summary["t"].tolist() == [50, 70, 100]


def test_privacy_has_promise_and_ledger(compared):
    table = compared.privacy.set_index("policy")
    assert table["promise"].tolist() == ["none", "stated", "stated"]
    assert table.loc["UCB()"].drop("promise").isna().all()
    assert table.loc["DPSE(epsilon=0.5)", ["epsilon", "delta", "spent"]].tolist() == [0.5, 0, 0.5]
    assert table["kept"].tolist() == [None, True, True]
    broken = played(policies=[Reported(epsilon=2)]).privacy.iloc[0]
    assert broken[["epsilon", "spent", "trust", "kept"]].tolist() == [1.0, 2.0, "local", False]
    assert played(policies=[DPUCBInt(epsilon=1)]).privacy["delta"].tolist() == [math.exp(-10)]
    with_delta = ExploreThenCommit(epsilon=1e-9)  # which Laplace noise does not use
    assert played(policies=[with_delta]).privacy["delta"].tolist() == [0.0]
    assert played(policies=[Fixed()]).privacy["promise"].tolist() == ["not stated"]


@pytest.mark.parametrize(
    ("on", "policies", "quantity"),
    [
        (
            {"kind": "stochastic_adversary", "number_of_arms": 4, "best": 0.8, "others": 0.5},
            [EXP3(), DPEXP3Lap(epsilon=1)],
            "regret",
        ),
        (NEWS, [LinUCB(), PrivateLinUCB(eps0=1.0)], "ctr_ratio"),
    ],
    ids=["games", "logs"],
)
def test_games_and_logs_are_compared_and_drawn(on, policies, quantity, tmp_path):
    result = compare(policies, on=bandits.make(on), horizon=3000, n_runs=4)
    assert result.quantity == result.runs.columns[-1] == quantity
    assert (result.summary.groupby("policy")["mean"].last() > 0).all()
    assert result.plot(tmp_path / "curves.svg").get_ylabel() == quantity.replace("_", " ")
    assert (tmp_path / "curves.svg").stat().st_size > 5000


def test_editors_list_what_the_package_offers():
    assert {*dpbandits.__all__} <= {*dir(dpbandits)}


class Coloured(Fixed):
    """A policy of the time when classes had looks."""

    look = "sky", "h"


LABEL_TWICE = {1: UCB(), "1": Fixed()}
NO_POLICIES = f"should be policies, in a list or by label; {FORM}"
EQUAL = "two policies are UCB() and play the same games; leave one out"
SMALL_EPSILON = DPUCBInt(epsilon=1e-8, delta=0.5)
REFUSED = [
    ("policies", [Coloured()], "Coloured: look: a class has no colour; remove it, and write"),
    ("policies", [], f"compare: [] {NO_POLICIES}"),
    ("policies", UCB(), f"compare: UCB() {NO_POLICIES}"),
    ("policies", {"UCB": "ucb"}, "compare: {'UCB': 'ucb'} should be policies"),
    ("policies", [UCB(), UCB()], EQUAL),
    ("policies", {"a": UCB(), "b": UCB()}, EQUAL),
    ("policies", LABEL_TWICE, "compare: two policies have the label '1'"),
    ("policies", [EXP3()], "EXP3 plays adversaries' games, and Bernoulli is stochastic arms"),
    ("policies", [SMALL_EPSILON], "DPUCBInt: delta 0.5 should be below epsilon 1e-08; exchange"),
    ("policies", [ArmsPolicy()], "ArmsPolicy has no 'play'; write def play(self, run): ..."),
    ("policies", [IndexPolicy()], "IndexPolicy has no 'index'; write def index(self, s, n, t): "),
    ("policies", [NoisyTotals()], "no 'begin'; write def begin(self, run, theta, r): ..."),
    ("policies", [TablePolicy()], "no 'on_table'; write def on_table(self, horizon): ..."),
    ("looks", {"UCB": ("sky", "h")}, "looks: unknown label 'UCB'; did you mean 'UCB()'"),
    ("looks", {"UCB()": ("skyy", "h")}, "looks: UCB(): unknown colour 'skyy'; did you mean 'sky'?"),
    ("looks", {"UCB()": "sky"}, "looks: UCB(): 'sky' should be a colour and a marker"),
    ("looks", ["sky", "h"], "looks: ['sky', 'h'] should be looks by label; write {"),
    ("on", [0.9, 0.6], f"compare: on=[0.9, 0.6] is not a bandit; {FORM}"),
    ("on", Bandit(), "Bandit has no 'draw_game'; write def draw_game(self, rng, horizon): ..."),
    ("on", Adversary(2), "no 'gains' or 'draw_game'; write def gains(self, rng, horizon): ..."),
    ("on", Bernoulli([0.5, 0.5]), "means: [0.5, 0.5] are all equal: there is no regret"),
    ("horizon", math.inf, "compare: horizon: inf should be an integer from 2 to 10^12"),
    ("n_runs", 1, "compare: n_runs: 1 should be an integer from 2 to"),
    ("n_jobs", 0, "compare: n_jobs: 0 should be an integer of at least 1"),
    ("seed", -1, "compare: seed: -1 should be an integer of at least 0"),
    ("at", 50, "compare: at: 50 should be a list of rounds; write [50]"),
    ("at", [5, 3000], "compare: at: 3000 should be at most the horizon, 2000"),
    ("stream", "tossou2016", "compare: stream: 'tossou2016' should be a pair"),
]


@pytest.mark.parametrize(("argument", "value", "message"), REFUSED, ids=str)
def test_a_mistake_is_refused_in_one_line(argument, value, message):
    with pytest.raises(InputError, match=re.escape(message)) as refusal:
        played(**{argument: value})
    assert "\n" not in str(refusal.value)


def look(line):
    return line.get_color(), line.get_marker()


def test_a_shipped_policy_looks_as_in_the_figures_of_the_papers_and_a_label_may_have_a_look():
    """Several of one policy are shades of its colour, as in a sweep."""
    policies = {"chosen": Fixed(arm=1), "UCB": UCB(), "own": Fixed()}
    policies |= {n: DPSE(epsilon=n) for n in (1, 2)}
    lines = played(policies=policies, looks={"chosen": ["sky", "h"]}).plot().lines
    chosen, ucb, own, one, two = map(look, lines)
    wanted = (("sky", "h"), ("black", "o"), ("green", "D"))
    assert [chosen, ucb, one] == [(PALETTE[colour], marker) for colour, marker in wanted]
    assert two[0] != one[0]
    assert own[0] not in PALETTE.values()


def test_plot_draws_into_axes(compared):
    _, (left, right) = plt.subplots(ncols=2)
    assert compared.plot(ax=left) is left
    assert compared.plot(ax=right, log=False) is right
    assert (left.get_xscale(), left.get_yscale(), right.get_xscale()) == ("log", "log", "linear")
    labels = [text.get_text() for text in right.get_legend().get_texts()]
    assert labels == compared.runs["policy"].unique().tolist()
    curve = compared.summary.query("policy == 'UCB()'")
    centre, corners = curve["median_of_means"], left.collections[0].get_paths()[0].vertices
    assert np.array_equal(left.lines[0].get_ydata(), centre)
    for edge in (centre - curve["gmd_below"], centre + curve["gmd_above"]):
        assert {*zip(curve["t"], edge, strict=True)} <= {*map(tuple, corners)}
    with pytest.raises(InputError, match=r"plot: curves.tex: the name should end in one of .pdf,"):
        compared.plot("curves.tex")


@pytest.mark.parametrize("others", [[], [UCB()]])
def test_a_curve_that_is_0_throughout_is_drawn(others, tmp_path):
    result = played(policies=[Fixed(), *others])
    ax = result.plot(tmp_path / "oracle.pdf")
    assert ax.get_yscale() == ("log" if others else "linear")
    assert len(ax.lines) == 1 + len(others)


def test_a_comparison_shows_itself(compared):
    before = plt.get_fignums()
    page = compared._repr_html_()
    assert page.count("<svg") == 1
    assert page.count("DPSE(epsilon=0.5)") > 1  # in the table and in the legend's comment
    assert plt.get_fignums() == before
    assert [line.split()[0] for line in repr(compared).splitlines()[1:]] == [
        *compared.runs["policy"].unique()
    ]


@pytest.mark.parametrize(
    ("label", "written"),
    [
        ("5 $ & 50%", r"5 \$ \& 50\%"),
        (r"A_1, $\gamma_1$ = 5% & {b}", r"A\_1, $\gamma_1$ = 5\% \& {b}"),
        (r"50\% of $5 & $6", r"50\% of $5 \& $6"),
        ("$ε_1$, ε", r"$\varepsilon _1$, $\varepsilon$"),
    ],
)
def test_no_label_breaks_a_table(label, written):
    """An even number of $ makes formulas, as in matplotlib."""
    assert escape(label) == written


def test_an_export_is_what_a_latex_document_needs(tmp_path, monkeypatch):
    monkeypatch.setattr(Fixed, "__module__", "my_lab.ucb")  # which is not the policy of a paper
    policies = {"50% (a_b)": DPSE(epsilon=0.5), r"EXP3$_\tau$": DPUCBInt(epsilon=1), "o": Fixed()}
    result, folder = played(policies=policies), tmp_path / "new/folder"
    result.export(folder)
    table, references = ((folder / name).read_text() for name in ("table.tex", "references.bib"))
    rows = [line.removesuffix(r" \\").split(" & ") for line in table.splitlines() if "&" in line]
    assert [row[0] for row in rows] == ["policy", r"50\% (a\_b)", r"EXP3$_\tau$", "o"]
    assert rows[1][1:4] == ["0.5", "0", "0.5"]
    assert rows[3][1:] == ["--", "--", "--", "$0$"]
    last = result.summary.query("t == 2000")[["mean", "standard_error"]]
    for row, (mean, error) in zip(rows[1:], last.to_numpy(), strict=True):
        assert row[4] == f"${number(mean, error)}$".replace("±", r"\pm")
    assert r"\toprule" in table
    sources = re.findall(r"^@\w+{(\w+)", references, re.MULTILINE)
    assert sources == ["dpbandits", "sajed2019", "tossou2016"]
    assert (folder / "curves.pdf").stat().st_size > 5000
    assert export.references(["ucb"]).count("\n@") == 1


def test_every_policy_has_a_source():
    """But uniform play. The papers' titles are those of their files."""
    sources = (Path(export.__file__).parent / "references.bib").read_text()
    named = {name for each in export.POLICIES.findall(sources) for name in each.split()}
    assert {*POLICIES.known} - named == {"uniform"}
    plain = re.sub("[{}]", "", sources)
    titles = [study_of(paper).title for paper in PAPERS]
    assert [title for title in titles if f"title = {title}," not in plain] == []


def test_what_a_paper_fixes_is_the_default():
    """As in its experiments: alpha = 3.1 of azize2022, delta = e^-10 of tossou2016."""
    azize, tossou = study_of("azize2022"), study_of("tossou2016")
    for series, name in (
        (azize.experiments["fig2"].series["adap-ucb"], "alpha"),
        (azize.experiments["fig2"].series["adap-klucb"], "alpha"),
        (tossou.experiments["fig2a"].series["dp-ucb-int"], "delta"),
    ):
        played = series.as_policy
        assert getattr(type(played)(epsilon=1.0), name) == getattr(played, name)
