"""mishra2015: the bound on regret of private UCB, and the cost of Algorithm 2."""

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


def mishra2015_forced_pulls(T: float, epsilon: float) -> tuple[float, float]:
    """The cost of Algorithm 2's first batch over Theorem 8's order, and its share of the rounds.

    There are k = T^(1/3) arms, with a gap of 1/2. The batch pulls each 192 k ln T/epsilon times.
    The order is k ln(T)^3/(epsilon gap)^2.
    """
    k, log_t, gap = T ** (1 / 3), math.log(T), 0.5
    pulls = 192 * k * log_t / epsilon
    return (k - 1) * pulls * gap / (k * log_t**3 / (epsilon * gap) ** 2), k * pulls / T
