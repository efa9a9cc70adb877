"""AdaP-KLUCB without forgetting, to measure its cost in Algorithm 1 of Azize & Basu (2022). Not one of their
algorithms.

Episodes double as before, and the sum of rewards of each is released with Lap(1/epsilon), but the mean is taken over
all sums of an arm, and the index counts all its pulls. It has the same privacy; its index accounts for the noise of one
sum only, while the mean contains that of every episode, so the theory does not apply.
"""

import math
from dataclasses import replace

import numpy as np

from dpbandits.algorithms.arms import adap_klucb
from dpbandits.algorithms.arms._adaptive_episodes import episodes_privacy
from dpbandits.algorithms.arms._bernoulli_kl import above, kl_index
from dpbandits.algorithms.arms._checks import one_pull_of_each
from dpbandits.environments.arms import note_span, pull_many
from dpbandits.kernels.compiled import kernel
from dpbandits.kernels.sampling import laplace
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import Account

check = one_pull_of_each
audited = adap_klucb.audited
nanoseconds = {"episode": 3000}  # as AdaP-KLUCB


def play(rng, arms, horizon, journal, *, epsilon: Positive, alpha: Positive = 3.1):
    """Play one run."""
    klucb_keeping_all(rng, arms, horizon, journal, epsilon, alpha)


def privacy(horizon, number_of_arms, *, epsilon, **_) -> Account:
    """Every reward is in one released sum."""
    return replace(episodes_privacy(horizon, number_of_arms, epsilon=epsilon), releases="sums")


@kernel
def klucb_keeping_all(rng, arms, horizon, journal, epsilon, alpha):
    """The index of eq. 8 with N_a in place of h_a; s: the sums of an arm with the noise of each."""
    K = arms.means.size
    s, pulls = np.zeros(K), np.zeros(K, np.int64)
    t = 0
    while t < horizon:
        a, best = t, -math.inf
        if t >= K:
            L = alpha * math.log(t + 1)
            for b in range(K):
                x = min(max(s[b] / pulls[b] + L / (epsilon * pulls[b]), 0.0), 1.0)
                if above(x, L / pulls[b], best):
                    index = kl_index(x, L / pulls[b])
                    a, best = (b, index) if index > best else (a, best)
        m = min(max(pulls[a], 1), horizon - t)
        note_span(journal, t, m, pulls, a)
        s[a] += pull_many(rng, arms, a, m) + laplace(rng, 1 / epsilon)
        pulls[a] += m
        t += m
