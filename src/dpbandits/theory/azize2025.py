"""Azize, Wu, Honda, Orabona, Ito & Basu (2025): bounds on the regret of Bernoulli bandits with pure privacy.

Known from the abstract and a reader's summary, not from the paper's text.
"""

import math

import numpy as np

from dpbandits.algorithms.arms.dp_imed import divergence


def azize2025_lower_bound(means: np.ndarray, t: int, epsilon: float) -> float:
    """Lower bound times ln T, asymptotic: ln T sum_a gap_a/d_epsilon(mu_a, mu*)."""
    best = means.max()
    return math.log(t) * sum((best - mean) / divergence(mean, best, epsilon) for mean in means[means < best])


def azize2025_upper_bound(means: np.ndarray, t: int, epsilon: float, growth: float = 2.0) -> float:
    """The leading term of the regret of DP-KLUCB and DP-IMED: `growth` times the lower bound; o(ln T) is left out."""
    return growth * azize2025_lower_bound(means, t, epsilon)


BOUNDS = (azize2025_lower_bound, azize2025_upper_bound)
