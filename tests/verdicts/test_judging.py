"""Verdicts around a border, their errors, and the rows of the claims table."""

import dataclasses
import math

import numpy as np
import pytest
from project import ROOT
from verdicts.made import T, claim, judged, runs_of

from dpbandits import studies, verdicts
from dpbandits.files.traces import Trace
from dpbandits.verdicts.measures import general

A_TO_B = {"of": ["a"], "to": ["b"]}
AT_MOST_2 = {"at_most": 2}
FIVE = {"a": [0, 0, 0, 5], "b": [0, 0, 0, 1]}  # a / b is 5


def trace(runs, **values):
    """The trace of an experiment's only series, of its regret or of these quantities, (run, checkpoint)."""
    ((_, regret),), (name,) = runs.values.items(), runs.experiment.series
    values = {quantity: np.asarray(of)[None] for quantity, of in (values or {"regret": regret}).items()}
    return Trace({"series": {name: {}}}, runs.t, values)


@pytest.mark.parametrize(
    ("measured", "error", "expect", "verdict"),
    [
        (1.0, 0.0, {"at_most": 1.0}, "holds"),
        (1.0, 0.0, {"below": 1.0}, "fails"),
        (0.9, 0.04, {"at_most": 1.0}, "holds"),
        (0.9, 0.06, {"at_most": 1.0}, "undecided"),
        (1.1, 0.06, {"at_most": 1.0}, "undecided"),
        (1.1, 0.04, {"at_most": 1.0}, "fails"),
        (2.0, 0.1, {"at_least": 1.5}, "holds"),
        (2.0, 0.1, {"above": 2.5}, "fails"),
        (5.0, 0.1, {"at_least": 4.0, "at_most": 6.0}, "holds"),
        (7.0, 0.1, {"at_least": 4.0, "at_most": 6.0}, "fails"),
        (5.9, 0.1, {"at_least": 4.0, "at_most": 6.0}, "undecided"),
    ],
)
def test_verdicts(measured, error, expect, verdict):
    assert verdicts.decide(measured, error, expect) == verdict


def test_the_bootstrap_finds_the_standard_error_of_a_mean():
    """Final values evenly in [-6, 6] around 100, ten runs: s.e. of the mean is sd/sqrt(10) = 1.2 (population sd 3.83)."""
    it = runs_of({"a": [1, 1, 1, 100]}, spread=6.0)
    it = runs_of({**it.values, "b": np.full((10, 4), 100.0)})
    row = verdicts.judge(claim("ratio", A_TO_B, AT_MOST_2), it, seed=1)
    assert row["value"] == pytest.approx(1.0)
    assert row["standard_error"] == pytest.approx(3.83 / math.sqrt(10) / 100, rel=0.2)
    assert row["verdict"] == "holds"


def test_few_paired_runs_need_more_than_two_standard_errors():
    finals = {"a": [[1.1], [1.2], [1.3], [1.0]], "b": [[1.0]] * 4}  # 1.15 +- 0.0645, 2.32 standard errors above 1
    runs = runs_of(finals, (10,), environment={"kind": "news"})
    assert verdicts.judge(claim("paired_ratio", A_TO_B, {"above": 1}), runs, seed=1)["verdict"] == "undecided"


def test_a_bootstrap_over_few_runs_needs_students_t():
    """Ten runs need 2.32, Student's t of nine degrees that has the level of two normal errors, times the root of 10/9: 2.446. Their
    error is about 8, so that its rounding to two digits changes less than 1%."""
    for number, errors, decided in ((10, 2.4, False), (10, 2.5, True), (40, 2.2, True)):
        runs = runs_of({"a": 100 + np.outer(np.linspace(-40, 40, number), np.ones(4))})
        there = verdicts.judge(claim("level", {"of": ["a"]}, {"at_most": 0}), runs, seed=1)
        border = there["value"] - errors * there["standard_error"]
        row = verdicts.judge(claim("level", {"of": ["a"]}, {"at_most": border}), runs, seed=1)
        assert row["standard_error"] == there["standard_error"] > 0
        assert row["verdict"] == ("fails" if decided else "undecided")


def test_a_failing_claim_says_why():
    because = {"published": "of the slip", "fig1": "of this panel"}
    row = verdicts.judge(claim("ratio", A_TO_B, AT_MOST_2, cause=because), runs_of(FIVE, spread=0.01), seed=1)
    assert row["verdict"] == "fails"
    assert (row["evidence"], row["cause"]) == ("a / b at t = 1000", "of this panel")
    assert (row["experiment"], row["reading"]) == ("fig1", "both")
    assert (row["relation"], row["border"], row["border_high"]) == ("at_most", 2, None)
    assert (row["statement"], row["source"], row["kind"]) == ("says", "source", "ours")


def test_a_claim_that_holds_has_no_cause_and_may_have_two_borders():
    said = claim("ratio", A_TO_B, {"at_least": 4, "at_most": 6}, cause={"fig1": "of this panel"})
    row = verdicts.judge(said, runs_of(FIVE, spread=0.01), 1, ["fig1", "fig2"])
    assert (row["verdict"], row["cause"], row["figures"]) == ("holds", "", "fig1 fig2")
    assert (row["relation"], row["border"], row["border_high"]) == ("within", 4, 6)


def test_a_cause_is_given_at_the_papers_scale_only():
    """At a smaller one a claim may fail for another reason."""
    for scale, explained in (("paper", True), ("draft", False), ("smoke", False)):
        paper = studies.load(ROOT / "config/papers/tossou2016.yaml", scale)
        assert {c.explained for c in paper.claims} == {explained}
    said = claim("ratio", A_TO_B, AT_MOST_2, cause={"fig1": "of this panel"}, explained=False)
    assert verdicts.judge(said, runs_of(FIVE, spread=0.01), seed=1)["cause"] == ""


def test_runs_that_all_agree_decide_nothing_unless_the_paper_file_says_why():
    it = runs_of(FIVE)
    row = verdicts.judge(claim("ratio", A_TO_B, AT_MOST_2), it, 1)
    assert (row["value"], row["standard_error"], row["verdict"]) == (5, 0, "undecided")
    assert row["evidence"] == "a / b at t = 1000; all runs agree, which says nothing of rarer ones"
    said = claim("ratio", A_TO_B, AT_MOST_2, zero_error_because={"fig1": "round robin has no chance in it"})
    row = verdicts.judge(said, it, 1)
    assert (row["verdict"], row["evidence"]) == ("fails", "a / b at t = 1000; round robin has no chance in it")


def test_a_promise_reads_no_runs_and_has_no_standard_error():
    it = runs_of(FIVE, algorithm="dp_ucb", epsilon=0.5, hybrid_split="full_log2")
    (row,) = judged([claim("privacy_spent", {"of": "a"}, AT_MOST_2)], [it.experiment], {})
    assert (row["value"], row["standard_error"]) == (2, None)


def test_numbers_are_written_with_the_digits_that_are_worth_writing():
    it = runs_of({"a": [0, 0, 0, 1], "b": [0, 0, 0, 3]}, spread=0.5)
    row = verdicts.judge(claim("ratio", A_TO_B, AT_MOST_2), it, seed=1)
    assert row["value"] == 0.333333
    assert row["standard_error"] == float(f"{row['standard_error']:.2g}") > 0


def test_the_last_round_alone_is_not_a_window():
    """Of "from t = 1000 on" a game of 1000 rounds shows one round."""
    it = runs_of({"a": [1, 2, 3, 5], "b": [1, 1, 1, 1]}, spread=0.01)
    for measure, arguments in (("ratio", A_TO_B), ("over_bound", {"of": ["a"], "bound": "ucb1"})):
        for since, verdict in ((1000, "undecided"), (5000, "undecided"), (100, "fails")):
            said = claim(measure, {**arguments, "since": since}, {"at_most": -10})
            assert verdicts.judge(said, it, seed=1)["verdict"] == verdict


def test_a_claim_that_needs_the_papers_horizon_is_not_measurable_in_shorter_games():
    it = runs_of(FIVE, spread=0.01)
    said = claim("ratio", A_TO_B, AT_MOST_2, needs_horizon=True)
    assert verdicts.judge(said, it, seed=1)["verdict"] == "fails"
    design = dataclasses.replace(it.experiment.design, horizon_of_paper=100_000)
    short = dataclasses.replace(it, experiment=dataclasses.replace(it.experiment, design=design))
    row = verdicts.judge(said, short, seed=1)
    assert (row["verdict"], row["value"], row["standard_error"]) == ("undecided", None, None)
    message = "not measurable at this scale: it needs games of T = 100000, and this scale's end at t = 1000"
    assert row["evidence"] == message
    together = claim("rise_between_experiments", {"of": ["a"]}, AT_MOST_2, needs_horizon=True, together=True)
    assert verdicts.judge(together, verdicts.Together((it, short)), seed=1)["verdict"] == "undecided"


@pytest.mark.parametrize("path", sorted((ROOT / "config/papers").glob("*.yaml")), ids=lambda path: path.stem)
def test_only_shorter_games_have_a_horizon_of_the_paper(path):
    """At the paper's scale no claim is kept from its verdict."""
    whole = studies.load(path, "paper").experiments
    assert {e.design.horizon_of_paper for e in whole.values()} == {None}
    for scale in ("draft", "smoke"):
        for id, e in studies.load(path, scale).experiments.items():
            longer = whole[id].design.horizon
            assert e.design.horizon_of_paper == (longer if e.design.horizon < longer else None)


@pytest.mark.parametrize(
    ("expect", "verdict"),
    [({"at_least": 299}, "fails"), ({"at_least": 301}, "undecided"), ({"at_least": 301, "at_most": 400}, "undecided"),
     ({"at_most": 301}, "holds")],
)  # fmt: skip
def test_a_regret_that_no_game_of_this_length_has_is_not_measurable(expect, verdict):
    """Two arms with a gap of 0.3 cost at most 300 in 1000 rounds."""
    it = runs_of({"a": [0, 0, 0, 200]}, spread=6.0)
    row = verdicts.judge(claim("final_spread", {"of": ["a"]}, expect), it, seed=1)
    assert row["verdict"] == verdict
    message = "not measurable at this scale: it speaks of a regret of 301, and this scale's games have at most 300"
    assert (row["evidence"] == message) == (verdict == "undecided")


@pytest.mark.parametrize(("reading", "rows"), [("", ["published", "corrected"]), ("published", ["published"])])
def test_a_sentence_about_the_figure_as_drawn_is_judged_in_that_reading_only(reading, rows):
    readings = [runs_of({"a": [0, 0, 0, 100]}, reading=name) for name in ("published", "corrected")]
    said = claim("level", {"of": ["a"]}, {"at_most": 1}, reading=reading)
    found = judged([said], [r.experiment for r in readings], {"fig1": [trace(r) for r in readings]})
    assert [row["reading"] for row in found] == rows


def test_a_claim_on_several_experiments_is_judged_once_per_reading():
    """fig1 has two readings, fig2 one: each is judged with fig2."""
    its = [
        runs_of({"a": [0, 0, 0, 100]}, reading="published", spread=1),
        runs_of({"a": [0, 0, 0, 200]}, reading="corrected", spread=1),
        runs_of({"a": [0, 0, 0, 150]}, base="fig2", spread=1),
    ]
    said = claim("rise_between_experiments", {"of": ["a"]}, {"at_most": 1}, experiments=("fig1", "fig2"), together=True)
    # The order of the claim counts, not that of the paper file.
    traces = {"fig1": [trace(it) for it in its[:2]], "fig2": [trace(its[2])]}
    found = judged([said], [it.experiment for it in reversed(its)], traces)
    corrected, published = sorted(found, key=lambda row: row["reading"])
    assert [row["reading"] for row in (published, corrected)] == ["published", "corrected"]
    assert [row["experiment"] for row in (published, corrected)] == ["fig1 fig2", "fig1 fig2"]
    assert [row["verdict"] for row in (published, corrected)] == ["fails", "holds"]
    assert [row["value"] for row in (published, corrected)] == pytest.approx([1.5, 0.75])


def test_a_slope_over_four_experiments_is_one_verdict_with_an_error():
    """Games of four lengths, each with six runs, whose final regret is 3 times the root of T."""
    factors = 1 + np.linspace(-0.1, 0.1, 6)
    parts = [
        runs_of({"a": np.outer(3 * length**0.5 * factors, [0, 0.5, 0.5, 1])}, base=f"s-{length}", horizon=length)
        for length in (256, 512, 1024, 4096)
    ]
    names = tuple(part.experiment.id for part in parts)
    said = claim("growth_exponent", {"of": "a"}, {"at_least": 0.3, "at_most": 0.7}, experiments=names, together=True)
    (row,) = judged([said], [p.experiment for p in parts], {p.experiment.id: [trace(p)] for p in parts})
    assert (row["experiment"], row["verdict"]) == ("s-256 s-512 s-1024 s-4096", "holds")
    assert row["value"] == pytest.approx(0.5)
    # ln(final) has a standard error of 0.068/sqrt(6) = 0.028 at each length; ln T = 5.55, 6.24, 6.93, 8.32 spreads by 2.05
    # around its mean, root of the sum of squares: the slope's error is 0.028/2.05.
    assert row["standard_error"] == pytest.approx(0.0136, rel=0.25)


def test_a_claim_may_ask_for_another_quantity():
    it = runs_of({"a": [1.0, 2.0, 3.0, 4.0]})
    traces = {"fig1": [trace(it, regret=it.values["a"], ignored=it.values["a"] * 0 + 7)]}
    said = claim("level", {"of": ["a"], "quantity": "ignored"}, {"at_most": 7})
    assert [row["value"] for row in judged([said], [it.experiment], traces)] == [7]


def test_a_claim_on_the_nash_regret_reads_what_the_traces_have():
    """A sweep has one Nash regret per run, from its own games; other runs have one Nash regret together."""
    it = runs_of({"a": [0] * 4}, (10, 100, 1000, 10_000))
    each = np.arange(40.0).reshape(10, 4)
    said = claim("level", {"of": ["a"], "quantity": "nash_regret"}, {"at_most": 1}, statistic="nash_regret")
    (row,) = judged([said], [it.experiment], {"fig1": [trace(it, regret=9 * each, nash_regret=each)]})
    assert row["value"] == 21
    assert row["standard_error"] > 0
    kept = {
        "regret": each,
        "measured_against": np.full((10, 1), 0.8),
        "means": np.tile([0.8, 0.2], (10, 1)),
        "first_played": np.zeros((10, 10_000), np.uint8),
        "mean_played": np.zeros((10, 0), np.float32),
        "variance_played": np.zeros((10, 0), np.float32),
    }
    kept["first_played"][:, 5000:] = 1  # half the time the arm that is worth 0.2, all runs at once
    traces = {"fig1": [trace(it, **kept)]}
    (row,) = judged([said], [it.experiment], traces)
    assert row["value"] == pytest.approx(0.8 - math.sqrt(0.8 * 0.2), rel=1e-6)
    assert (row["standard_error"], row["verdict"]) == (0, "undecided")  # all runs are the same, and nothing says why
    said = dataclasses.replace(said, zero_error_because={"fig1": "all runs play the arms in turn"})
    (row,) = judged([said], [it.experiment], traces)
    assert row["verdict"] == "holds"


AZIZE = studies.load(ROOT / "config/papers/azize2022.yaml")
OF_AZIZE = {claim.id: claim for claim in AZIZE.claims}


@pytest.mark.parametrize(("later", "verdict"), [(110, "fails"), (100, "undecided"), (80, "holds")])
def test_a_regret_that_does_not_depend_on_epsilon_is_not_smaller_at_epsilon_1(later, verdict):
    """D5 compares the first and the last panel."""
    policies = ("adap-ucb", "adap-klucb", "dp-ucb")
    its = [
        runs_of({policy: [0, 0, 0, final] for policy in policies}, base=name, spread=1)
        for name, final in (("fig4a", 100), ("fig4d", later))
    ]
    assert verdicts.judge(OF_AZIZE["D5-c1"], verdicts.Together(tuple(its)), 1)["verdict"] == verdict


@pytest.mark.parametrize(("id", "expected"), [("D8", ["holds", "fails"]), ("D9", ["fails", "holds"])])
def test_what_depends_on_epsilon_holds_one_half_of_the_caption_of_figure_3(id, expected):
    """A regret like 1/epsilon and one that does not depend on epsilon, in the regime that the claim is about."""
    said = dataclasses.replace(OF_AZIZE[id], arguments={**OF_AZIZE[id].arguments, "of": ["p"]})
    for final, verdict in zip((lambda e: 1000 / e, lambda _: 1000.0), expected, strict=True):
        curves = {e: [0, 0, 0, final(e)] for e in (0.05, 0.1, 0.2, 0.3, 1, 3, 10)}
        it = runs_of(curves, along="epsilon", base="fig3", spread=10)
        assert verdicts.judge(said, it, 1)["verdict"] == verdict


def test_a_first_reward_without_noise_is_not_private():
    """AdaP-UCB as it was drawn in sarkar2025, and as its authors define it."""
    fig1b = studies.load(ROOT / "config/papers/sarkar2025.yaml").experiments["fig1b"]
    for reading, spent in (("published", math.inf), ("corrected", 1)):
        runs = verdicts.Runs(fig1b.in_reading(reading), np.array(T), {}, "mean")
        assert general.privacy_spent(runs, of="adap-ucb").value == spent
