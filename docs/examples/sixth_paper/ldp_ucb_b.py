"""LDP-UCB-B, UCB on private bits: Ren, Zhou, Liu & Shroff, "Multi-Armed Bandits with Local Differential Privacy" (2020).

A user reports 1 with probability (1 + reward (e^epsilon - 1))/(1 + e^epsilon), otherwise 0. The index is that of UCB.
"""

import math
from typing import NamedTuple

from dpbandits.algorithms.arms._index import index_rule, play_with_leads
from dpbandits.kernels.sampling import uniform
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import Account, Ledger


def play(rng, arms, horizon, journal, *, epsilon: Positive):
    """Play one run."""
    play_with_leads(rng, arms, horizon, journal, LDPUCBB(1 / (1 + math.exp(epsilon))))


def privacy(horizon, number_of_arms, *, epsilon) -> Account:
    """Each reward is reported once; for two rewards, the probabilities of a report differ by a factor of e^epsilon."""
    ledger = Ledger(1)
    ledger.spend(1, 1, loss=epsilon)
    return Account(epsilon, 0.0, ledger, trust="local", releases="reports")


@index_rule
class LDPUCBB(NamedTuple):
    """s: the sum of an arm's n bits."""

    lie: float

    def report(self, rng, reward):
        return 1.0 if uniform(rng) < self.lie + reward * (1 - 2 * self.lie) else 0.0

    def growth(self, t):
        return math.sqrt(2 * math.log(t))

    def terms(self, s, n):
        return s / n, math.sqrt(1 / n)

    def index(self, terms, growth):
        mean, width = terms
        return mean + growth * width
