"""LDP-UCB: Ren, Zhou, Liu & Shroff, "Multi-Armed Bandits with Local Differential Privacy" (2020), LDP-UCB-L.

Every user reports reward + Lap(1/epsilon). Each arm is played once; then, after t rounds, the policy plays

    the first arm with n_a <= 4 ln(t + 1), if there is one, otherwise
    argmax_a mean_a + sqrt(2 ln(t + 1)/n_a) + sqrt(32 ln(t + 1)/(epsilon^2 n_a))
"""

import math
from typing import NamedTuple

from dpbandits.algorithms.arms._checks import one_pull_of_each
from dpbandits.algorithms.arms._index import index_rule, play_with_leads
from dpbandits.algorithms.arms._reports import reports_at_once
from dpbandits.kernels.sampling import laplace
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import Account, Ledger
from dpbandits.privacy.releases import AuditSettings, Setting

check = one_pull_of_each
nanoseconds = {"round": 10, "run": 60_000_000}  # one noise draw, and one index during a lead


def play(rng, arms, horizon, journal, *, epsilon: Positive):
    """Play one run."""
    play_with_leads(rng, arms, horizon, journal, LDPUCB(epsilon))


def privacy(horizon, number_of_arms, *, epsilon, **_) -> Account:
    """Each reward is reported once, so the ledger has one item."""
    ledger = Ledger(1)
    ledger.release(1, 1, sensitivity=1.0, scale=1 / epsilon)
    return Account(epsilon, 0.0, ledger, trust="local", releases="reports")


def audited(epsilon, **_) -> AuditSettings:
    """Games that leave the forced rounds, which are the first 26 of two arms."""
    return AuditSettings((Setting(2, 32, ("tie",), (2, 24), told=6),), ())


@index_rule
class LDPUCB(NamedTuple):
    """s: the sum of an arm's n reports."""

    epsilon: float

    def report(self, rng, reward):
        return reward + laplace(rng, 1 / self.epsilon)

    def lead_on(self, rng, arms, a, most, s, n, growth, level):
        return reports_at_once(rng, arms, a, most, s, n, self, growth, level)

    def growth(self, t):
        return (math.sqrt(2) + math.sqrt(32) / self.epsilon) * math.sqrt(math.log(t))

    def terms(self, s, n):
        one_over_n = 1.0 / n
        return s * one_over_n, math.sqrt(one_over_n)

    def index(self, terms, growth):
        mean, width = terms
        return mean + growth * width

    def forced(self, n, t):
        """The first arm with too few pulls at round t."""
        limit = 4 * math.log(t)
        for a in range(n.size):
            if n[a] <= limit:
                return a
        return -1

    def not_forced_before(self, n):
        """With the smallest n, 4 ln t < n for t < e^(n/4), less one for rounding."""
        return math.exp(min(n.min() / 4, 40.0)) - 1
