"""DP-KLUCB: Azize, Wu, Honda, Orabona, Ito & Basu (2025), KL-UCB in phases whose sums are kept.

Known from the abstract and a reader's summary, not from the paper's text (`_growing_phases` says what). Whether the
paper explores with more than ln t, we do not know.
"""

import math

import numpy as np

from dpbandits.algorithms.arms._checks import one_pull_of_each
from dpbandits.algorithms.arms._growing_phases import (
    Growth,
    clipped_mean,
    largest_within,
    number_of_phases,
    phases_audited,
    phases_privacy,
    play_phase,
)
from dpbandits.kernels.compiled import kernel
from dpbandits.parameters import Positive

check = one_pull_of_each
privacy = phases_privacy
audited = phases_audited


def play(rng, arms, horizon, journal, *, epsilon: Positive, growth: Growth = 2.0):
    """Play one run."""
    dp_klucb(rng, arms, horizon, journal, epsilon, growth)


def nanoseconds(horizon, number_of_arms, *, growth=2.0, **_):
    """An index of every arm before each phase, some by bisection."""
    return 200 * number_of_arms * number_of_phases(horizon, number_of_arms, growth)


@kernel
def dp_klucb(rng, arms, horizon, journal, epsilon, growth):
    """I_a = max{q : d_epsilon(x_a, q) <= ln t/n_a}; ties: the first arm."""
    K = arms.means.size
    s, n = np.zeros(K), np.zeros(K, np.int64)
    t = 0
    while t < horizon:
        a, best = t, -math.inf
        if t >= K:
            for b in range(K):
                index = largest_within(clipped_mean(s[b], n[b]), math.log(t + 1) / n[b], epsilon)
                if index > best:
                    a, best = b, index
        t = play_phase(rng, arms, horizon, journal, t, a, s, n, epsilon, growth)
