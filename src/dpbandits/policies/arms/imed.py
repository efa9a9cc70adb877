"""IMED without privacy: Honda & Takemura (2015), for Bernoulli laws.

"Non-asymptotic analysis of a new bandit algorithm for semi-bounded rewards"; a reference of Azize
et al. (2025).

Each arm is played once, and then the arm with the smallest

    I_a = n_a kl(mu_a, mu*) + ln n_a,    mu* = max_b mu_b.

kl is that of Bernoulli laws. With s_a the sum of the rewards and f_a = n_a - s_a,

    n_a kl(mu_a, mu*) = s_a ln mu_a + f_a ln(1 - mu_a) - s_a ln mu* - f_a ln(1 - mu*).

The first two terms change only when arm a is played. So a round takes two logarithms for all arms.
"""

import math

import numpy as np

from dpbandits.kernels import kernel, step
from dpbandits.policy import ArmsPolicy


class IMED(ArmsPolicy):
    """The smallest I_a = n_a kl(mu_a, mu*) + ln n_a is played."""

    def play(self, run):
        imed(run)


@kernel
def imed(run):
    """Play a whole game; `own` is the part of an arm's index that its own rewards change."""
    K, n = run.K, run.pulls
    s, mu, own = np.zeros(K), np.zeros(K), np.zeros(K)
    for t in range(run.end):
        a = t if t < K else smallest(s, mu, own, n)
        s[a] += run.play(a)[0]
        mu[a] = s[a] / n[a]
        own[a] = times_log(s[a], mu[a]) + times_log(n[a] - s[a], 1 - mu[a]) + math.log(n[a])


@step
def smallest(s, mu, own, n):
    """The first arm with the smallest index."""
    best = 0.0
    for b in range(mu.size):
        best = max(best, mu[b])
    log_best = math.log(best) if best > 0 else 0.0  # then all s are 0
    log_rest = math.log(1 - best) if best < 1 else -math.inf
    a, least = 0, math.inf
    for b in range(mu.size):
        if mu[b] == best:
            index = math.log(n[b])
        else:
            index = own[b] - s[b] * log_best - (n[b] - s[b]) * log_rest
        if index < least:
            a, least = b, index
    return a


@step
def times_log(count, share):
    """count ln(share), 0 if nothing is counted."""
    return count * math.log(share) if count > 0 and share > 0 else 0.0
