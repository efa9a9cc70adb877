"""Dist-RDP-SE, `dist_dp_se` with Skellam noise, which an aggregator adds up exactly.

Chowdhury & Zhou (2023), Theorem 2, with the formulas of the authors' code: BatchSEDistRDP in
MABPrivate.py of the repository sayakrc/Differentially-Private-Bandits, commit 650fd1d. We know the
theorem from the abstract only.

A reward of 1 becomes g = ceil(scale eps sqrt(m)), and each of m users adds a difference of two
Poisson numbers, so that their sum has the variance g^2/eps^2. The theorem promises Rényi privacy in
terms of eps, at integer orders. Here the promise is (epsilon, delta), with the largest eps whose
ledger is within it.
"""

import math
from functools import cache

from dpbandits.parameters import Positive, Probability
from dpbandits.policies.arms.dist_dp_se import (
    BASE,
    FAILURE_PROB,
    DistDPSE,
    booked,
    noise_log,
    sampling_width,
)
from dpbandits.privacy.ledger import SKELLAM, Account, Ledger, rho_of


class DistRDPSE(DistDPSE):
    """Successive elimination on sums with Skellam noise."""

    epsilon: Positive
    delta: Probability = 1e-8
    scale: Positive = 10.0  # of their experiments, which also have 100

    def constants(self, horizon, number_of_arms):
        return {"eps": largest_eps(self.epsilon, self.delta, self.scale)}

    def precision(self, m):
        return math.ceil(self.scale * self.eps * math.sqrt(m))

    def tolerance(self, g):
        return math.ceil((2 * g / self.eps + math.sqrt(2)) * math.log(2 / FAILURE_PROB))

    def width(self, A, b, m):
        noise, h = noise_log(A, b), 1 / (self.scale * self.eps)
        sigma = 2 / self.eps + math.sqrt(2) * h
        return sampling_width(A, b, m) + (sigma * math.sqrt(noise) + h * noise) / m

    def noisy(self, releases, total, g):
        return releases.skellam(total, g / self.eps)

    def privacy(self, horizon, number_of_arms):
        """Each reward, at most g, is in one sum."""
        ledger = booked(self.compiled(horizon, number_of_arms), horizon, SKELLAM)
        return Account(self.epsilon, self.delta, ledger, trust="aggregator")


@cache
def largest_eps(epsilon, delta, scale):
    """The eps that the first batch allows, whose sums are the smallest and cost the most."""
    low, high = 0.0, math.sqrt(2 * rho_of(epsilon, delta))
    while high - low > 1e-9 * high:
        eps = (low + high) / 2
        g = math.ceil(scale * eps * math.sqrt(BASE))
        spent = Ledger().book(1, BASE, g, g / eps, SKELLAM).spent(delta)
        low, high = (eps, high) if spent <= epsilon else (low, eps)
    return low
