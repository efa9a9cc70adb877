"""The Nash regret: what a run records, and the estimate, against the definition."""

import math

import numpy as np
import pytest
from playing import FIFTY, actions

from dpbandits import files
from dpbandits.bandits import DrawnArms
from dpbandits.bandits.nash_regret import EXACT, NashRuns, bins, nash_curves, nash_runs
from dpbandits.files import Trace
from dpbandits.policies import UCB
from dpbandits.random import stream
from dpbandits.statistics.estimators import mean, number_of_groups
from dpbandits.statistics.summaries import (
    NASH,
    SUMMARY,
    nash_columns,
    read_summary,
    summary_of,
)
from dpbandits.studies.experiment import Checkpoints

ARMS = DrawnArms(50, lowest=0.005, highest=1.0, draw=42)
MEANS, BEST = np.array(FIFTY), max(FIFTY)


def test_bins_are_single_rounds_at_first_and_a_thousandth_later():
    t = np.array([1, 7, 100, 99_999, 1_000_000])
    ends = bins(t)
    assert np.array_equal(ends[:EXACT], np.arange(1, EXACT + 1))
    assert np.all(np.isin(t, ends))
    assert ends[-1] == 1_000_000
    assert np.all(np.diff(ends, prepend=0) >= 1)
    assert np.all(np.diff(ends) <= np.maximum(1, ends[:-1] // 1024))
    assert np.array_equal(bins(np.array([5])), np.arange(1, 6))


def counts_of_actions(chosen, ends):
    """The pull counts at these rounds."""
    piece = np.searchsorted(ends, np.arange(1, len(chosen) + 1))
    return np.bincount(50 * piece + chosen, minlength=50 * ends.size).reshape(-1, 50).cumsum(axis=0)


def test_a_run_keeps_what_was_played():
    """Against the arms of every round."""
    T, t = 100_000, np.array([10, 5000, 100_000])
    run = ARMS.begin(ARMS.arms, stream(6), T, t)
    UCB().play(run)
    chosen = np.array(actions("ucb", stream(6), FIFTY, T))
    assert np.array_equal(run.checkpoints, bins(t))
    assert np.array_equal(run.counts, counts_of_actions(chosen, bins(t)))
    kept, played = ARMS.curves(run, t), MEANS[chosen]
    assert kept["means"][kept["first_played"]] == pytest.approx(played[:EXACT])
    assert kept["first_played"].dtype == np.uint8
    pieces = np.split(played, bins(t)[EXACT - 1 : -1])[1:]
    assert kept["mean_played"] == pytest.approx([piece.mean() for piece in pieces], abs=1e-6)
    assert kept["variance_played"] == pytest.approx([piece.var() for piece in pieces], abs=1e-6)
    assert kept["regret"] == pytest.approx((BEST - played).cumsum()[t - 1])
    assert kept["measured_against"].tolist() == [BEST]


def regret_of(runs):
    """The Nash regret of all runs."""
    return runs.regret(mean(runs.shares))


def exact(played, t):
    """The definition, from the mean of the arm that each run plays in each round."""
    return BEST - np.exp(np.log(np.mean(played, axis=0)).cumsum()[t - 1] / t)


def averaged(played, t):
    """The average regret per round."""
    return BEST - np.mean(played, axis=0).cumsum()[t - 1] / t


def values_of(chosen, t, against=None):
    """What runs with these actions keep."""
    ends = bins(t)
    curves = [nash_curves(counts_of_actions(run, ends), ends, MEANS, t, against) for run in chosen]
    return {key: np.array([curve[key] for curve in curves]) for key in curves[0]}


@pytest.mark.parametrize(  # an index of every round, reports of every round, and episodes
    ("name", "given"),
    [("ncb", {}), ("ldp_ncb", {"epsilon": 0.2}), ("adap_ucb_as_drawn", {"epsilon": 0.2})],
)
def test_the_nash_regret_of_bins_against_that_of_every_round(name, given):
    """The error is a third of what the variance corrects, and that of seven digits, or less."""
    T, N = 2 * EXACT, 12
    t = np.array(Checkpoints(first=100, log=600, linear=400).rounds(T))
    chosen = [actions(name, stream(7, name, run), FIFTY, T, **given) for run in range(N)]
    values, wanted = values_of(chosen, t), exact(MEANS[chosen], t)
    runs = nash_runs(t, values)
    uncorrected = nash_runs(t, {**values, "variance_played": 0 * values["variance_played"]})
    found = regret_of(runs)
    error, correction = np.abs(found - wanted), np.abs(found - regret_of(uncorrected))
    assert error[t <= EXACT].max() < 1e-12
    assert np.all(error <= correction.max() / 3 + 2.0**-24)
    # The geometric mean is below the arithmetic one.
    assert (found - averaged(MEANS[chosen], t)).min() >= -1e-12


def test_the_nash_regret_of_runs_that_do_the_same():
    """As LDP-NCB in the authors' code: all runs play the arms in turn in the first rounds."""
    T, t = 100_000, np.array([100, 10_000, 32_064, 50_000, 70_000, 100_000])
    chosen = np.tile(np.arange(T) % 50, (20, 1))
    good = np.argsort(MEANS)[-5:]
    chosen[:, 40_000:] = np.random.default_rng(1).choice(good, (20, T - 40_000))
    runs, wanted = nash_runs(t, values_of(chosen, t)), exact(MEANS[chosen], t)
    assert regret_of(runs) == pytest.approx(wanted, abs=5e-5)
    # The geometric mean of fifty arms in turn is far below the arithmetic one.
    assert wanted[2] > averaged(MEANS[chosen], t)[2] + 0.05


def test_the_error_of_the_nash_regret_is_the_jackknifes():
    """Up to terms of the order of 1/N."""
    N, t = 12, np.array([100, 1000, 3000])
    chosen = np.array([actions("ncb", stream(7, run), FIFTY, 3000) for run in range(N)])
    runs, played = nash_runs(t, values_of(chosen, t)), MEANS[chosen]
    without = [exact(np.delete(played, left, axis=0), t) for left in range(N)]
    for left in range(N):
        rest = mean(np.delete(runs.shares, left, axis=0))
        assert runs.regret(rest) == pytest.approx(without[left], abs=0.1 / N)
    assert nash_columns(runs, 1)["nash_regret_error"] == pytest.approx(
        np.sqrt((N - 1) * np.var(without, axis=0)), rel=2 / N
    )


def test_the_median_of_means_of_a_nash_regret_by_hand():
    """Three groups of seven runs whose mean shares are ln 0.5, ln 0.4 and ln 0.2.

    The runs below the median in regret have the share ln 0.5, and those above it ln 0.2. They are
    equal, unless one of them is ln 0.6, or ln 0.1: then six of the 21 pairs on that side differ, by
    ln 1.2, or ln 2.
    """

    def deviations(logs):
        columns = nash_columns(NashRuns(0.9, logs), 3).values()
        return [float(column[0]) for column in list(columns)[2:]]

    logs = np.log(np.repeat([0.5, 0.4, 0.2], 7))[:, None]
    assert number_of_groups(21, 3) == 3
    assert deviations(logs) == pytest.approx([0.5, 0, 0])
    logs[[0, -1], 0] = np.log([0.6, 0.1])
    centre, *sides = deviations(logs)
    assert centre == pytest.approx(0.5)
    pairs = math.sqrt(math.pi) / 2 * 6 / 21
    assert sides == pytest.approx([0.4 * 1.2**pairs - 0.4, 0.4 - 0.4 * 2**-pairs])


def test_a_curve_measured_against_one_is_shifted():
    t = np.array([50, 100, 3000])
    found = []
    for regret in ({"against": 1}, {}):
        curves = ARMS.play_run(UCB(), ARMS.arms, stream(8), 3000, t, **regret)
        runs = nash_runs(t, {key: curve[None] for key, curve in curves.items()})
        found.append([curves["regret"] / t, regret_of(runs)])
    assert np.subtract(*found) == pytest.approx(np.full((2, 3), 1 - BEST))


def test_a_summary_of_recorded_runs_has_the_nash_regret_of_all_of_them(tmp_path):
    """At the end of the contract's columns, with its error. Sweeps: tests/statistics."""
    t = np.array([3, 100, 400])
    curves = [ARMS.play_run(UCB(), ARMS.arms, stream(9, run), 400, t) for run in range(5)]
    values = {name: np.array([[curve[name] for curve in curves]]) for name in curves[0]}
    table = summary_of([Trace({"series": {"ucb": {}}}, t, values)], 5)
    assert list(table) == [*SUMMARY, *NASH]
    played = values["means"][0, 0][values["first_played"][0]]
    assert table["nash_regret"].to_numpy() == pytest.approx(exact(played, t))
    files.write(tmp_path / "whole.csv", table)
    assert np.isfinite(read_summary(tmp_path / "whole.csv")["nash_regret"]).all()
