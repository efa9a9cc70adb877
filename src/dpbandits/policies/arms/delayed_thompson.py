"""Thompson sampling whose rewards arrive in batches.

Chapelle & Li (2011), "An empirical evaluation of Thompson sampling", on delayed feedback, whom
Mishra & Thakurta (2015) credit.
"""

import numpy as np

from dpbandits.bandits.arms import next_checkpoint, note, pull
from dpbandits.drivers.posterior import CANDIDATES, arm_of_largest, observe, uniform_prior
from dpbandits.kernels import kernel
from dpbandits.parameters import Natural
from dpbandits.policy import ArmsPolicy


class DelayedThompson(ArmsPolicy):
    """Thompson sampling that sees its rewards after every `delay` rounds; 1 is no delay."""

    delay: Natural = 1

    def play(self, rng, arms, horizon, journal):
        delayed_thompson(rng, arms, horizon, journal, self.delay, CANDIDATES)


@kernel
def delayed_thompson(rng, arms, horizon, journal, delay, max_share):
    """r: the sum of an arm's rewards; n: their number; seen: how many have arrived."""
    K = arms.means.size
    r, n, seen = np.zeros(K), np.zeros(K, np.int64), np.zeros(K, np.int64)
    t, theta = np.int64(0), uniform_prior(K, max_share)
    while t < horizon:
        stop = next_checkpoint(journal)
        while t < stop:
            a = arm_of_largest(rng, theta, t)
            r[a] += pull(rng, arms, a)
            n[a] += 1
            t += 1
            if t % delay == 0:
                for b in range(K):
                    if seen[b] < n[b]:
                        seen[b] = n[b]
                        observe(theta, b, r[b], n[b], t)
        note(journal, t, n)
