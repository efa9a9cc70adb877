"""UCB with the tuned interval of Mishra & Thakurta (2015), whose rewards arrive in batches.

The delay is that of `delayed_thompson`. After one pull of each arm, the arm with the largest index
is played. An index without a reward is infinite, and of equal indices the first one counts.
"""

import math

import numpy as np

from dpbandits.bandits.arms import next_checkpoint, note, pull
from dpbandits.kernels import kernel
from dpbandits.parameters import Natural
from dpbandits.policy import ArmsPolicy


class DelayedUCBTuned(ArmsPolicy):
    """UCB with the tuned interval that sees its rewards after every `delay` rounds."""

    delay: Natural = 1

    def play(self, rng, arms, horizon, journal):
        self.refuse_nan(delayed_ucb_tuned(rng, arms, horizon, journal, self.delay))


@kernel
def delayed_ucb_tuned(rng, arms, horizon, journal, delay):
    """s: the sum of an arm's rewards; pulls: their number; r, n: as they have arrived."""
    K = arms.means.size
    s, pulls, t = np.zeros(K), np.zeros(K, np.int64), np.int64(0)
    r, n = s.copy(), pulls.copy()
    while t < horizon:
        stop = next_checkpoint(journal)
        while t < stop:
            a, largest, log_t = 0, -math.inf, math.log(t + 1)
            root = math.sqrt(log_t)
            for b in range(K):
                if n[b] > 0:
                    index = r[b] / n[b] + math.sqrt(r[b]) / n[b] * root + log_t / n[b]
                else:
                    index = 1e9 if pulls[b] else 2e9  # the first pull of each arm comes first
                if math.isnan(index):
                    return t + 1, b
                if index > largest:
                    a, largest = b, index
            s[a] += pull(rng, arms, a)
            pulls[a] += 1
            t += 1
            if t % delay == 0:
                r[:], n[:] = s, pulls
        note(journal, t, pulls)
    return 0, 0
