"""KL-UCB without privacy: Garivier & Cappé (2011).

With the exploration budget of azize2022 it is the reference for the combined cost of privacy,
doubling and forgetting.
"""

import math

from dpbandits.drivers.bernoulli_kl import above, kl_index
from dpbandits.drivers.index import IndexPolicy
from dpbandits.parameters import Positive


class KLUCB(IndexPolicy):
    """I_a = max{q : kl(s_a/n_a, q) <= alpha ln t/n_a}."""

    alpha: Positive = 3.1

    def growth(self, t):
        return self.alpha * math.log(t)

    def terms(self, s, n):
        return s / n, n

    def score(self, terms, budget):
        mu_hat, n = terms
        return kl_index(mu_hat, budget / n)

    def exceeds(self, terms, budget, level):
        """The index is above q > mu_hat exactly where kl(mu_hat, q) is below the arm's budget."""
        mu_hat, n = terms
        return above(mu_hat, budget / n, level)

    def potential(self, s, n, budget):
        return s
