"""IMED without privacy: Honda & Takemura (2015), with the relative entropy of Bernoulli laws.

"Non-asymptotic analysis of a new bandit algorithm for semi-bounded rewards"; a reference of Azize
et al. (2025).

Each arm is played once, and then the arm with the smallest

    I_a = n_a kl(mu_a, mu*) + ln n_a,    mu* = max_b mu_b.

With s_a the sum of the rewards and f_a = n_a - s_a, n_a kl(mu_a, mu*) is s_a ln mu_a + f_a ln(1 -
mu_a), which changes only when arm a is played, less s_a ln mu* + f_a ln(1 - mu*), so that a round
takes two logarithms for all arms.
"""

import math

import numpy as np

from dpbandits.kernels import kernel, step
from dpbandits.policy import ArmsPolicy

SHORTEST = np.int64(8)  # the smallest number of rounds for which it is tried whether an arm leads
ROUNDING = 1e-4  # more than the error of an index, which is the difference of numbers below 10^10


class IMED(ArmsPolicy):
    """The smallest I_a = n_a kl(mu_a, mu*) + ln n_a is played."""

    def play(self, run):
        self.refuse_nan(imed(run))


@kernel
def imed(run):
    """Play a whole game; of equal indices the first arm's is the smallest.

    `own` is the part of an arm's index that only its own rewards change. An arm that surely
    leads for some rounds is played in them without computing an index.
    """
    K, n = run.K, run.pulls
    s, mu, own = np.zeros(K), np.zeros(K), np.zeros(K)
    t, length = 0, SHORTEST
    while t < run.end:
        a = t if t < K else smallest(s, mu, own, n)
        if a < 0:
            return t + 1, ~a
        last = t + 1
        if surely_smallest(a, length, s, mu, own, n):
            last, length = min(t + length, run.end), 2 * length
        else:
            length = max(length // 4, SHORTEST)
        while t < last:
            s[a] += run.play(a)[0]
            t += 1
        mu[a] = s[a] / n[a]
        own[a] = times_log(s[a], mu[a]) + times_log(n[a] - s[a], 1 - mu[a]) + math.log(n[a])
    return 0, 0


@step
def surely_smallest(a, m, s, mu, own, n):
    """Whether arm a is played in the next m rounds, whatever its rewards are.

    Even without any, its mean remains the largest. With this mean, at which rivals' indices are
    smallest, they are above ln n_a.
    """
    least, most = s[a] / (n[a] + m), math.log(n[a] + m) + ROUNDING
    log_least, log_rest = math.log(least) if least > 0 else 0.0, math.log1p(-least)
    for b in range(mu.size):
        if b != a and (
            mu[b] >= least or own[b] - s[b] * log_least - (n[b] - s[b]) * log_rest <= most
        ):
            return False
    return True


@step
def smallest(s, mu, own, n):
    """The first arm with the smallest index; ~a if the index of arm a is NaN."""
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
        if math.isnan(index):
            return ~b
        if index < least:
            a, least = b, index
    return a


@step
def times_log(count, share):
    """count ln(share), 0 if nothing is counted."""
    return count * math.log(share) if count > 0 and share > 0 else 0.0
