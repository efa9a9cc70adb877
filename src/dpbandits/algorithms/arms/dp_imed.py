"""DP-IMED: Azize, Wu, Honda, Orabona, Ito & Basu (2025), IMED in phases whose sums are kept.

Known from the abstract and a reader's summary, not from the paper's text (`_growing_phases` says what). An unlucky arm
comes back when the leader has e^(n_a d_epsilon) n_a pulls, later than with DP-KLUCB by the factor n_a: hence a heavier
tail of the regret.
"""

import math

import numpy as np

from dpbandits.algorithms.arms._checks import one_pull_of_each
from dpbandits.algorithms.arms._growing_phases import (
    Growth,
    clipped_mean,
    divergence,
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
    dp_imed(rng, arms, horizon, journal, epsilon, growth)


def nanoseconds(horizon, number_of_arms, *, growth=2.0, **_):
    """An index of every arm before each phase."""
    return 60 * number_of_arms * number_of_phases(horizon, number_of_arms, growth)


@kernel
def dp_imed(rng, arms, horizon, journal, epsilon, growth):
    """I_a = n_a d_epsilon(x_a, max_b x_b) + ln n_a, of which the smallest is played; ties: the first arm."""
    K = arms.means.size
    s, n = np.zeros(K), np.zeros(K, np.int64)
    t = 0
    while t < horizon:
        a, best = t, math.inf
        if t >= K:
            largest = 0.0
            for b in range(K):
                largest = max(largest, clipped_mean(s[b], n[b]))
            for b in range(K):
                index = n[b] * divergence(clipped_mean(s[b], n[b]), largest, epsilon) + math.log(n[b])
                if index < best:
                    a, best = b, index
        t = play_phase(rng, arms, horizon, journal, t, a, s, n, epsilon, growth)
