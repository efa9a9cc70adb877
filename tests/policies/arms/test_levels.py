"""Arm after arm in windows: the actions of the definition, with a stream for every arm."""

import math

import numpy as np
import pytest

from dpbandits.bandits.rewards import Arms
from dpbandits.bandits.run import new_run
from dpbandits.drivers.index import NO_ARM, largest, play_rounds
from dpbandits.drivers.levels import FIRST, play_by_levels, split
from dpbandits.kernels import kernel
from dpbandits.policies import LDPUCB, LDPUCBClipped
from dpbandits.privacy.releases import Releases
from dpbandits.random import Stream, stream

HORIZON = 1_000_000
CHECKPOINTS = np.unique(
    np.concatenate(
        [np.geomspace(1, HORIZON, 300), np.arange(FIRST + 5000, FIRST + 5100), [HORIZON]]
    ).astype(int)
)


@kernel
def play_by_definition(run, policy):
    """Play the largest index in every round, with a stream for each arm after round FIRST."""
    K, n = run.K, run.pulls
    s, arms = np.zeros(K), [policy.statistics(0.0, 1)] * K
    play_rounds(run, FIRST, policy, s, arms)
    streams = split(run.rng, K)
    for t in range(FIRST + 1, run.end + 1):
        a, _ = largest(policy, arms, policy.growth(t), NO_ARM)
        own = Releases(Stream(streams[a]), run.releases.noise)
        s[a] += policy.report(own, run.arms.reward(own.rng, a))
        n[a] += 1
        arms[a] = policy.statistics(s[a], n[a])
        run.note(t)


class MadeUp(LDPUCB):
    """LDP-UCB with clipped reports and noise of any scale. Without noise every report is 1/2.

    Its growth may also fall, and its index be NaN after some pulls.
    """

    scale: float = 5.0
    restless: bool = False
    defined: int = HORIZON

    def statistics(self, s, n):
        width = 1.0 / n
        return (s if n <= self.defined else math.nan) * width, math.sqrt(width), n

    def report(self, releases, reward):
        if self.scale == 0:
            return 0.5
        return min(max(releases.laplace(reward, self.scale), 0.0), 1.0)

    def growth(self, t):
        if self.restless:
            return 27.0 + 3.0 * (t % 7 == 0), 0.0
        log_t = math.log(t)
        return (math.sqrt(2) + math.sqrt(32) / self.epsilon) * math.sqrt(log_t), 4 * log_t


CLIPPED = MadeUp(epsilon=0.2)
LOUD = MadeUp(epsilon=5.0)  # windows take more rounds than loud reports suppose
SILENT = MadeUp(epsilon=0.2, scale=0.0)
RESTLESS = MadeUp(epsilon=0.2, restless=True)


def counts(play, K, policy):
    """The pull counts at checkpoints that are close and far apart."""
    arms = Arms(np.linspace(0.05, 0.95, K))
    run = new_run(arms, Releases(stream(1)), HORIZON, CHECKPOINTS)
    play(run, policy.compiled(HORIZON, K))
    assert run.finished()
    return run.counts


@pytest.mark.parametrize(
    ("K", "policy", "is_exact"),
    [
        *((K, CLIPPED, True) for K in (2, 5, 20, 50)),
        (20, LOUD, True),
        (5, SILENT, True),
        # The comparison can fail, so windows are used: single rounds would not differ.
        (20, RESTLESS, False),
    ],
)
def test_a_level_leaves_the_actions_of_every_checkpoint(K, policy, is_exact):
    plainly, by_levels = (counts(play, K, policy) for play in (play_by_definition, play_by_levels))
    assert np.array_equal(plainly, by_levels) == is_exact
    if policy is CLIPPED:
        shipped = counts(play_by_levels, K, LDPUCBClipped(epsilon=0.2))
        assert np.array_equal(plainly, shipped)
    if policy is SILENT:
        # Equal indices take turns: a level that plays one arm too early shows at a checkpoint.
        late = CHECKPOINTS > FIRST + 5000  # before, an arm must be played several times in a row
        assert np.array_equal(by_levels[late].max(axis=1), -(-CHECKPOINTS[late] // K))


def test_the_streams_of_arms_are_the_next_words():
    rng = stream(2)
    words = [rng.word() for _ in range(12)]
    assert split(stream(2), 3).ravel().tolist() == words


def test_levels_find_a_nan_index():
    """Before the first window, and after some. Both arms are played in turn."""
    for pulls in (FIRST // 4, FIRST // 2 + 9000):
        silent = MadeUp(epsilon=0.2, scale=0.0, defined=pulls).compiled(HORIZON, 2)
        run = new_run(Arms(np.array([0.5, 0.5])), Releases(stream(3)), HORIZON, CHECKPOINTS)
        found, _ = play_by_levels(run, silent)
        assert 0 <= found - (2 * pulls + 2) <= 1
