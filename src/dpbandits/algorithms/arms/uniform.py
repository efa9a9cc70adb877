"""Uniform play, the baseline that every policy should beat: each round plays an arm at random and reads no reward.

It is private for every epsilon, so it promises none.
"""

import numpy as np

from dpbandits.environments.arms import next_checkpoint, note
from dpbandits.kernels.compiled import kernel

nanoseconds = {"arm": 10_000}  # a draw at each checkpoint, of which there are a few hundred at most


def play(rng, arms, horizon, journal):
    """Play one run."""
    uniform(rng, arms, horizon, journal)


@kernel
def uniform(rng, arms, horizon, journal):
    """Since no reward is read, the pulls up to the next checkpoint are one multinomial draw."""
    K, t = arms.means.size, 0
    pulls = np.zeros(K, np.int64)
    while t < horizon:
        stop = next_checkpoint(journal)
        left = stop - t
        for a in range(K - 1):
            n = rng.binomial(left, 1 / (K - a))
            pulls[a] += n
            left -= n
        pulls[K - 1] += left
        t = stop
        note(journal, t, pulls)
