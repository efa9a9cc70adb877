"""AdaP-UCB as the baseline of Sarkar, Pandey & Ray Chowdhury (2025), panels (a) and (b).

`variant: eq7` is the algorithm of Azize & Basu (2022), in `adap_ucb`. `variant: as_drawn` is the authors' released code
(repository NP-Hardest/DP-NCB, commit 4839751, algorithms/AdaPUCB.py:70-125, and Expt_1.py:70-123 for panel (a)): the index is mu_a + sqrt(alpha ln t/h_a) + 2 alpha ln t/h_a, without the 1/2 under the root and the 1/epsilon;
an episode is twice as long as the arm's last one; means are clipped to [0, 1]; and the K first rewards are used without
noise.
"""

import math
from typing import Literal

import numpy as np

from dpbandits.algorithms.arms import adap_ucb
from dpbandits.algorithms.arms._checks import one_pull_of_each
from dpbandits.environments.arms import note_span, pull_many
from dpbandits.kernels.compiled import kernel
from dpbandits.kernels.sampling import laplace
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import Account

Variant = Literal["eq7", "as_drawn"]
check = one_pull_of_each
nanoseconds = {"episode": 1000}


def play(rng, arms, horizon, journal, *, epsilon: Positive, alpha: Positive = 3.1, variant: Variant = "eq7"):
    """Play one run."""
    if variant == "as_drawn":
        adap_ucb_as_drawn(rng, arms, horizon, journal, epsilon, alpha)
    else:
        adap_ucb.play(rng, arms, horizon, journal, epsilon=epsilon, alpha=alpha)


def privacy(horizon, number_of_arms, *, epsilon, variant="eq7", **_) -> Account:
    """First rewards that are used without noise are not private for any epsilon."""
    if variant == "as_drawn":
        return Account(epsilon, 0.0, None, releases="means after first")
    return adap_ucb.privacy(horizon, number_of_arms, epsilon=epsilon)


@kernel
def adap_ucb_as_drawn(rng, arms, horizon, journal, epsilon, alpha):
    """h_a: the length of the arm's last episode, 1 after its first pull."""
    K = arms.means.size
    pulls, h, mu = np.zeros(K, np.int64), np.ones(K, np.int64), np.zeros(K)
    for a in range(K):
        note_span(journal, a, 1, pulls, a)
        mu[a] = pull_many(rng, arms, a, 1)
        pulls[a] = 1
    t = K
    while t < horizon:
        L = alpha * math.log(t + 1)
        a, best = 0, -np.inf
        for b in range(K):
            index = mu[b] + math.sqrt(L / h[b]) + 2 * L / h[b]
            if index > best:
                a, best = b, index
        m = min(2 * h[a], horizon - t)
        note_span(journal, t, m, pulls, a)
        private = pull_many(rng, arms, a, m) / m + laplace(rng, 1 / (epsilon * m))
        mu[a] = min(max(private, 0.0), 1.0)
        h[a] = m
        pulls[a] += m
        t += m
