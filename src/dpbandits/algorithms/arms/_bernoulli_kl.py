"""The relative entropy of Bernoulli laws, and the index of the KL-UCB policies: the largest mean within a budget of it."""

import math

import numpy as np

from dpbandits.kernels.compiled import step


@step
def kl(p, q):
    """Relative entropy of the Bernoulli laws with means p and q."""
    total = 0.0
    if p > 0:
        if q <= 0:
            return np.inf
        total += p * math.log(p / q)
    if p < 1:
        if q >= 1:
            return np.inf
        total += (1 - p) * math.log((1 - p) / (1 - q))
    return total


@step
def kl_index(x, budget):
    """The largest q in [0, 1] with kl(x, q) <= budget, rounded down: 50 bisections below Pinsker's bound."""
    if x >= 1:
        return 1.0
    if x <= 0:
        return -math.expm1(-budget)
    low, high = x, min(1.0, x + math.sqrt(budget / 2))
    for _ in range(50):
        if high - low < 1e-12:
            break
        middle = (low + high) / 2
        if kl(x, middle) <= budget:
            low = middle
        else:
            high = middle
    return low


@step
def above(x, budget, q):
    """Whether the largest q' with kl(x, q') <= budget is above q, without bisection."""
    return x > q or (q < 1 and kl(x, q) < budget)
