"""Gajane, Urvoy & Kaufmann (2018): the regret of bandits on randomised responses. Known from summaries of the paper."""

import math

import numpy as np

from dpbandits.algorithms.arms._bernoulli_kl import kl


def gajane2018_lower_bound(means: np.ndarray, t: int, epsilon: float) -> float:
    """Lower bound times ln T, asymptotic: ln T sum_a gap_a/kl(g(mu_a), g(mu*)), g(q) = P(report 1)."""
    best, truth = means.max(), 1 / (1 + math.exp(-epsilon))
    reported = 1 - truth + means * (2 * truth - 1)
    worse = means < best
    return math.log(t) * sum(
        gap / kl(mean, reported.max()) for gap, mean in zip(best - means[worse], reported[worse], strict=True)
    )


BOUNDS = (gajane2018_lower_bound,)
