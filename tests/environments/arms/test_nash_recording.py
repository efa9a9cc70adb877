"""The Nash regret: what a run keeps for it, and the estimate, against the mean of every round."""

import math
from functools import partial

import numpy as np
import pytest
from playing import actions
from project import ROOT

from dpbandits import algorithms, simulation, studies
from dpbandits.algorithms.arms import ldp_ncb
from dpbandits.environments.arms._journal import blank_journal
from dpbandits.environments.arms._nash_recording import EXACT, bins, blank_nash_journal, nash_curves
from dpbandits.environments.arms.drawn_arms import drawn_arms
from dpbandits.files import tables
from dpbandits.kernels.streams import stream
from dpbandits.statistics.estimators import gini_mean_difference, number_of_groups
from dpbandits.statistics.nash import NashRuns, nash_runs
from dpbandits.statistics.summaries import NASH, SUMMARY, read_summary, summary_of


def test_bins_are_single_rounds_at_first_and_a_thousandth_later():
    t = np.array([1, 7, 100, 99_999, 1_000_000])
    ends = bins(t)
    assert np.array_equal(ends[:EXACT], np.arange(1, EXACT + 1))
    assert np.all(np.isin(t, ends))
    assert ends[-1] == 1_000_000
    assert np.all(np.diff(ends, prepend=0) >= 1)
    assert np.all(np.diff(ends) <= np.maximum(1, ends[:-1] // 1024))
    assert np.array_equal(bins(np.array([5])), np.arange(1, 6))


FIFTY = {"number_of_arms": 50, "lowest": 0.005, "highest": 1.0, "draw": 42}


LABELS = drawn_arms(**FIFTY).labels.tolist()


def test_a_journal_keeps_what_was_played():
    """Against the pulls of every round, with a kernel that knows nothing of the Nash regret."""
    T, t = 100_000, np.array([10, 5000, 100_000])
    environment = drawn_arms(**FIFTY)
    arms, journal = environment.begin(None, T, t)
    algorithms.find("ucb").play(stream(6), arms, T, journal)
    kept = nash_curves(journal, environment.scores, t)
    played = np.array(LABELS)[actions("ucb", stream(6), LABELS, T)]
    assert kept["means"][kept["first_played"]] == pytest.approx(played[:EXACT])
    assert kept["first_played"].dtype == np.uint8
    pieces = np.split(played, bins(t)[EXACT - 1 : -1])[1:]
    assert kept["mean_played"] == pytest.approx([piece.mean() for piece in pieces], abs=1e-6)
    assert kept["variance_played"] == pytest.approx([piece.var() for piece in pieces], abs=1e-6)
    assert kept["regret"] == pytest.approx((max(LABELS) - played).cumsum()[t - 1])
    assert kept["measured_against"].tolist() == [max(LABELS)]


ESTIMATED = [  # an index of every round, reports of every round, and episodes
    ("ncb", {}),
    ("ldp_ncb", {"epsilon": 0.2}),
    ("adap_ucb_baseline", {"epsilon": 0.2, "variant": "as_drawn"}),
]


def estimated_and_exact(play, T, N, t):
    """The runs by the estimator, and the Nash regret from the means of every round."""
    environment, m, curves = drawn_arms(**FIFTY), np.zeros(T), []
    best, every = max(LABELS), np.arange(1, T + 1)
    for run in range(N):
        journal = blank_journal(environment.gaps, every)
        play(run, environment.arms, journal)
        m += best - np.diff(journal.regret, prepend=0.0)
        arms, journal = environment.begin(None, T, t)
        play(run, arms, journal)
        curves.append(nash_curves(journal, environment.scores, t))
    exact = (best - np.exp(np.cumsum(np.log(m / N)) / every))[t - 1]
    values = {key: np.array([[curve[key] for curve in curves]]) for key in curves[0]}
    return nash_runs(t, values, 0), exact


@pytest.mark.parametrize(("name", "given"), ESTIMATED, ids=str)
def test_the_nash_regret_of_bins_against_that_of_every_round(name, given):
    """The estimate is of these runs, so its error, some 1e-5, does not become smaller with their number."""
    T, N = 10**6, 30
    t = np.array(studies.study.checkpoints(T, {"first": 100, "log": 600, "linear": 400}))
    play = algorithms.find(name).play
    runs, exact = estimated_and_exact(lambda run, a, j: play(stream(7, name, run), a, T, j, **given), T, N, t)
    error = np.abs(runs.curve() - exact)
    assert error.max() < 1e-4
    assert error[t <= EXACT].max() < 1e-12
    assert (runs.curve() - runs.average).min() >= -1e-12  # AM-GM
    halves = runs[np.arange(N // 2)].curve() - runs[np.arange(N // 2, N)].curve()
    typical = np.median(np.abs(halves[t > 10_000]) / (2 * runs.error()[t > 10_000]))
    assert 0.02 < typical < 3


def test_the_nash_regret_of_runs_that_do_the_same():
    """LDP-NCB as it was run in the first rounds of a game of 1e8: every run plays the same arm in the same round."""
    T, t = 100_000, np.array([100, 10_000, 32_064, 50_000, 70_000, 100_000])
    plan = ldp_ncb.plan(10**8, 50, epsilon=0.2, phase1_noise="misplaced")
    in_phase1 = ldp_ncb.LDPNCBInPhase1(*plan)

    def play(run, arms, journal):
        ldp_ncb.ldp_ncb(stream(7, run), arms, 0, T, journal, np.zeros(50, np.int64), in_phase1, plan)

    runs, exact = estimated_and_exact(play, T, 20, t)
    assert runs.curve() == pytest.approx(exact, abs=5e-5)
    assert exact[2] > runs.average[2] + 0.05  # the geometric mean of fifty arms in turn is far below the arithmetic


def test_the_error_of_the_nash_regret_is_the_jackknifes():
    T, N = 3000, 12
    t = np.array([100, 1000, 3000])
    play = algorithms.find("ncb").play
    runs, _ = estimated_and_exact(lambda run, a, j: play(stream(7, run), a, T, j), T, N, t)
    without = []
    for left in range(N):
        rest = [r for r in range(N) if r != left]
        again, exact = estimated_and_exact(
            lambda run, a, j, rest=rest: play(stream(7, rest[run]), a, T, j), T, N - 1, t
        )
        without.append(exact)
        assert again.curve() == pytest.approx(exact, abs=1e-12)
        assert runs[np.array(rest)].curve() == pytest.approx(exact, abs=0.1 / N)
    jackknife = np.sqrt((N - 1) * np.var(without, axis=0))
    assert runs.error() == pytest.approx(jackknife, rel=0.15)


def test_nash_regret_by_hand():
    """Two runs, two rounds: m = (0.8 + 0.2)/2 and (0.8 + 0.6)/2."""
    means, t = np.array([0.8, 0.6, 0.2]), np.array([1, 2])
    found = {}
    for pulls in ([0, 0], [2, 1]):
        journal = blank_nash_journal(means.max() - means, t)
        gap = means.max() - means[pulls]
        journal.sums[:] = np.cumsum([gap, gap**2], axis=1)
        journal.kept[0] = len(t)
        for key, curve in nash_curves(journal, means, t).items():
            found.setdefault(key, [[]])[0].append(curve)
    runs = nash_runs(t, {key: np.array(value) for key, value in found.items()}, 0)
    assert runs.curve() == pytest.approx([0.8 - 0.5, 0.8 - math.sqrt(0.5 * 0.7)], abs=1e-6)
    assert runs.average == pytest.approx([0.3, 0.2], abs=1e-6)


def test_the_median_of_means_of_a_nash_regret_by_hand():
    """Three groups of seven runs: their means of the shares in ln G are ln 0.5, ln 0.4 and ln 0.2, the median ln 0.4."""
    logs = np.log(np.repeat([0.5, 0.4, 0.2], 7))[:, None]
    assert number_of_groups(21, 3) == 3
    centre, below, above = NashRuns(0.9, logs, np.zeros(1)).median_of_means(3, "mean_difference")
    assert centre == pytest.approx(0.5)
    # A pair of runs of different groups differs by ln(0.5/0.4) above the median and ln(0.4/0.2) below it; each side is doubled.
    of_pairs = 2 * 7 * 14 / (21 * 20 / 2)
    assert below == pytest.approx(0.4 * math.exp(of_pairs * math.log(0.5 / 0.4)) - 0.4)
    assert above == pytest.approx(0.4 - 0.4 * math.exp(-of_pairs * math.log(0.4 / 0.2)))
    alike = NashRuns(0.9, np.full((21, 1), math.log(0.4)), np.zeros(1))
    assert np.concatenate(alike.median_of_means(3, "sigma")) == pytest.approx([0.5, 0, 0], abs=1e-15)
    assert alike.curve() == pytest.approx(0.5)


def test_a_curve_measured_against_one_is_shifted():
    t = np.array([50, 100, 3000])
    play = partial(algorithms.find("adap_ucb_baseline").play, epsilon=0.2, variant="as_drawn")
    found = []
    for regret in ({"against": 1}, {}):
        curves = drawn_arms(**FIFTY).play_run(play, None, stream(8), 3000, t, regret)
        values = {key: curve[None, None] for key, curve in curves.items()}
        found.append((curves["regret"], nash_runs(t, values, 0).curve()))
    shift = 1 - max(LABELS)
    (one, nash_of_one), (best, nash_of_best) = found
    assert one - best == pytest.approx(shift * t)
    assert nash_of_one - nash_of_best == pytest.approx([shift] * 3)


def test_a_summary_has_the_nash_regret_where_the_runs_have_it(tmp_path):
    """At the end of the contract's columns, with its error."""
    paper = studies.load(ROOT / "config/papers/sarkar2025.yaml", "smoke")
    for name, policy in (("fig1a", "gdp-ncb"), ("fig1c", "ncb")):
        experiment = paper.experiments[name]
        spec = experiment.spec(policy, 1) | {"horizon": 400, "checkpoints": [3, 100, 400]}
        trace = simulation.simulate(spec, 0, 4)
        table = summary_of([trace], 5, "sigma")
        assert list(table) == [*SUMMARY, *NASH]
        if name == "fig1a":
            each = trace.values["nash_regret"][0]
            assert table["nash_regret"] == pytest.approx(each.mean(axis=0))
            assert table["nash_regret_error"] == pytest.approx(each.std(axis=0, ddof=1) / math.sqrt(5))
            assert table["nash_median_of_means"] == pytest.approx(each.mean(axis=0))  # five sweeps are one group
            both = (table["nash_gmd_below"] + table["nash_gmd_above"]) / 2
            assert both == pytest.approx([gini_mean_difference(sweeps) for sweeps in each.T])
        else:
            played = trace.values["means"][0, 0][trace.values["first_played"][0]]
            exact = max(LABELS) - np.exp(np.log(played.mean(axis=0)).cumsum() / np.arange(1, 401))
            assert table["nash_regret"] == pytest.approx(exact[[2, 99, 399]])
        tables.write(tmp_path / "whole.csv", table)
        assert np.isfinite(read_summary(tmp_path / "whole.csv")["nash_regret"]).all()
