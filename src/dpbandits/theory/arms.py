"""Quantities that the theorems on stochastic arms share."""

import numpy as np

from dpbandits.algorithms.arms._bernoulli_kl import kl


def suboptimal(gaps: np.ndarray) -> np.ndarray:
    """The gaps of the arms that are not the best."""
    return gaps[gaps > 0]


def distinguishability(means: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Gap and d_a = kl(mu_a, mu*) of the suboptimal arms; for Bernoulli arms the total variation t_a is the gap."""
    best = means.max()
    worse = means[means < best]
    return best - worse, np.array([kl(mean, best) for mean in worse])
