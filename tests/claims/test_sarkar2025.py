"""The measures of sarkar2025's claims, and the Nash regret in claims, on curves that are known exactly."""

import math
from dataclasses import replace

import numpy as np
import pytest
from project import ROOT
from recorded import judged

from dpbandits import claims, studies
from dpbandits.claims import NotMeasured
from dpbandits.claims.measures import general, sarkar2025
from dpbandits.files.traces import Trace
from dpbandits.statistics.estimators import NashRuns
from dpbandits.studies import Claim, Design, Experiment, Policy, Series

T = np.array([10, 100, 1000, 10_000])


def runs(given, statistic="mean", spread=0.0, reading=""):
    """Ten runs per series, evenly spread around the given curves."""
    series = [Series(n, n, "gdp_ncb", {"epsilon": 0.2, "noise_log": "ln"}, n, 0) for n in given]
    experiment = Experiment(
        "fig1", "fig1", reading, "toy2020", {"kind": "bernoulli", "means": [0.9, 0.1]},
        tuple(Policy(s.id, "fig1", (s,), 10) for s in series), Design(10_000, 10, 5, 10, tuple(T.tolist()), "mean", "sigma"),
    )  # fmt: skip
    offsets = np.linspace(-spread, spread, 10)[:, None]
    values = {name: np.asarray(curve, float)[None, :] + offsets for name, curve in given.items()}
    return claims.Runs(experiment, T, values, statistic)


THREE = runs({"a": [4, 2, 1, 0.5], "b": [3, 3, 2, 1], "c": [9, 9, 8, 5]})


def test_extremes_of_a_curve_from_a_round_on():
    it = runs({"a": [4, 1, 3, 2]})
    assert general.level(it, of=["a"], since=10, take="min")[:2] == (1, "a at t = 100")
    assert general.level(it, of=["a"], since=1000, take="min")[:2] == (2, "a at t = 10000")
    assert general.level(it, of=["a"], since=100)[:2] == (3, "a at t = 1000")
    with pytest.raises(NotMeasured):
        general.level(it, of=["a"], since=20_000)


def test_later_over_earlier():
    assert sarkar2025.later_over_earlier(THREE, of="a", earlier=[10, 100], later=[900, 20_000])[0] == pytest.approx(
        0.25
    )
    with pytest.raises(NotMeasured):
        sarkar2025.later_over_earlier(THREE, of="a", earlier=[11, 99], later=[900, 20_000])


def test_final_over_earlier_is_that_of_the_slowest():
    value, where, *_ = sarkar2025.final_over_earlier(THREE, of=["a", "b", "c"], since=100)
    assert value == pytest.approx(5 / 9)
    assert where == "c from t = 100 to 10000"
    with pytest.raises(NotMeasured, match="rounds from t = 5000 on"):
        sarkar2025.final_over_earlier(THREE, of=["a"], since=5000)


def test_orders_are_those_of_all_rounds():
    assert sarkar2025.order(THREE, of=["a", "b", "c"], since=100)[0] == pytest.approx(2 / 3)
    value, where, *_ = sarkar2025.order(THREE, of=["a", "b", "c"], since=10)
    assert (value, where) == (pytest.approx(4 / 3), "a / b at t = 10")
    assert general.ratio(THREE, of=["a"], to=["b", "c"], since=10)[0] == pytest.approx(4 / 3)
    assert general.ratio(THREE, of=["c"], to=["a", "b"], since=10)[0] == pytest.approx(10)


def test_where_a_curve_stays_below():
    assert sarkar2025.stays_below_since(THREE, of="a", to="b")[0] == 100
    assert sarkar2025.stays_below_since(THREE, of="a", to="c")[0] == 10
    assert sarkar2025.stays_below_since(THREE, of="a", to="c", by=10_000)[0] == 10
    with pytest.raises(NotMeasured):
        sarkar2025.stays_below_since(THREE, of="a", to="c", by=10_001)
    assert sarkar2025.stays_below_since(THREE, of="b", to="a")[:2] == (10_000, "b / a is 2 at the end, t = 10000")


def test_ratios_of_pairs():
    lists = {"of": ["a", "b"], "to": ["b", "c"]}
    assert general.ratio(THREE, **lists, pairs="in_turn")[0] == pytest.approx(0.5)
    assert general.ratio(THREE, **lists, pairs="in_turn", take="min")[0] == pytest.approx(0.2)
    assert sarkar2025.ratio_over_log2_of_T(THREE, **lists)[0] == pytest.approx(0.5 / math.log2(10_000))
    with pytest.raises(ValueError, match="shorter"):
        general.ratio(THREE, of=["a", "b"], to=["c"], pairs="in_turn")


def test_ratio_of_differences():
    assert sarkar2025.ratio_of_differences(THREE, of="b", to="c", minus="a")[0] == pytest.approx(0.5 / 4.5)


def test_slopes_of_powers_are_found_exactly():
    it = runs({"half": 3 * T**-0.5, "third": 2 * T ** (-1 / 3), "one": 9.0 / T})
    value, where, *_ = sarkar2025.smallest_step_of_slopes(it, of=["one", "half", "third"], since=100, until=10_000)
    assert value == pytest.approx(1 / 2 - 1 / 3)
    assert where == "slopes from 100 to 10000: one -1.000, half -0.500, third -0.333"
    with pytest.raises(NotMeasured):
        sarkar2025.smallest_step_of_slopes(it, of=["one", "half"], since=100, until=100_000)


def test_the_slope_of_a_power_in_time_is_its_exponent():
    it = runs({"half": 3 * T**-0.5, "one": 9.0 / T})
    assert sarkar2025.slope_in_time(it, of="half", since=100, until=10_000)[0] == pytest.approx(-1 / 2)
    assert sarkar2025.slope_in_time(it, of="one", since=10, until=1000)[0] == pytest.approx(-1)
    with pytest.raises(NotMeasured):
        sarkar2025.slope_in_time(it, of="one", since=100, until=100_000)


def test_privacy_is_that_of_the_worst_game_of_a_sweep():
    """gdp_ncb with ln T: T = 10 has at most 1 episode, 100 has 5, 1000 has 8, 10 000 has 12 (of 2, 4, 8, ... rounds)."""
    it = runs({"a": [0] * 4})
    value, where, *_ = sarkar2025.privacy_spent_in_any_game(it, of="a")
    spent = {10: 1 / math.log(10), 100: 5 / math.log(100), 1000: 8 / math.log(1000), 10_000: 12 / math.log(10_000)}
    assert value == pytest.approx(max(spent.values()))
    assert max(spent, key=spent.get) == 10_000
    assert where == "a: T = 10000 of 4 games from T = 10 to 10000"
    assert general.privacy_spent(it, of="a")[0] == pytest.approx(spent[10_000])


def test_the_worst_game_of_figure_1a():
    """Not the longest: at T = 535 there are 8 episodes, as at T = 1002, beside a smaller logarithm."""
    paper = studies.load(ROOT / "config/papers/sarkar2025.yaml")
    for reading, value, worst in (("", 8 / math.log(535), 535), (".corrected", 8 / math.log2(535), 535)):
        experiment = paper.experiments[f"fig1a{reading}"]
        it = claims.Runs(experiment, np.array(experiment.design.checkpoints), {}, "mean")
        found, where, *_ = sarkar2025.privacy_spent_in_any_game(it, of="gdp-ncb")
        assert found == pytest.approx(value)
        assert f"T = {worst} of 1000 games" in where
        assert found > general.privacy_spent(it, of="gdp-ncb")[0]


def shares(values, average=0.0):
    """One run for each of these shares, the same at every checkpoint."""
    logs = np.repeat(np.asarray(values, float)[:, None], len(T), axis=1)
    return NashRuns(0.9, logs, np.full(len(T), average))


def test_the_nash_regret_is_a_statistic_like_any_other():
    it = runs({"a": [0, 0, 0, 0]}, "nash_regret")
    it.values["a"] = shares([-1.0, -2.0, -3.0])
    assert it.curve("a") == pytest.approx([0.9 - math.exp(-2)] * 4)
    assert general.level(it, of=["a"], quantity="nash_regret")[0] == pytest.approx(0.9 - math.exp(-2))
    again = it.resampled(np.random.default_rng(1))
    chosen = again.resample["a"]
    assert again.curve("a") == pytest.approx([0.9 - math.exp(-np.mean(chosen + 1))] * 4)
    error = math.exp(-2) * 1 / math.sqrt(3)
    assert it.values["a"].error() == pytest.approx([error] * 4)


def claim(predicate, arguments, statistic="nash_regret"):
    return Claim("C1", "it is so", "here", ("fig1",), statistic, predicate, arguments, {"at_most": 1.0}, {})


def trace(values):
    return Trace({"series": {"a": {}}}, T, values)


def test_a_claim_on_the_nash_regret_reads_what_the_traces_have():
    """A sweep has one Nash regret per run, from its own games; other runs have one Nash regret together."""
    experiment = runs({"a": [0] * 4}).experiment
    each = np.arange(40.0).reshape(1, 10, 4)
    measured = claim("level", {"of": ["a"], "quantity": "nash_regret"})
    (row,) = judged([measured], [experiment], {"fig1": [trace({"regret": 9 * each, "nash_regret": each})]}, 1).to_dict(
        "records"
    )
    assert row["value"] == 21
    assert row["standard_error"] > 0
    kept = {
        "regret": each,
        "measured_against": np.full((1, 10, 1), 0.8),
        "means": np.tile([0.8, 0.2], (1, 10, 1)),
        "first_played": np.zeros((1, 10, 10_000), np.uint8),
        "mean_played": np.zeros((1, 10, 0), np.float32),
        "variance_played": np.zeros((1, 10, 0), np.float32),
    }
    kept["first_played"][0, :, 5000:] = 1  # half the time the arm that is worth 0.2, all runs at once
    (row,) = judged([measured], [experiment], {"fig1": [trace(kept)]}, 1).to_dict("records")
    assert row["value"] == pytest.approx(0.8 - math.sqrt(0.8 * 0.2), rel=1e-6)
    assert (row["standard_error"], row["verdict"]) == (0, "undecided")  # all runs are the same, and nothing says why
    measured = replace(measured, zero_error_because={"fig1": "all runs play the arms in turn"})
    (row,) = judged([measured], [experiment], {"fig1": [trace(kept)]}, 1).to_dict("records")
    assert row["verdict"] == "holds"
