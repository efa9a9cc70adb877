"""The Nash regret: what a run records, and the estimate, against the definition."""

import math

import numpy as np
import pytest
from playing import FIFTY, actions

from dpbandits import files
from dpbandits.bandits import DrawnArms
from dpbandits.bandits.nash_regret import EXACT, NashRuns, bins, nash_runs
from dpbandits.files import Trace
from dpbandits.policies import POLICIES, UCB
from dpbandits.random import stream
from dpbandits.statistics.estimators import mean
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


def nash_runs_of(curves, t):
    """The runs that recorded these curves."""
    return nash_runs(t, {name: np.array([curve[name] for curve in curves]) for name in curves[0]})


def regret_of(runs):
    """The Nash regret of all runs."""
    return runs.regret(mean(runs.shares))


def exact(played, t):
    """The definition, from the mean of the arm that each run plays in each round."""
    return BEST - np.exp(np.log(np.mean(played, axis=0)).cumsum()[t - 1] / t)


@pytest.mark.parametrize("name", ["ldp_ncb", "adap_ucb_as_drawn"])  # by round, by episode
def test_the_nash_regret_of_bins_against_that_of_every_round(name):
    """The error is a third of what the variance corrects, and that of seven digits, or less."""
    T, names = 2 * EXACT, [(7, name, run) for run in range(12)]
    t = np.array(Checkpoints(first=100, log=600, linear=400).rounds(T))
    policy = POLICIES.make(name, {"epsilon": 0.2})
    curves = [ARMS.play_run(policy, ARMS.arms, stream(*each), T, t) for each in names]
    played = MEANS[[actions(name, stream(*each), FIFTY, T, epsilon=0.2) for each in names]]
    regrets = (BEST - played).cumsum(axis=1)[:, t - 1]
    assert [curve["regret"] for curve in curves] == pytest.approx(regrets)
    uncorrected = [curve | {"variance_played": 0 * curve["variance_played"]} for curve in curves]
    found, without = (regret_of(nash_runs_of(each, t)) for each in (curves, uncorrected))
    error = np.abs(found - exact(played, t))
    assert error[t <= EXACT].max() < 1e-12
    assert np.all(error <= np.abs(found - without).max() / 3 + 2.0**-24)
    # The geometric mean is below the arithmetic one.
    assert (found - regrets.mean(axis=0) / t).min() >= -1e-12


def test_the_nash_regret_of_runs_that_do_the_same():
    """As LDP-NCB in the authors' code: all runs play the arms in turn in the first rounds."""
    T, t = 100_000, np.array([100, 10_000, 32_064, 50_000, 70_000, 100_000])
    run = ARMS.begin(ARMS.arms, stream(6), T, t)
    run.play_in_turn(np.arange(50), 800)
    run.play(MEANS.argmax(), 60_000)
    played = np.append(np.tile(MEANS, 800), np.full(60_000, BEST))
    curves = ARMS.curves(run, t)
    assert curves["first_played"].dtype == np.uint8
    wanted = exact([played], t)
    assert regret_of(nash_runs_of([curves], t)) == pytest.approx(wanted, abs=1e-6)
    # The geometric mean of fifty arms in turn is far below the arithmetic one.
    assert wanted[2] > curves["regret"][2] / t[2] + 0.05


def test_a_summary_has_the_nash_regret_of_all_runs_and_the_error_of_a_jackknife(tmp_path):
    """The error up to terms of the order of 1/N. Sweeps: tests/statistics."""
    N, t = 12, np.array([100, 1000, 3000])
    curves = [ARMS.play_run(UCB(), ARMS.arms, stream(9, run), 3000, t) for run in range(N)]
    values = {name: np.array([curve[name] for curve in curves]) for name in curves[0]}
    runs, played = nash_runs(t, values), values["means"][0][values["first_played"]]
    table = summary_of(
        [Trace({"series": {"ucb": {}}}, t, {name: each[None] for name, each in values.items()})], 1
    )
    assert list(table) == [*SUMMARY, *NASH]
    assert table["nash_regret"].to_numpy() == pytest.approx(exact(played, t))
    without = [exact(np.delete(played, left, axis=0), t) for left in range(N)]
    for left in range(N):
        rest = mean(np.delete(runs.shares, left, axis=0))
        assert runs.regret(rest) == pytest.approx(without[left], abs=0.1 / N)
    jackknife = np.sqrt((N - 1) * np.var(without, axis=0))
    assert table["nash_regret_error"].to_numpy() == pytest.approx(jackknife, rel=2 / N)
    files.write(tmp_path / "whole.csv", table)
    assert np.isfinite(read_summary(tmp_path / "whole.csv")["nash_regret"]).all()


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
        found.append([curves["regret"] / t, regret_of(nash_runs_of([curves], t))])
    assert np.subtract(*found) == pytest.approx(np.full((2, 3), 1 - BEST))
