"""Arm after arm in windows: the actions of the definition, with a stream for every arm."""

import math

import numpy as np
import pytest

from dpbandits.bandits.arms import note, pull
from dpbandits.bandits.journal import blank_journal, counts_of
from dpbandits.bandits.rewards import Arms
from dpbandits.drivers.index import Tally, largest, play_rounds
from dpbandits.drivers.levels import FIRST, play_by_levels, split
from dpbandits.kernels import kernel
from dpbandits.policies import LDPUCB, LDPUCBClipped
from dpbandits.random import Stream, stream

HORIZON = 1_000_000
CHECKPOINTS = np.unique(
    np.concatenate(
        [np.geomspace(1, HORIZON, 300), np.arange(FIRST + 5000, FIRST + 5100), [HORIZON]]
    ).astype(int)
)


@kernel
def play_by_definition(rng, arms, horizon, journal, rule):
    """Play the largest index in every round, with a stream for each arm after round FIRST."""
    K = arms.means.size
    s, n, terms = np.zeros(K), np.zeros(K, np.int64), [rule.terms(0.0, 1)] * K
    play_rounds(rng, arms, 0, FIRST, journal, rule, Tally(s, n, n), terms)
    streams = split(rng, n.size)
    for t in range(FIRST + 1, horizon + 1):
        a, _ = largest(rule, terms, rule.growth(t), -1)
        own = Stream(streams.words[a], streams.noise)
        s[a] += rule.report(own, pull(own, arms, a))
        n[a] += 1
        terms[a] = rule.terms(s[a], n[a])
        note(journal, t, n)


def counts(play, K, rule):
    """The pull counts at checkpoints that are close and far apart."""
    journal = blank_journal(K, CHECKPOINTS)
    play(stream(1), Arms(np.linspace(0.05, 0.95, K)), HORIZON, journal, rule)
    return counts_of(journal)


class MadeUp(LDPUCB):
    """LDP-UCB with clipped reports and noise of any scale. Without noise every report is 1/2.

    Its growth may also fall.
    """

    scale: float = 5.0
    restless: bool = False

    def report(self, rng, reward):
        return min(max(rng.release(reward, self.scale), 0.0), 1.0) if self.scale > 0 else 0.5

    def growth(self, t):
        if self.restless:
            return 27.0 + 3.0 * (t % 7 == 0), 0.0
        log_t = math.log(t)
        return (math.sqrt(2) + math.sqrt(32) / self.epsilon) * math.sqrt(log_t), 4 * log_t


def rule(policy):
    return policy.rule(HORIZON, 2)  # no constant depends on the game


CLIPPED = rule(MadeUp(epsilon=0.2))
LOUD = rule(MadeUp(epsilon=5.0))  # windows take more rounds than loud reports suppose


@pytest.mark.parametrize(
    ("K", "played"), [(2, CLIPPED), (5, CLIPPED), (20, CLIPPED), (50, CLIPPED), (20, LOUD)]
)
def test_a_level_leaves_the_actions_of_every_checkpoint(K, played):
    plainly, by_levels = (counts(play, K, played) for play in (play_by_definition, play_by_levels))
    assert np.array_equal(plainly, by_levels)
    if played == CLIPPED:
        ours = counts(play_by_levels, K, rule(LDPUCBClipped(epsilon=0.2)))
        assert np.array_equal(plainly, ours)


def test_the_streams_of_arms_are_the_next_words():
    rng, words = stream(2), stream(2)
    streams, again = split(rng, 3), split(words, 12)
    assert np.array_equal(streams.words, again.words[:3])
    assert len(np.unique(again.words)) == 48


def test_of_equal_indices_the_first_is_played():
    """If all reports are equal, the arms in turn.

    A level that plays one arm too early shows between two checkpoints.
    """
    silent = rule(MadeUp(epsilon=0.2, scale=0.0))
    plainly, by_levels = (counts(play, 5, silent) for play in (play_by_definition, play_by_levels))
    assert np.array_equal(plainly, by_levels)
    late = CHECKPOINTS > FIRST + 5000  # before, an arm must be played several times in a row
    assert np.array_equal(by_levels[late].max(axis=1), -(-CHECKPOINTS[late] // 5))


def test_the_comparison_can_fail():
    """With a growth that also falls: so windows are used, as single rounds would not differ."""
    falls = rule(MadeUp(epsilon=0.2, restless=True))
    plainly, by_levels = (counts(play, 20, falls) for play in (play_by_definition, play_by_levels))
    assert not np.array_equal(plainly, by_levels)
