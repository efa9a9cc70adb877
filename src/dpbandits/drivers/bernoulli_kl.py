"""The relative entropy of Bernoulli distributions, and the index of the KL-UCB policies."""

import math

import numpy as np

from dpbandits.kernels import step

BELOW_ONE = 1 - 2.0**-53  # the largest number below 1
ROUNDING = 1e-12  # more than the relative errors of bounds of kl


@step
def kl(p, q):
    """Return the relative entropy of the Bernoulli distributions with means p and q."""
    total = 0.0
    if not p <= 0:  # also if p is NaN
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
    """Return the largest q in [0, 1] with kl(x, q) <= budget.

    Newton's steps from above do not pass it, as kl is convex. They start at the lower one of two
    bounds: Pinsker's, and one without the positive term -x ln q of kl.
    """
    if x >= 1:
        return 1.0
    if x <= 0:
        return -math.expm1(-budget)
    entropy = -x * math.log(x) - (1 - x) * math.log1p(-x)
    q = min(x + math.sqrt(budget / 2), -math.expm1(-(budget + entropy) / (1 - x)), BELOW_ONE)
    while q > x:
        excess = (kl(x, q) - budget) * q * (1 - q) / (q - x)
        q -= max(excess, 0.0)  # below 0 by rounding only
        if excess < 1e-13:
            break
    return q


@step
def above(x, budget, q):
    """Return whether the largest q' with kl(x, q') <= budget is above q, without computing it.

    kl(x, q) is the integral of (s - x) w(s) from x to q, w(s) = 1/(s (1 - s)). This is (q - x)^2/2
    times a mean of w, with most weight near q. As w is convex, the mean is at most
    (w(x) + 2 w(q))/3, and at least w at the mean of s, (x + 2 q)/3. Only between these bounds are
    logarithms necessary.
    """
    if x > q:
        return True
    if q >= 1:
        return False
    half_square, at_x, at_q, mean = (q - x) ** 2 / 2, x * (1 - x), q * (1 - q), (x + 2 * q) / 3
    if half_square * (at_q + 2 * at_x) < 3 * budget * at_x * at_q * (1 - ROUNDING):
        return True
    if half_square > budget * mean * (1 - mean) * (1 + ROUNDING):
        return False
    return kl(x, q) < budget
