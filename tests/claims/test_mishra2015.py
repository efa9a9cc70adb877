"""The columns and measures of mishra2015's claims on curves that are known exactly."""

import dataclasses
import math

import numpy as np
import pytest
from recorded import judged

from dpbandits import claims
from dpbandits.claims.measures import general, mishra2015
from dpbandits.files.traces import Trace
from dpbandits.statistics import estimators
from dpbandits.statistics.summaries import SUMMARY, summary_of
from dpbandits.studies import Claim, Design, Experiment, Policy, Series

T = np.array([10, 500, 1000])
MEANS = [0.9, 0.4, 0.4, 0.4, 0.4]


def runs(curves, base="fig1", statistic="mean", algorithm="private_ucb_tuned", policy="p", **given):
    """curves: epsilon -> one curve per run."""
    series = tuple(
        Series(f"{policy}-{e:g}", policy, algorithm, {"epsilon": e, **given}, policy, i) for i, e in enumerate(curves)
    )
    experiment = Experiment(
        id=base,
        base=base,
        reading="",
        paper="toy2020",
        environment={"kind": "bernoulli", "means": MEANS},
        policies=(Policy(policy, base, series, 4),),
        design=Design(1000, 4, 2, 4, tuple(T.tolist()), "mean", "sigma"),
    )
    values = {f"{policy}-{e:g}": np.asarray(curve, float) for e, curve in curves.items()}
    return claims.Runs(experiment, T, values, statistic)


# Three runs without further regret and one that loses half the gap (0.25) per round in its second half.
SOME = [[4, 100, 100], [4, 100, 104], [4, 80, 80], [4, 80, 205]]


def test_locked_in_by_hand():
    """A quarter of the gap 0.5 over the 500 rounds since t/2: 62.5. At t = 500 the rounds since 10, at 10 all ten."""
    share = estimators.locked_in(np.array(SOME, float), T, 0.5)
    assert share.tolist() == [1.0, 1.0, 0.25]
    share, evidence, error, _ = mishra2015.locked_in_share(runs({1: SOME}), of=["p"])
    assert (share, evidence) == (0.25, "0.25 in p-1")
    assert error == pytest.approx(math.sqrt(3 / 8 * 5 / 8 / 8))  # (1 + 2) of (4 + 4) runs
    border = np.array([[0, 0, 62.5], [0, 0, 62.4]])
    assert estimators.locked_in(border, T, 0.5)[-1] == 0.5


def test_a_summary_has_the_columns_that_it_is_asked_for_and_no_others():
    header = {"series": {"a": {}}, "environment": {"kind": "bernoulli", "means": MEANS}}
    trace = Trace(header, T, {"regret": np.array(SOME, float)[None]})
    usual, more = summary_of([trace], 2, "sigma"), summary_of([trace], 2, "sigma", ["median", "locked_in"])
    assert list(usual) == SUMMARY
    assert list(more) == [*SUMMARY, "median", "locked_in"]
    assert all(more[name].tolist() == usual[name].tolist() for name in SUMMARY)
    assert more["median"].tolist() == [4, 90, 102]
    assert more["locked_in"].tolist() == [1.0, 1.0, 0.25]


def test_a_claim_may_read_the_median():
    assert runs({1: SOME}, statistic="median").curve("p-1").tolist() == [4, 90, 102]
    assert runs({1: SOME}).curve("p-1").tolist() == [4, 90, 122.25]


def test_late_share():
    two = runs({1: SOME, 2: [[0, 50, 100]] * 4})
    assert mishra2015.late_share(two, of=["p"], since=0.5)[:2] == (0.5, "p-2 after t = 500")
    assert mishra2015.late_share(two, of=["p-1"], since=0.5)[0] == pytest.approx(1 - 90 / 122.25)
    assert mishra2015.late_share(two, of=["p-1"], since=0.7)[0] == pytest.approx(1 - 90 / 122.25)


def test_final_over_uniform_play():
    """The mean gap is 0.4: 400 in 1000 rounds."""
    assert mishra2015.final_over_uniform_play(runs({1: [[0, 200, 400]] * 4}), of=["p"])[0] == 1.0
    assert mishra2015.final_over_uniform_play(runs({1: [[0, 200, 400]] * 4, 2: [[0, 9, 100]] * 4}), of=["p"])[0] == 0.25


def test_the_largest_rise():
    it = runs({0.1: [[0, 0, 80]] * 4, 1: [[0, 0, 20]] * 4, 0.5: [[0, 0, 40]] * 4, 10: [[0, 0, 19]] * 4})
    value, where, *_ = general.rise(it, of=["p"], along="epsilon", take="max")
    assert (value, where) == (pytest.approx(0.95), "from epsilon = 1 to 10")


def test_ratio_between_experiments_pairs_equal_values_only():
    first = runs({0.1: [[0, 0, 80]] * 4, 1: [[0, 0, 20]] * 4, 7: [[0, 0, 1]] * 4})
    second = runs({1: [[0, 0, 10]] * 4, 0.1: [[0, 0, 20]] * 4}, base="fig2", policy="q")
    both = claims.Together((first, second))
    value, where, *_ = mishra2015.ratio_between_experiments(both, of=["q"], to=["p"], along="epsilon")
    assert value == 0.5
    assert where == "q / p at T, 0.5 at epsilon = 1, 0.25 at epsilon = 0.1"
    assert mishra2015.ratio_between_experiments(both, of=["q-1"], to=["p-0.1"])[0] == pytest.approx(10 / 80)


def test_bound_over_uniform_play():
    value, where, *_ = mishra2015.bound_over_uniform_play(runs({1: SOME}), of="p-1", bound="ucb1")
    assert value == pytest.approx((4 * 8 * np.log(1000) / 0.5 + 4 * 0.5 * (1 + np.pi**2 / 3)) / 400)
    assert where.endswith("against 400 at t = 1000")


def test_privacy_composed_and_tuned():
    it = runs({1: SOME}, relax_c=0.0)
    assert mishra2015.privacy_composed(it, of="p-1")[0] == 1.0
    half = runs({1: SOME}, algorithm="private_thompson")
    assert mishra2015.privacy_composed(half, of="p-1")[0] == 0.5
    series = tuple(Series(f"p-{c}", "p", "private_ucb_tuned", {"epsilon": 2.0, "relax_c": c}, "p", c) for c in range(3))
    swept = dataclasses.replace(it.experiment, policies=(Policy("p", "fig1", series, 10),))
    assert mishra2015.privacy_of_the_best_of(dataclasses.replace(it, experiment=swept), of="p")[:2] == (
        3.0,
        "p: 3 settings",
    )


def test_the_middle_ratio_of_a_sweep():
    it = runs({0.1: [[0, 0, 80]] * 4, 1: [[0, 0, 20]] * 4, 2: [[0, 0, 10]] * 4})
    value, where, *_ = mishra2015.middle_ratio(it, of=["p"], to="p-2")
    assert value == 2
    assert where == "over p-2: p-0.1 8, p-1 2, p-2 1"


@pytest.mark.parametrize(("reading", "rows"), [("", ["published", "corrected"]), ("published", ["published"])])
def test_a_sentence_about_the_figure_as_drawn_is_judged_in_that_reading_only(reading, rows):
    it = runs({1: SOME})
    readings = [dataclasses.replace(it.experiment, id=id, reading=name) for id, name in (("fig1", "published"), ("fig1.corrected", "corrected"))]  # fmt: skip
    trace = Trace({"series": {"p-1": {}}}, T, {"regret": it.values["p-1"][None]})
    said = Claim(
        "E1", "says", "source", ("fig1",), "mean", "level", {"of": ["p-1"]}, {"at_most": 1}, {}, reading=reading
    )
    table = judged([said], readings, {e.id: [trace] for e in readings}, seed=1)
    assert table["reading"].tolist() == rows
