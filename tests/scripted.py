"""Arms whose rewards are fixed in advance, one for each round, for the package's own kernels to play.

With them a Monte Carlo can attack what a kernel promises about privacy: two scripts that differ in one reward, and how often
each sequence of actions comes up under either.
"""

from functools import cache
from typing import NamedTuple

import numba
import numpy as np

from dpbandits.environments.arms._journal import blank_journal
from dpbandits.randomness import stream


class Script(NamedTuple):
    """The arms: `means` is for their number only; the reward of round t is script[t] whichever arm is played."""

    means: np.ndarray
    script: np.ndarray
    played: np.ndarray

    def reward(self, rng, a):
        t = self.played[0]
        self.played[0] = t + 1
        return self.script[t]

    def rewards(self, rng, a, m):
        t = self.played[0]
        self.played[0] = t + m
        return self.script[t : t + m].sum()


def sequences(play, arguments, rewards, runs, seed):
    """How often each sequence of actions of two arms was taken, as a number with a bit per round, the first the highest.

    `arguments(journal, pulls)`: what the kernel is given after (rng, arms).
    """
    T = rewards.size
    counts = np.zeros(1 << T, np.int64)
    # A gap in the journal alone tells the arms apart.
    journal = blank_journal(np.array([0.0, 1.0]), np.arange(1, T + 1))
    arms = Script(np.zeros(2), rewards, np.zeros(1, np.int64))
    pulls = np.zeros(2, np.int64)
    given = arguments(journal, pulls)
    _repeated(play)(stream(seed, *rewards.tolist()), arms, journal, pulls, counts, runs, given)
    return counts


@cache
def _repeated(play):
    @numba.njit
    def repeat(rng, arms, journal, pulls, counts, runs, given):
        for _ in range(runs):
            arms.played[0] = 0
            journal.kept[0] = 0
            pulls[:] = 0
            play(rng, arms, *given)
            code, before = 0, 0.0
            for t in range(journal.regret.size):
                code = 2 * code + (1 if journal.regret[t] > before + 0.5 else 0)
                before = journal.regret[t]
            counts[code] += 1

    return repeat
