"""LDP-UCB: Ren, Zhou, Liu & Shroff, "Multi-Armed Bandits with Local Differential Privacy" (2020), LDP-UCB-L.

Every user reports reward + Lap(1/epsilon). Each arm is played once; then, after t rounds, the policy plays

    the first arm with n_a <= 4 ln(t + 1), if there is one, otherwise
    argmax_a mean_a + sqrt(2 ln(t + 1)/n_a) + sqrt(32 ln(t + 1)/(epsilon^2 n_a))
"""

import math
from typing import NamedTuple

from dpbandits.drivers.index import index_rule, play_with_leads
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import Account, Ledger
from dpbandits.random import laplace


def play(rng, arms, horizon, journal, *, epsilon: Positive):
    play_with_leads(rng, arms, horizon, journal, LDPUCB(epsilon))


def reporting(horizon, number_of_arms, *, epsilon):
    """Every user reports by the same rule."""
    return {"any round": LDPUCB(epsilon)}


def privacy(horizon, number_of_arms, *, epsilon, **_) -> Account:
    """Each reward is reported once, so the ledger has one item."""
    return Account(
        epsilon, 0.0, Ledger().book(1, 1, sensitivity=1.0, scale=1 / epsilon), trust="local"
    )


@index_rule
class LDPUCB(NamedTuple):
    """s: the sum of an arm's n reports. An arm with too few pulls has an infinite index."""

    epsilon: float

    def report(self, rng, reward):
        return reward + laplace(rng, 1 / self.epsilon)

    def growth(self, t):
        log_t = math.log(t)
        return (math.sqrt(2) + math.sqrt(32) / self.epsilon) * math.sqrt(log_t), 4 * log_t

    def terms(self, s, n):
        one_over_n = 1.0 / n
        return s * one_over_n, math.sqrt(one_over_n), n

    def score(self, terms, growth):
        mean, width, n = terms
        bonus, least = growth
        return mean + bonus * width if n > least else math.inf

    def counted(self, s, n, growth):
        return s if n > growth[1] else math.nan
