"""Each arm played down to a level: the actions of the definition, of every arm's own sequence of reports."""

from typing import NamedTuple

import numpy as np
import pytest

from dpbandits.algorithms.arms import ldp_ucb, ldp_ucb_clipped
from dpbandits.algorithms.arms._index import index_rule, play_round_by_round
from dpbandits.algorithms.arms._levels import FIRST, LONGEST, play_by_levels, window
from dpbandits.environments.arms._journal import blank_journal
from dpbandits.environments.arms._rewards import Arms
from dpbandits.kernels.compiled import kernel, methods
from dpbandits.kernels.streams import stream

HORIZON = 1_000_000
CHECKPOINTS = np.unique(
    np.concatenate([np.geomspace(1, HORIZON, 300), np.arange(FIRST + 5000, FIRST + 5100), [HORIZON]]).astype(int)
)


class Sequences(NamedTuple):
    """Arms whose i-th reward is the clipped report of a Bernoulli reward with noise of scale 5, from numbers made of a and i."""

    means: np.ndarray
    given: np.ndarray  # how many rewards each arm has given

    def reward(self, rng, a):
        self.given[a] += 1
        first, second = mixed(self.given[a], 2 * a), mixed(self.given[a], 2 * a + 1)
        size = -5 * np.log1p(-abs(2 * second - 1))
        noise = size if second > 0.5 else -size
        return min(max((1.0 if first < self.means[a] else 0.0) + noise, 0.0), 1.0)


methods(Sequences)


@kernel
def mixed(i, j):
    """A number in [0, 1) made of two numbers by the mixing of SplitMix64."""
    z = np.uint64(i) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(j) * np.uint64(0xD1B54A32D192ED03)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (z ^ (z >> np.uint64(31))) * 2.0**-64


@index_rule
class AsReported(ldp_ucb.LDPUCB):
    """LDP-UCB where an arm's rewards are reports."""

    def report(self, rng, reward):
        return reward


def numbers_of_pulls(play, K, rule):
    """The regret of arms whose gaps differ, at checkpoints that are close and far apart, and how many rewards were drawn."""
    arms = Sequences(np.linspace(0.05, 0.95, K), np.zeros(K, np.int64))
    journal = blank_journal(np.arange(K) ** 1.5, CHECKPOINTS)
    play(stream(1), arms, HORIZON, journal, rule)
    return journal.regret, arms.given.sum()


@pytest.mark.parametrize(("K", "epsilon"), [(2, 0.2), (5, 0.2), (20, 0.2), (50, 0.2), (20, 5.0)])
def test_a_level_leaves_the_actions_of_every_checkpoint(K, epsilon):
    """Also where reports are noisier than the indices suppose (epsilon 5), and windows take more rounds than expected."""
    plainly, rounds = numbers_of_pulls(play_round_by_round, K, AsReported(epsilon))
    by_levels, drawn = numbers_of_pulls(play_by_levels, K, AsReported(epsilon))
    assert np.array_equal(plainly, by_levels)
    assert rounds == HORIZON <= drawn


def test_a_short_game_has_no_window():
    """So `ldp_ucb_clipped` has it played by the driver that takes less time to compile."""
    both = []
    for play in (play_round_by_round, play_by_levels):
        journal = blank_journal(np.linspace(0, 1, 5), np.array([FIRST]))
        play(stream(2), Arms(np.linspace(0.1, 0.9, 5)), FIRST, journal, ldp_ucb_clipped.ClippedLDPUCB(0.2))
        both.append(journal.regret[0])
    assert both[0] == both[1]


@index_rule
class FixedReports(ldp_ucb.LDPUCB):
    """Every report is 1/2, so that many indices are equal."""

    def report(self, rng, reward):
        return 0.5


def test_of_equal_indices_the_first_is_played():
    plainly, _ = numbers_of_pulls(play_round_by_round, 5, FixedReports(0.2))
    by_levels, _ = numbers_of_pulls(play_by_levels, 5, FixedReports(0.2))
    assert np.array_equal(plainly, by_levels)
    in_turn = np.diff(by_levels[np.searchsorted(CHECKPOINTS, FIRST + 5000) :])[:99]
    assert np.allclose(in_turn[5:], in_turn[:-5], atol=1e-6)
    assert np.allclose(np.sort(in_turn[:5]), np.arange(5) ** 1.5, atol=1e-6)


@index_rule
class RestlessUCB(AsReported):
    """A rule whose growth also falls."""

    def growth(self, t):
        return 27.0 + 3.0 * (t % 7 == 0)


def test_the_comparison_can_fail():
    """It also says that windows are used: round by round the growth would do no harm."""
    plainly, _ = numbers_of_pulls(play_round_by_round, 20, RestlessUCB(0.2))
    by_levels, _ = numbers_of_pulls(play_by_levels, 20, RestlessUCB(0.2))
    assert not np.array_equal(plainly, by_levels)


@kernel
def a_window(rng, arms, most, rule, s, n, drawn):
    """A window of a game in which the arms have these sums and numbers of pulls."""
    terms = [rule.terms(s[a], n[a]) for a in range(n.size)]
    return window(rng, arms, n.sum(), most, rule, terms, s, n, np.zeros((n.size, LONGEST)), drawn)


def test_a_window_takes_a_third_of_the_rounds_that_it_may():
    """Twenty arms of one mean report, 1/2."""
    K, before, made = 20, 100_000, []
    for i in range(200):
        rng, n, drawn = stream(2, i), np.full(K, before), np.full(K, before)
        s = before * 0.5 + rng.normal(0, 0.3, K)
        made.append(a_window(rng, Arms(np.full(K, 0.5)), 3000, ldp_ucb_clipped.ClippedLDPUCB(0.2), s, n, drawn))
        assert made[-1] == n.sum() - K * before
        assert np.all(n <= drawn)
        assert made[-1] == 0 or np.array_equal(n, drawn)
    made = np.array(made)
    assert 800 < made[made > 0].mean() < 1200
    assert (made == 0).mean() < 0.1


def test_a_level_gets_the_terms_that_it_rests_on():
    rule = ldp_ucb_clipped.ClippedLDPUCB(0.3)
    widths = [rule.terms(0.4 * n, n)[1] for n in (1, 2, 3, 7, 100, 10**6)]
    assert np.all(np.diff(widths) < 0)
    assert rule.index((0.25, 0.5), 3.0) == 0.25 + 3.0 * 0.5
    reports = np.array([rule.report(stream(3, "reports", i), i % 2) for i in range(100)])
    assert reports.min() == 0
    assert reports.max() == 1
