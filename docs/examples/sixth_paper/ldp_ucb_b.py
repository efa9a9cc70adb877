"""LDP-UCB-B, UCB on private bits: Ren, Zhou, Liu & Shroff, "Multi-Armed Bandits with Local Differential Privacy" (2020).

A user reports 1 with probability (1 + reward (e^epsilon - 1))/(1 + e^epsilon), otherwise 0. The index is that of UCB.
"""

import math
from typing import NamedTuple

from dpbandits.drivers.index import index_rule, play_with_leads
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import Account, Ledger
from dpbandits.random import noisy_bit


def play(rng, arms, horizon, journal, *, epsilon: Positive):
    """Play one run."""
    play_with_leads(rng, arms, horizon, journal, rule_of(epsilon))


def reporting(horizon, number_of_arms, *, epsilon):
    """Every user reports by the same rule, whose reports an audit draws."""
    return {"any round": rule_of(epsilon)}


def privacy(horizon, number_of_arms, *, epsilon) -> Account:
    """Each reward is reported once; for two rewards, the probabilities of a report differ by a factor of e^epsilon."""
    ledger = Ledger()
    ledger.book_loss(1, 1, epsilon)
    return Account(epsilon, 0.0, ledger, trust="local")


def rule_of(epsilon):
    """A user whose reward is 0 lies with probability 1/(1 + e^epsilon)."""
    return LDPUCBB(1 / (1 + math.exp(epsilon)))


@index_rule
class LDPUCBB(NamedTuple):
    """s: the sum of an arm's n bits."""

    lie: float

    def report(self, rng, reward):
        return noisy_bit(rng, self.lie + reward * (1 - 2 * self.lie))

    def growth(self, t):
        return math.sqrt(2 * math.log(t))

    def terms(self, s, n):
        return s / n, math.sqrt(1 / n)

    def score(self, terms, growth):
        mean, width = terms
        return mean + growth * width
