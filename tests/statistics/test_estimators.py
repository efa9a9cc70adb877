"""Median of means and Gini's mean difference against values by hand, brute force and theory."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from dpbandits.files import Trace
from dpbandits.statistics import estimators
from dpbandits.statistics.estimators import (
    change_point,
    errors_needed,
    locked_in,
    mean,
    means_of_resamples,
    median_of_means,
    number_of_groups,
    one_sided_deviations,
    summarise,
)
from dpbandits.statistics.summaries import NASH, SUMMARY, summary_of


def test_median_of_means_by_hand():
    values = np.array([1.0, 3.0, 10.0, 20.0, 100.0, 0.0])[:, None]
    assert median_of_means(values, 3) == 15  # group means 2, 15, 50
    assert median_of_means(values, 2) == pytest.approx((14 / 3 + 40) / 2)  # the middle two
    with pytest.raises(ValueError, match="6 runs cannot be cut into 4 equal groups"):
        median_of_means(values, 4)


@pytest.mark.parametrize("equal", [0, 2])  # of two equal numbers the first fit is a constant
def test_a_change_point_is_that_of_the_best_of_all_fits(equal):
    x = np.geomspace(0.01, 10, 30)
    noise = np.random.default_rng(1).normal(0, 0.1, 30)
    y = 100 * np.minimum(x, 0.7) ** -0.8 * np.exp(noise)
    y[:equal] = y[0]
    fits = []
    for k in range(2, 30):
        line, level = np.polyfit(np.log(x[:k]), np.log(y[:k]), 1), np.log(y[k:]).mean()
        apart = np.log(y) - np.where(np.arange(30) < k, np.polyval(line, np.log(x)), level)
        fits.append((np.square(apart).sum(), np.exp((level - line[1]) / line[0]), line[0]))
    with np.errstate(divide="raise", invalid="raise"):
        assert change_point(x, y) == pytest.approx(min(fits)[1:])


@given(hnp.arrays(float, st.integers(1, 40), elements=st.integers(-9, 9)), st.integers(-9, 9))
def test_a_deviation_is_the_mean_over_all_pairs_on_a_side(sample, centre):
    """Scaled to estimate sigma of a normal law; of a single run, or none, it is 0.

    A run at the centre, up to rounding, is on neither side.
    """

    def deviation(side):
        pairs = side.size * (side.size - 1)
        return math.sqrt(math.pi) / 2 * np.abs(np.subtract.outer(side, side)).sum() / max(1, pairs)

    wanted = [deviation(sample[sample < centre]), deviation(sample[sample > centre])]
    found = one_sided_deviations(0.3 * sample[:, None], np.array([0.3 * centre + 4e-16]))
    assert np.ravel(found) == pytest.approx(0.3 * np.array(wanted), rel=1e-9)


def test_the_number_of_groups_follows_from_the_runs():
    """The bound sqrt(6 groups/runs) sigma of Proposition 4.1 stays below one sigma."""
    numbers = 720, 1000, 50, 24, 7, 2
    assert [number_of_groups(runs, 24) for runs in numbers] == [24, 20, 5, 3, 1, 1]


def test_a_summary_by_hand():
    """Around the mean of 3.6 there are 0, 1, 3 and 5, 9. The paper has the first three runs."""
    values = np.array([[1.0], [5.0], [3.0], [9.0], [0.0]])
    columns = summarise(values, 1, runs_of_paper=3)
    deviation = math.sqrt(math.pi)
    assert {name: column[0] for name, column in columns.items()} == pytest.approx(
        {"runs": 5, "mean": 3.6, "std": math.sqrt(51.2 / 4), "median_of_means": 3.6,
         "gmd_below": deviation, "gmd_above": 2 * deviation, "min": 0, "max": 9,
         "mean_of_paper": 3, "std_of_paper": 2}
    )  # fmt: skip
    assert columns.keys() - summarise(values, 1, runs_of_paper=1).keys() == {"std_of_paper"}


def test_few_runs_need_students_t_and_the_error_of_a_bootstrap():
    """Student's t at the probability of two errors; a bootstrap is too small by sqrt((n - 1)/n)."""
    t = [stats.t.isf(stats.norm.sf(2), n - 1) for n in (2, 5)]
    wanted = [t[0] * math.sqrt(2), t[1] * math.sqrt(5 / 4)]
    assert [errors_needed(n) for n in (2, 5)] == pytest.approx(wanted)
    assert errors_needed(1) == math.inf


@pytest.mark.parametrize("samples", [[[0, 1, 2, 3, 4], [4, 4, 2, 2, 2]], [[0, 3], [1, 4], [2, 2]]])
def test_the_means_of_resamples_are_summed_in_chunks_or_of_few_runs(monkeypatch, samples):
    monkeypatch.setattr(estimators, "SUMMED_AT_ONCE", 2)
    monkeypatch.setattr(estimators, "FEW", 2)
    values, samples = np.arange(10.0).reshape(5, 2) ** 2, np.array(samples)
    wanted = [values[chosen].mean(axis=0) for chosen in samples]
    assert means_of_resamples(values, samples) == pytest.approx(np.array(wanted))


def test_the_share_of_lost_runs_by_hand():
    """From round 2 to 4 a run loses 0, .5 and 4; a quarter of a gap of 1 is .5 in two rounds."""
    runs = np.array([[1.0, 1.0, 1.0], [1.0, 1.0, 1.5], [1.0, 2.0, 6.0], [0.0, 0.0, 0.4]])
    assert locked_in(runs, np.array([1, 2, 4]), 1.0).tolist() == [0.75, 0.25, 0.5]
    # Up to 10/2 the last checkpoint is 3, and a quarter of a gap of 1 is 1.75 in seven rounds.
    assert locked_in(np.array([[0.0, 1.7], [0.0, 1.8]]), np.array([3, 10]), 1.0)[1] == 0.5


def test_the_nash_regret_of_sweeps_has_errors_by_hand():
    """Three sweeps with .1, .2 and .6 are one group, with an error of sqrt(.07/3)."""
    sweeps = {"regret": np.zeros((1, 3, 1)), "nash_regret": np.array([[[0.1], [0.2], [0.6]]])}
    table = summary_of([Trace({"series": {"a": {}}}, np.array([5]), sweeps)], 1)
    assert list(table) == [*SUMMARY, *NASH]
    wanted = 0.3, math.sqrt(0.07 / 3), 0.3, math.sqrt(math.pi) / 2 * 0.1, 0.0
    assert table.iloc[0][NASH].tolist() == pytest.approx(wanted)


def test_equal_runs_have_exactly_no_spread():
    """0.3 x 1024 is no binary fraction; equal runs still give their value and a spread of 0."""
    values = np.full((100, 3), 0.3 * 1024)
    columns = summarise(values, 20)
    for average in (columns["mean"], columns["median_of_means"], mean(values)):
        assert average.tolist() == values[0].tolist()
    for spread in ("std", "gmd_below", "gmd_above"):
        assert columns[spread].tolist() == [0, 0, 0]


def test_the_power_of_equal_numbers_is_exactly_0_and_of_others_that_of_a_solver():
    """On every processor: the last bits of LAPACK's least squares differ between them."""
    x, y = [0.1, 0.2, 0.5, 1.0, 3.0], [7.0, 5.0, 3.3, 1.2, 0.4]
    assert estimators.power_of(x, [0.3] * 5) == 0
    assert estimators.power_of(x, y) == pytest.approx(np.polyfit(np.log(x), np.log(y), 1)[0])
