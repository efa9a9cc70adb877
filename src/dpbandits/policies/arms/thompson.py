"""Thompson sampling, the non-private baseline of Mishra & Thakurta (2015), section 2.

Agrawal & Goyal (2012). How the largest theta_a is found without a draw for every arm is explained
in `drivers/posterior.py`.
"""

import numpy as np

from dpbandits.bandits.arms import next_checkpoint, note, pull
from dpbandits.drivers.posterior import CANDIDATES, arm_of_largest, observe, uniform_prior
from dpbandits.kernels import kernel
from dpbandits.policy import ArmsPolicy


class Thompson(ArmsPolicy):
    """theta_a ~ Beta(r_a + 1, n_a - r_a + 1), play the largest; no initial pulls."""

    def play(self, rng, arms, horizon, journal):
        thompson(rng, arms, horizon, journal, CANDIDATES)


@kernel
def thompson(rng, arms, horizon, journal, max_share):
    """r: the sum of an arm's rewards; n: their number."""
    K = arms.means.size
    r, n, t, theta = np.zeros(K), np.zeros(K, np.int64), np.int64(0), uniform_prior(K, max_share)
    while t < horizon:
        stop = next_checkpoint(journal)
        while t < stop:
            a = arm_of_largest(rng, theta, t)
            r[a] += pull(rng, arms, a)
            n[a] += 1
            t += 1
            observe(theta, a, r[a], n[a], t)
        note(journal, t, n)
