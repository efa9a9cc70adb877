"""mishra2015: the bound on regret of private UCB."""

import math

import numpy as np

from dpbandits.theory import bound


@bound
def mishra2015_theorem_4(gaps: np.ndarray, t: int, epsilon: float) -> float:
    """Theorem 4, private UCB (Algorithm 1): sum_a gap_a (8 G/gap_a^2 + pi^2/3 + 1).

    The failure probability is 1/T.
    """
    gap, K = gaps[gaps > 0], len(gaps)
    G = K * math.log(t) ** 2 * math.log(K * t * math.log(t) * t) / epsilon
    return float(np.sum(gap * (8 * G / gap**2 + math.pi**2 / 3 + 1)))
