"""Verdicts around a threshold, their errors, and the rows of the table of checks."""

import math
import re
from dataclasses import replace
from unittest import mock

import numpy as np
import pytest
from checks.known_runs import TEST, VERDICTS, judge, placed, runs_of, table
from project import PAPERS, study_of

from dpbandits.checks import judging, placing
from dpbandits.checks.judging import decide, p_value, runs_needed
from dpbandits.checks.measurement import OFTEN, Measurement, chance_of_figure, with_error
from dpbandits.errors import InputError
from dpbandits.files import Trace
from dpbandits.statistics.estimators import errors_needed

A_TO_B = {"of": ["a"], "to": ["b"]}
FIVE = {"a": [0, 0, 0, 5], "b": [0, 0, 0, 1]}  # a / b is 5
RISE = "rise_between_experiments"


def final(parts):
    """The final value of `a`, as a measure."""
    return Measurement(parts[0].final("a"), "")


def judge_ratio(runs, expect, **further):
    """The row of a check of a / b."""
    return judge("ratio", A_TO_B, expect, runs, **further)


def trace(runs, **values):
    """The trace of an experiment's only series: its regret, or these quantities."""
    (only,), (name,) = runs.of.values(), runs.experiment.series
    values = {key: of_it[None] for key, of_it in (values or {"regret": only.values}).items()}
    return Trace({"series": {name: {}}, "runs": [0, 0]}, runs.t, values)


def with_design(runs, **changes):
    """The same runs, of an experiment of another design."""
    design = replace(runs.experiment.design, **changes)
    vars(design)["rounds"] = runs.experiment.design.rounds
    return replace(runs, experiment=replace(runs.experiment, design=design))


def runs_with_error(value, error):
    """Runs of `a` whose bootstrap over 100 runs has about this error, and of `b` at 1."""
    around = error * np.sqrt(100 / 99) * 10 * np.tile([-1, 1], 50)[:, None]
    return runs_of({"a": value + around * np.ones(4), "b": np.ones((100, 4))})


@pytest.mark.parametrize("verdict", VERDICTS["verdicts"])
def test_verdicts(verdict):
    for measured, error, expect in VERDICTS["verdicts"][verdict]:
        measurement = Measurement(measured, "", error)
        assert decide(measurement, expect) == verdict, (measurement, expect)


@pytest.mark.parametrize(
    ("number", "errors", "decided"),
    [(4, 3.6, False), (4, 4, True), (10, 2.4, False), (10, 2.5, True), (40, 2.2, True)],
)
def test_a_bootstrap_has_the_error_of_a_mean_and_needs_students_t_over_few_runs(
    number, errors, decided
):
    """Four runs need 3.818 errors: 3.307 by Student's t at two normal errors, times sqrt(4/3).

    Ten runs need 2.446.
    """
    finals = 100 + np.linspace(-40, 40, number)
    runs = runs_of({"a": np.outer(finals, np.ones(4)), "b": np.ones((number, 4))})
    error = judge_ratio(runs, {"at_most": 0})["standard_error"]
    assert error == pytest.approx(finals.std() / math.sqrt(number), rel=0.2)
    assert error == float(f"{error:.2g}")
    row = judge_ratio(runs, {"at_most": 100 - errors * error})
    assert (row["value"], row["verdict"]) == (100, "fails" if decided else "undecided")


def test_a_row_of_the_table_of_checks():
    runs = runs_of(FIVE, spread=0.01)
    row = judge_ratio(runs, {"at_least": 4, "at_most": 6}, figures=["fig1", "fig2"])
    error = row["standard_error"]
    assert row["interval_low"] == pytest.approx(5 - 2.446 * error, abs=0.1 * error)
    assert row["interval_high"] + row["interval_low"] == pytest.approx(10)
    assert VERDICTS["row"].items() <= row.items()
    row = judge_ratio(runs, {"at_least": 4})
    assert (row["relation"], row["threshold"], row["threshold_high"]) == ("at_least", 4, None)
    assert row["critical_threshold"] == row["interval_low"]


@pytest.mark.parametrize(
    ("spread", "is_short", "keys", "most", "verdict", "says", "cause"),
    VERDICTS["reasons"],
    ids=str,
)
def test_a_verdict_has_its_reasons(spread, is_short, keys, most, verdict, says, cause):
    runs = runs_of(FIVE, spread=spread)
    runs = with_design(runs, horizon_of_paper=100_000) if is_short else runs
    row = judge_ratio(runs, {"at_most": most}, **keys)
    wanted = verdict, f"a / b at t = 1000{says}", cause
    assert (row["verdict"], row["evidence"], row["cause"]) == wanted


def test_runs_that_differ_in_their_last_bits_agree():
    last_bits = np.outer([5, 5 + 1e-15] * 5, [0, 0, 0, 1])
    assert judge_ratio(runs_of(FIVE | {"a": last_bits}), {"at_most": 2})["standard_error"] == 0


@pytest.mark.parametrize(
    ("a", "b", "is_finite"),
    [
        (5, 0, False),
        (0, 0, False),
        # A third of the resamples lack the only run that is not 0.
        (5, [0] * 9 + [10], True),
        (0, [0] * 9 + [10], True),
    ],
)
def test_a_number_that_is_not_finite_is_undecided(a, b, is_finite):
    """So is one that is not finite in a resample. Nothing excuses its infinite error."""
    finals = (np.broadcast_to(final, 10) for final in (a, b))
    values = dict(zip("ab", (np.outer(final, [0, 0, 0, 1]) for final in finals), strict=True))
    row = judge_ratio(runs_of(values), {"below": 9}, zero_error_because={"fig1": "x"})
    assert (row["verdict"], row["standard_error"]) == ("undecided", math.inf)
    assert math.isfinite(row["value"]) == is_finite
    where = "in a resample of the runs, " if is_finite else "not measurable at this scale: "
    assert f"{where}a logarithm or a ratio is not finite" in row["evidence"]


def test_the_evidence_says_how_many_runs_would_decide():
    """1.05 is half of a spread of 0.1 from the threshold, so that four times as many decide."""
    row = judge_ratio(runs_with_error(1.05, 0.05), {"at_most": 1})
    times = float(re.search(r"([\d.]+) times as many runs would decide it", row["evidence"])[1])
    needed = 2 * row["standard_error"] / (row["value"] - 1)
    assert (row["verdict"], times) == ("undecided", pytest.approx(needed**2, rel=0.1))
    for error in (0.05, math.inf):
        assert runs_needed(Measurement(1.2, "", error), {"at_most": 1}) == ""


def test_the_evidence_says_why_a_threshold_or_a_window_is_not_the_usual_one():
    check = placed("ratio", {**A_TO_B, "since": 10}, {"at_most": 2}, runs_with_error(1.1, 0.1))
    row = judging.judge(check, [runs_with_error(1.1, 0.1)], 1)
    assert row["evidence"].endswith(f"; departs: {TEST}; window: {TEST}")


@pytest.mark.parametrize(
    ("sentence", "value", "verdict"),
    [
        ("much better", 0.5, "a matter of degree"),
        ("much better", 0.9, "undecided"),
        ("much better", 1.4, "fails"),
        ("similar", 9, "a matter of degree"),
    ],
)
def test_a_word_without_a_number_is_a_matter_of_degree_on_its_right_side(sentence, value, verdict):
    """Its critical threshold is the end of the interval towards the side on which it fails."""
    row = judge_ratio(runs_with_error(value, 0.1), sentence, degree="slightly")
    assert row["verdict"] == verdict
    assert row["critical_threshold"] == row["interval_high"]
    assert row["interval_high"] == pytest.approx(value + 0.2, abs=0.05)
    critical = f"above {row['interval_high']:.4g}"
    words = f"'slightly' has no number: it holds for every threshold {critical}"
    assert (words in row["evidence"]) == (verdict == "a matter of degree")
    agreeing = judge_ratio(runs_of(FIVE), sentence, degree="slightly")
    assert agreeing["verdict"] == "undecided"


@pytest.mark.parametrize(
    ("final", "share", "verdict"), [(0.7, 0.757, "holds"), (1.0, 0.5, "holds"), (3.0, 0, "fails")]
)
def test_a_sentence_about_a_figure_fails_if_such_figures_are_rare(final, share, verdict):
    """Final regrets of a have a deviation of 0.86, so their means of four runs have 0.43.

    Those of b are 1. The probability of a smaller mean is that of the normal law.
    """
    finals = np.random.default_rng(3).normal(final, 0.86, 400)
    runs = runs_of({"a": np.outer(finals, [0, 0, 0, 1]), "b": np.ones((400, 4))})
    row = judge_ratio(runs, "better", drawn_runs=4)
    assert row["verdict"] == verdict
    found = float(re.search(r"share of ([\d.]+) ± ([\d.]+)", row["evidence"])[1])
    assert found == pytest.approx(share, abs=0.08)
    assert row["share"] == pytest.approx(found, abs=1e-3)
    assert row["p_value"] < 1e-6


@pytest.mark.parametrize(("truth", "least", "most"), [(1.28, 0, 4), (10, 40, 40)])
def test_as_many_runs_as_a_figure_has_contradict_it_from_far_away_only(truth, least, most):
    """Means of 20 runs have a deviation of 1 around the truth: one in ten is below 0, or none.

    Resamples of these runs all agree in a third of the cases in which one in ten is below 0.
    """
    verdicts, rng = [], np.random.default_rng(1)
    for _ in range(40):
        finals = rng.normal(truth, math.sqrt(20), 20)
        runs = runs_of({"a": np.outer(finals, np.ones(4))})
        share = chance_of_figure(final, [runs], 20, {"below": 0.0}, rng)
        verdicts.append(decide(share, OFTEN))
    assert least <= verdicts.count("fails") <= most


@pytest.mark.parametrize(("number", "error"), [(400, 0.043), (40_000, 0.016)])
def test_the_error_of_a_share_of_figures_is_that_of_our_runs(number, error):
    """Figures of four runs, of which half lie below 1.

    The mean of 400 runs moves by a tenth of the deviation of a figure's, and the share by 0.0399.
    The 1,000 figures add 0.5/sqrt(1000) = 0.0158, which mostly is all that is left with many runs.
    """
    runs = runs_of({"a": np.outer(np.random.default_rng(2).normal(1, 0.86, number), np.ones(4))})

    errors = [
        chance_of_figure(final, [runs], 4, {"below": 1.0}, np.random.default_rng(n)).error
        for n in range(10)
    ]
    assert np.median(errors) == pytest.approx(error, rel=0.25)


def test_a_figure_has_its_number_of_runs_of_each_series():
    """Of series with as many runs the same ones, since runs may be pairs."""
    numbers = {"a": 40, "b": 40, "c": 9}
    runs = runs_of({name: np.outer(np.arange(n), np.ones(4)) for name, n in numbers.items()})
    drawn = []

    def measure(parts):
        drawn.append([parts[0].runs_of(name, -1).tolist() for name in numbers])
        return Measurement(0.0, "")

    chance_of_figure(measure, [runs], 9, {"below": 1.0}, np.random.default_rng(1))
    for a, b, c in drawn:
        assert a == b
        assert len(a) == len(c) == 9
    assert {n for *_, c in drawn for n in c} == set(range(9))


def test_a_figure_of_equal_curves_contradicts_nothing_and_needs_enough_runs():
    equal = runs_of({"a": np.ones((30, 4)), "b": np.ones((30, 4))})
    assert judge_ratio(equal, "better", drawn_runs=30)["verdict"] == "holds"
    with mock.patch.object(judging, "with_error") as bootstrap:
        row = judge_ratio(equal, "better", drawn_runs=31)
    assert (row["verdict"], bootstrap.called) == ("undecided", False)
    assert "it is about 31 runs, and this scale has 30" in row["evidence"]


@pytest.mark.parametrize(
    ("changes", "p"),
    [({}, 0.0027), ({"needed": 3}, 0.0455), ({"error": None}, 0), ({"value": math.nan}, 1)],
)
def test_a_p_value_is_the_tail_of_the_normal_law(changes, p):
    """Three errors from the threshold, of which two decide; a number without chance has none."""
    measurement = Measurement(1.3, "", 0.1)._replace(**changes)
    assert p_value(measurement, {"at_most": 1.0}, None) == pytest.approx(p, rel=0.01)


def test_a_rare_figure_contradicts_a_sentence_no_better_than_by_its_own_probability():
    """The share 0.01 is 15 of its errors below what is often."""
    measurement, share = Measurement(1.3, "", 0.1), Measurement(0.01, "", 0.0024)
    assert p_value(measurement, {"at_most": 1.0}, share) == 0.01


def test_the_series_with_the_fewest_runs_says_how_many_errors_decide():
    few = np.outer([4.0, 6.0, 4.0, 6.0], np.ones(4))
    measured = with_error(
        lambda parts: Measurement(parts[0].final("a") / parts[0].final("b"), ""),
        [runs_of({"a": few, "b": np.ones((100, 4))})],
        np.random.default_rng(1),
    )
    assert measured.needed == errors_needed(4) > errors_needed(100)


def test_a_promise_reads_no_runs_and_has_no_standard_error():
    runs = runs_of(FIVE, algorithm="dp_ucb", epsilon=0.5, hybrid_split="full_log2")
    (row,) = table([placed("privacy_spent", {"of": "a"}, {"at_most": 2}, runs)], {})
    assert row["value"] == 2
    assert math.isnan(row["standard_error"])


def test_a_loss_may_be_infinite():
    runs = runs_of(FIVE, algorithm="adap_ucb_as_drawn", epsilon=0.5, noise="laplace", alpha=3.1)
    (row,) = table([placed("privacy_spent", {"of": "a"}, "a promise", runs)], {})
    assert row["value"] == math.inf
    assert math.isnan(row["interval_high"])


@pytest.mark.parametrize(
    ("measure", "says"),
    [
        ("privacy_spent", "algorithm 'ucb' promises no privacy; ask this of a private one"),
        ("exact_loss", "expect.exact_loss: KeyError: <class 'dpbandits"),
    ],
)
def test_a_check_that_cannot_be_measured_is_named(measure, says):
    check = replace(placed(measure, {"of": "a"}, "a promise", runs_of(FIVE)), file="mine.yaml")
    with pytest.raises(InputError, match=f"^mine.yaml: A1 on fig1: {says}"):
        table([check], {})


def test_what_needs_the_papers_horizon_is_not_measurable_in_shorter_games():
    """Of several experiments it is one that is too short."""
    runs = runs_of(FIVE, spread=0.01)
    short = with_design(runs, horizon_of_paper=100_000)
    for row in (
        judge_ratio(short, {"at_most": 2}, needs_horizon=True),
        judge_ratio(short, "similar", needs_horizon=True, degree="slightly"),
        judge(RISE, {"of": ["a"]}, {"at_most": 2}, runs, short, needs_horizon=True),
    ):
        message = "not measurable at this scale: it needs games of T = 100000, and this scale's are"
        assert row["evidence"] == f"{message} shorter"
        assert (row["verdict"], row["standard_error"]) == ("undecided", math.inf)
        assert np.isnan([row["value"], row["critical_threshold"]]).all()


@pytest.mark.parametrize("paper", PAPERS)
def test_only_shorter_games_have_a_horizon_of_the_paper(paper):
    """At the paper's scale no check is kept from its verdict."""
    whole, smoke = (study_of(paper, scale).experiments for scale in ("paper", "smoke"))
    assert {e.design.horizon_of_paper for e in whole.values()} == {None}
    for id, e in smoke.items():
        longer = whole[id].design.horizon
        assert e.design.horizon_of_paper == (longer if e.design.horizon < longer else None)


def test_a_check_of_several_experiments_is_judged_once_per_reading():
    """fig1 has two readings, fig2 one: each is judged with fig2.

    Each mean has an error of 0.638/sqrt(10) = 0.202, so that 150/100 and 150/200 have 1.5 and 0.75
    times the root of the sum of (0.202/150)^2 and (0.202/100)^2 or (0.202/200)^2.
    """
    published, corrected = (
        runs_of({"a": [0, 0, 0, final]}, reading=reading, spread=1)
        for reading, final in (("published", 100), ("corrected", 200))
    )
    both = runs_of({"a": [0, 0, 0, 150]}, experiment="fig2", spread=1)
    checks = [
        placed(RISE, {"of": ["a"]}, {"at_most": 1}, runs, both) for runs in (published, corrected)
    ]
    rows = table(checks, {"fig1": [trace(published), trace(corrected)], "fig2": [trace(both)]})
    columns = ("reading", "experiment", "verdict", "value")
    assert [[row[column] for column in columns] for row in rows] == [
        ["published", "fig1 fig2", "fails", 1.5],
        ["corrected", "fig1 fig2", "holds", 0.75],
    ]
    errors = [row["standard_error"] for row in rows]
    assert errors == pytest.approx([0.00364, 0.00126], rel=0.2)


def test_a_check_of_the_nash_regret_reads_what_the_traces_have():
    """A sweep has one Nash regret per run, from its own games. Other runs have one together.

    A check may measure another quantity.
    """
    runs = with_design(runs_of({"a": [0] * 4}, (10, 100, 1000, 10_000)), quantity="nash_regret")
    each = np.arange(40.0).reshape(10, 4)
    ignored = placed("mean_of", {"of": ["a"], "quantity": "ignored"}, {"at_most": 7}, runs)
    (row,) = table([ignored], {"fig1": [trace(runs, regret=each, ignored=each * 0 + 7)]})
    assert row["value"] == 7
    check = placed("final_over_earlier", {"of": ["a"], "since": 1000}, {"at_most": 1}, runs)
    (row,) = table([check], {"fig1": [trace(runs, regret=each**2, nash_regret=each)]})
    assert row["value"] == 21 / 20
    assert row["standard_error"] > 0
    # From round 501 on all runs play the arm that is worth 0.2.
    together = {
        "regret": each,
        "measured_against": np.full((10, 1), 0.8),
        "means": np.tile([0.8, 0.2], (10, 1)),
        "first_played": np.tile(np.arange(10_000) >= 500, (10, 1)).astype(np.uint8),
        "mean_played": np.zeros((10, 0), np.float32),
        "variance_played": np.zeros((10, 0), np.float32),
    }
    (row,) = table([check], {"fig1": [trace(runs, **together)]})
    late, earlier = (0.8 - 0.8**share * 0.2 ** (1 - share) for share in (0.05, 0.5))
    assert row["value"] == pytest.approx(late / earlier, rel=1e-5)
    # All runs are the same, and nothing says why.
    assert (row["standard_error"], row["verdict"]) == (0, "undecided")


def test_what_is_judged_of_a_study_follows_its_file():
    study = study_of("azize2022")
    checks = placing.placed_checks(study)
    chosen = [one for one in checks if one.id in ("D1", "D5-c1", "D16-dp-se")]
    wanted = (
        "D1 experiment fig2",
        "D5-c1 experiment fig4a fig4d",
        "D16-dp-se privacy fig2",
        "D16-dp-se privacy fig4a",
    )
    assert [f"{one.id} {one.kind} {one.ids} {one.reading}" for one in chosen] == [
        f"{each} {reading}" for each in wanted for reading in ("published", "corrected")
    ]
    assert {one.id for one in checks} == study.checks.keys()
