"""Lower bounds on the regret of private policies, over ln T, as T grows: what is left to gain.

They are for Bernoulli arms with means below 1, and for policies whose regret grows more slowly than
any power of T on all of them. An epsilon of infinity is no privacy: the bound of Lai & Robbins
(1985).
"""

import math
from collections.abc import Callable

import numpy as np

from dpbandits.drivers.bernoulli_kl import kl
from dpbandits.policies.arms.dp_imed import divergence


def operator(means: np.ndarray, epsilon: float) -> float:
    """The bound if the operator sees the rewards: sum of gap_a/d_epsilon(mu_a, mu*).

    Azize, Wu, Honda, Orabona, Ito & Basu (2025). `dp_klucb` defines d_epsilon.
    """
    return _over_log(means, lambda mean, best: divergence(mean, best, epsilon))


def nobody(means: np.ndarray, epsilon: float) -> float:
    """The bound if nobody sees the rewards: sum of gap_a/kl(g(mu_a), g(mu*)).

    Gajane, Urvoy & Kaufmann (2018), Theorem 1, for randomised responses, where g(mu) is the mean of
    a report. It holds for all private reports, because each can be drawn from a randomised
    response. Where a bit b leads to a report with probability p_b, let a response b' lead to it
    with probability k_b', k_0 = (e^epsilon p_0 - p_1)/(e^epsilon - 1), k_1 likewise. These are not
    negative exactly if the report is private.
    """
    means = 0.5 + (means - 0.5) * math.tanh(epsilon / 2)
    return _over_log(means, kl) / math.tanh(epsilon / 2)  # the gaps are those of the means


def _over_log(means: np.ndarray, information: Callable[[float, float], float]) -> float:
    """The sum of gap_a/information(mu_a, mu*) over the arms that are not the best."""
    best = means.max()
    return float(sum((best - mean) / information(mean, best) for mean in means[means < best]))
