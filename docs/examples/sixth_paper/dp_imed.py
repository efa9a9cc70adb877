"""DP-IMED: Azize, Wu, Honda, Orabona, Ito & Basu (2025), IMED in the phases of DP-KLUCB.

It plays the arm with the smallest n_a d_epsilon(x_a, max_b x_b) + ln n_a, which needs no bisection; everything else is as in
DP-KLUCB, in `dp_klucb`.
"""

import math

import numpy as np

from dpbandits.algorithms.arms._checks import one_pull_of_each
from dpbandits.algorithms.arms.dp_klucb import Growth, divergence, play_phase
from dpbandits.algorithms.arms.dp_klucb import privacy as privacy_of_phases
from dpbandits.kernels.compiled import kernel
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import Account


def play(rng, arms, horizon, journal, *, epsilon: Positive, growth: Growth = 2.0):
    """Play one run."""
    dp_imed(rng, arms, horizon, journal, epsilon, growth)


check = one_pull_of_each


def privacy(horizon, number_of_arms, *, epsilon, growth=2.0) -> Account:
    """As DP-KLUCB, whose releases it makes."""
    return privacy_of_phases(horizon, number_of_arms, epsilon=epsilon, growth=growth)


def nanoseconds(horizon, number_of_arms, *, growth=2.0, **_):
    """An index for every arm and phase."""
    return 200 * number_of_arms**2 * math.log(horizon) / math.log(growth)


@kernel
def dp_imed(rng, arms, horizon, journal, epsilon, growth):
    """Each arm once, then phases of the arm with the smallest index."""
    K = arms.means.size
    s, pulls = np.zeros(K), np.zeros(K, np.int64)
    t = 0
    while t < horizon:
        a, best = t, math.inf
        if t >= K:
            x = np.minimum(np.maximum(s / pulls, 0.0), 1.0)
            top = x.max()
            for b in range(K):
                index = pulls[b] * divergence(x[b], top, epsilon) + math.log(pulls[b])
                if index < best:
                    a, best = b, index
        t = play_phase(rng, arms, horizon, journal, t, a, s, pulls, epsilon, growth)
