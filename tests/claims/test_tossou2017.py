"""tossou2017's measures on curves that are known exactly."""

import dataclasses
import math

import numpy as np
import pytest
from recorded import judged

from dpbandits import claims
from dpbandits.claims.measures import general, tossou2017
from dpbandits.errors import InputError
from dpbandits.files.traces import Trace
from dpbandits.studies import Claim, Design, Experiment, Policy, Series
from dpbandits.theory.tossou2017 import tossou2017_corollary_3_1

T = np.array([1, 256, 4096])


def runs(finals, algorithm="exp3", parameters=None, horizon=4096, statistic="median_of_means", groups=3):
    """Series -> the final value of each run."""
    series = [Series(name, name, algorithm, parameters or {}, name, 0) for name in finals]
    number = len(next(iter(finals.values())))
    experiment = Experiment(
        id="fig6a",
        base="fig6a",
        reading="",
        paper="toy2020",
        environment={"kind": "stochastic", "number_of_arms": 4, "best": 0.55, "others": 0.5},
        policies=tuple(Policy(s.id, "fig6a", (s,), number) for s in series),
        design=Design(horizon, number, groups, 10, tuple(T), "median_of_means", "mean_difference"),
    )
    values = {name: np.array([[0.0, final / 2, final] for final in it]) for name, it in finals.items()}
    return claims.Runs(experiment, T, values, statistic)


THREE_GROUPS = [1.0] * 7 + [4.0] * 7 + [10.0] * 7


def claim(predicate, arguments, expect, experiments=("fig6a",)):
    return Claim("B1", "says", "source", experiments, "median_of_means", predicate, arguments, expect, {})


def test_final_over_theorem():
    limit = 2 * math.sqrt((math.e - 1) * 4096 * 4 * math.log(4))
    it = runs({"a": [0.1 * limit] * 6, "b": [0.4 * limit] * 6})
    value, where, *_ = tossou2017.final_over_theorem(it, of=["a", "b"], theorem="tossou2017_exp3")
    assert value == pytest.approx(0.4)
    assert where.startswith("b: ")


def test_final_over_theorem_hands_on_what_the_theorem_asks_for():
    it = runs({"a": [100.0] * 6}, "dp_exp3_lap", {"epsilon": 2.0})
    value, _, *_ = tossou2017.final_over_theorem(it, of=["a"], theorem="tossou2017_corollary_3_1")
    assert value == pytest.approx(100 / tossou2017_corollary_3_1(4096, 4, 2.0))
    it = runs({"a": [100.0] * 6}, "exp3_tau", {"tau": 9, "tau_rounding": "ceil"})
    value, _, *_ = tossou2017.final_over_theorem(it, of=["a"], theorem="tossou2017_theorem_3_4")
    assert value == pytest.approx(100 / (math.sqrt(7 * 4096 * 9 * 4 * math.log(4)) + 9))


def test_final_value_is_the_claims_statistic():
    """Group means 1, 4 and 10: their median is 4, the mean of all is 5."""
    finals = {"a": THREE_GROUPS}
    assert general.level(runs(finals), of=["a"], quantity="ignored")[0] == 4
    assert general.level(runs(finals, statistic="mean"), of=["a"], quantity="ignored")[0] == 5


def test_promises():
    """DP-EXP3-Lap promises the epsilon that it is given, EXP3 2T."""
    it = runs({"a": [1.0] * 6}, "dp_exp3_lap", {"epsilon": 2.0})
    assert tossou2017.promised_epsilon(it, of="a")[0] == 2.0
    it = runs({"a": [1.0] * 6}, "exp3", {})
    assert tossou2017.promised_epsilon(it, of="a")[0] == 2 * 4096
    assert general.privacy_spent(it, of="a")[0] == 1.0


def test_largest_per_round_loss():
    value, where, *_ = tossou2017.largest_per_round_loss(runs({"a": [1.0] * 6}), of="a")
    assert 0.25 < value < 0.3
    assert ", 1 round after the changed gain" in where  # the loss does not grow in later rounds


def test_the_largest_regret_relative_to_the_first_experiment():
    parts = (
        runs({"a": [4.0] * 6, "b": [2.0] * 6}),
        runs({"a": [3.0] * 6, "b": [1.0] * 6}),
        runs({"a": [2.0] * 6, "b": [1.9] * 6}),
    )
    value, where, *_ = tossou2017.largest_over_first(claims.Together(parts), of=["a", "b"])
    assert value == pytest.approx(0.95)
    assert where.startswith("b, ")


def growing(exponent, spread=0.0):
    """Games of four lengths whose final regret is 3 T^exponent."""
    lengths = (256, 512, 1024, 4096)
    offsets = np.linspace(-spread, spread, 6)
    return tuple(
        runs({"a": (3 * length**exponent * (1 + offsets)).tolist()}, horizon=length, statistic="mean")
        for length in lengths
    )


@pytest.mark.parametrize("exponent", [0.5, 2 / 3])
def test_growth_exponent(exponent):
    value, where, *_ = tossou2017.growth_exponent(claims.Together(growing(exponent)), of="a")
    assert value == pytest.approx(exponent)
    assert where == "a, T = 256 to 4096"


def test_growth_exponent_is_judged_once_with_an_error():
    it = claims.Together(growing(0.5, spread=0.1))
    row = claims.judge(claim("growth_exponent", {"of": "a"}, {"at_least": 0.3, "at_most": 0.7}), it, seed=1)
    assert row["verdict"] == "holds"
    assert row["value"] == pytest.approx(0.5)
    # ln(final) has a standard error of 0.068/sqrt(6) = 0.028 at each length; ln T = 5.55, 6.24, 6.93, 8.32 spreads by 2.05
    # around its mean, root of the sum of squares: the slope's error is 0.028/2.05.
    assert row["standard_error"] == pytest.approx(0.0136, rel=0.25)


def trace(experiment, series, **values):
    header = {"series": {series: {}}}
    return Trace(header, T, {name: np.array([it]) for name, it in values.items()})


def test_a_claim_may_ask_for_another_quantity():
    it = runs({"a": [1.0, 2.0, 3.0]})
    values = {"regret": it.values["a"], "ignored": it.values["a"] * 0 + 7}
    said = claim("level", {"of": ["a"], "quantity": "ignored"}, {"at_most": 7})
    table = judged([said], [it.experiment], {"fig6a": [trace(it.experiment, "a", **values)]}, seed=1)
    assert table["value"].tolist() == [7]
    wrong = claim("level", {"of": ["a"], "quantity": "ignord"}, {"at_most": 7})
    with pytest.raises(InputError, match="no quantity 'ignord'; did you mean 'ignored'"):
        judged([wrong], [it.experiment], {"fig6a": [trace(it.experiment, "a", **values)]}, seed=1)


def test_a_claim_across_experiments_gets_one_row():
    parts = growing(0.5, spread=0.1)
    named = [dataclasses.replace(p.experiment, id=f"s-{i}", base=f"s-{i}") for i, p in enumerate(parts)]
    traces = {e.id: [trace(e, "a", regret=p.values["a"])] for e, p in zip(named, parts, strict=True)}
    said = claim("growth_exponent", {"of": "a"}, {"at_least": 0.4}, experiments=tuple(e.base for e in named))
    said = dataclasses.replace(said, together=True, zero_error_because={"s-0": "these runs are made without chance"})
    table = judged([said], named, traces, seed=1)
    assert table[["experiment", "verdict"]].to_numpy().tolist() == [["s-0 s-1 s-2 s-3", "holds"]]
    assert table["value"][0] == pytest.approx(0.5)
