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
    assert median_of_means(values, 3)[0] == 15.0  # group means 2, 15, 50
    assert median_of_means(values, 2)[0] == pytest.approx(
        (14 / 3 + 40) / 2
    )  # an even number: the middle two
    assert median_of_means(values, 6)[0] == 6.5
    assert median_of_means(values, 1)[0] == pytest.approx(134 / 6)
    with pytest.raises(ValueError, match="6 runs cannot be cut into 4 equal groups"):
        median_of_means(values, 4)


@given(hnp.arrays(float, st.integers(1, 40), elements=st.floats(-1e6, 1e6)))
def test_a_deviation_is_the_mean_over_all_pairs(sample):
    """Scaled to estimate sigma of a normal law; of a single run, or none, it is 0."""
    brute = np.abs(sample[:, None] - sample[None, :]).sum() / max(
        1, len(sample) * (len(sample) - 1)
    )
    below, above = one_sided_deviations(sample[:, None], np.array([1e7]))
    assert below == pytest.approx([math.sqrt(math.pi) / 2 * brute], rel=1e-9, abs=1e-6)
    assert above == 0


def test_deviations_are_those_of_the_runs_on_either_side_by_hand():
    """Below 5 are 0, 1 and 3, with |x - y| 1, 3 and 2; above are 9 and 12; 5 is on neither side."""
    values = np.array([0.0, 1.0, 3.0, 5.0, 5.0, 9.0, 12.0])[:, None]
    below, above = one_sided_deviations(values, np.array([5.0]))
    assert (below[0], above[0]) == pytest.approx((math.sqrt(math.pi), 1.5 * math.sqrt(math.pi)))
    assert one_sided_deviations(values, np.array([10.0]))[1] == 0  # of one run
    assert one_sided_deviations(0.3 * values, np.array([1.5 + 4e-16]))[0] == pytest.approx(
        0.3 * below
    )


def test_the_number_of_groups_follows_from_the_runs():
    """The bound sqrt(6 groups/runs) sigma of Proposition 4.1 stays below one sigma."""
    numbers = 720, 1000, 100, 50, 40, 24, 20, 10, 7, 6, 2
    assert [number_of_groups(runs, 24) for runs in numbers] == [
        24, 20, 10, 5, 5, 3, 2, 1, 1, 1, 1,
    ]  # fmt: skip
    assert number_of_groups(1000, 25) == 25


def test_the_papers_number_of_runs_has_columns_of_its_own_where_ours_is_larger():
    values = np.array([[1.0], [5.0], [3.0], [9.0], [0.0]])
    columns = summarise(values, 1, runs_of_paper=3)
    found = {name: column[0] for name, column in columns.items() if name.endswith("_of_paper")}
    assert found == {"mean_of_paper": 3, "std_of_paper": 2}
    assert "std_of_paper" not in summarise(values, 1, runs_of_paper=1)
    assert columns["std"][0] == pytest.approx(math.sqrt(51.2 / 4))  # around 3.6, over n - 1
    assert (columns["min"][0], columns["max"][0]) == (0, 9)
    assert columns["mean"][0] == columns["median_of_means"][0] == 3.6
    below, above = columns["gmd_below"][0], columns["gmd_above"][0]  # of 0, 1, 3 and of 5, 9
    assert (below, above) == pytest.approx((math.sqrt(math.pi), 2 * math.sqrt(math.pi)))


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
    sweeps = {"regret": np.zeros((3, 1)), "nash_regret": np.array([[0.1], [0.2], [0.6]])}
    header = {"series": {"a": {}}, "runs": [0, 2], "bandit": {}}
    trace = Trace(header, np.array([5]), {key: each[None] for key, each in sweeps.items()})
    table = summary_of([trace], 1)
    assert list(table) == [*SUMMARY, *NASH]
    wanted = 0.3, math.sqrt(0.07 / 3), 0.3, math.sqrt(math.pi) / 2 * 0.1, 0.0
    assert table.iloc[0][NASH].tolist() == pytest.approx(wanted)


def test_equal_runs_have_exactly_no_spread():
    """0.3 x 1024 is no binary fraction; equal runs still give their value and a spread of 0."""
    values = np.full((100, 3), 0.3 * 1024)
    columns = summarise(values, 20)
    assert columns["mean"].tolist() == columns["median_of_means"].tolist() == values[0].tolist()
    for spread in ("std", "gmd_below", "gmd_above"):
        assert columns[spread].tolist() == [0, 0, 0]
    assert mean(values).tolist() == values[0].tolist()
