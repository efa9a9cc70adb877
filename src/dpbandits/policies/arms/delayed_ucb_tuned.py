"""UCB with the interval of Mishra & Thakurta (2015), whose rewards arrive in batches.

The delay is that of `delayed_thompson`. After one pull of each arm, the arm with the largest index
is played. An index without a reward is infinite, and of equal indices the first one counts.
"""

import math

import numpy as np

from dpbandits.kernels import kernel
from dpbandits.parameters import Natural
from dpbandits.policy import ArmsPolicy


class DelayedUCBTuned(ArmsPolicy):
    """UCB with the tuned interval that sees its rewards after every `delay` rounds."""

    delay: Natural = 1

    def play(self, run):
        delayed_ucb_tuned(run, self.delay)


@kernel
def delayed_ucb_tuned(run, delay):
    """s: the sum of an arm's rewards; r, n: their sum and number as they have arrived."""
    K, pulls = run.K, run.pulls
    s, r, n = np.zeros(K), np.zeros(K), np.zeros(K, np.int64)
    for t in range(1, run.end + 1):
        a, largest, log_t = 0, -math.inf, math.log(t)
        root = math.sqrt(log_t)
        for b in range(K):
            if n[b] > 0:
                index = r[b] / n[b] + math.sqrt(r[b]) / n[b] * root + log_t / n[b]
            else:
                index = 1e9 if pulls[b] else 2e9  # the first pull of each arm comes first
            if index > largest:
                a, largest = b, index
        s[a] += run.play(a)[0]
        if t % delay == 0:
            r[:], n[:] = s, pulls
