"""AdaC-UCB: Azize & Basu, "Concentrated Differential Privacy for Bandits" (2024): AdaP-UCB with Gaussian noise.

Episodes are those of AdaP-UCB: each doubles an arm's pulls and releases the mean of the second half of them, h_a
rewards,

    mu_a = that mean + N(0, 1/(2 rho h_a^2)),    I_a = mu_a + sqrt((1/(2 h_a) + 1/(rho h_a^2)) beta ln t).

A mean changes by 1/h_a with one reward, so that its release is rho-zero-concentrated, and every reward is in one of
them. The promise here is (epsilon, delta), to which the largest rho belongs that zero-concentrated privacy turns into
it.
"""

import math

import numpy as np

from dpbandits.algorithms.arms._checks import one_pull_of_each
from dpbandits.environments.arms import note_span, pull_many
from dpbandits.kernels.compiled import kernel
from dpbandits.kernels.sampling import gaussian
from dpbandits.parameters import Positive, Probability
from dpbandits.privacy.concentrated import ConcentratedLedger, rho_of
from dpbandits.privacy.ledger import Account

check = one_pull_of_each
nanoseconds = {"episode": 1000}  # one draw, and one index per arm


def play(rng, arms, horizon, journal, *, epsilon: Positive, delta: Probability = 1e-8, beta: Positive = 1.0):
    """Play one run. The theory asks for beta > 3; 1 is the value in their experiments."""
    adac_ucb(rng, arms, horizon, journal, rho_of(epsilon, delta), beta)


def privacy(horizon, number_of_arms, *, epsilon, delta=1e-8, **_) -> Account:
    """The account of an arm that is pulled in every round: each reward is in the mean of one episode.

    Of its Gaussian noise no word of `releases` speaks, so an audit sees the actions alone.
    """
    ledger, rho, first = ConcentratedLedger(horizon), rho_of(epsilon, delta), 1
    while first <= horizon:
        m = min(max(first - 1, 1), horizon - first + 1)
        ledger.gaussian_release(first, first + m - 1, sensitivity=1 / m, deviation=1 / (math.sqrt(2 * rho) * m))
        first += m
    return Account(epsilon, delta, ledger, releases="actions")


@kernel
def adac_ucb(rng, arms, horizon, journal, rho, beta):
    """n: pulls; mu: the last released mean, of h rewards; ties: the first arm."""
    K = arms.means.size
    mu, h, n = np.zeros(K), np.zeros(K), np.zeros(K, np.int64)
    t = 0
    while t < horizon:
        a, best = t, -math.inf
        if t >= K:
            L = beta * math.log(t + 1)
            for b in range(K):
                index = mu[b] + math.sqrt((1 / (2 * h[b]) + 1 / (rho * h[b] ** 2)) * L)
                if index > best:
                    a, best = b, index
        m = min(max(n[a], 1), horizon - t)
        note_span(journal, t, m, n, a)
        mu[a] = pull_many(rng, arms, a, m) / m + gaussian(rng, 1 / (math.sqrt(2 * rho) * m))
        h[a] = m
        n[a] += m
        t += m
