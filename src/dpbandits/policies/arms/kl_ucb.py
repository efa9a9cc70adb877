"""KL-UCB without privacy: Garivier & Cappé (2011).

With the exploration budget of azize2022 it is the reference for the combined cost of privacy,
doubling and forgetting.
"""

import math

from dpbandits.drivers.bernoulli_kl import above, kl_index
from dpbandits.drivers.index import IndexPolicy, SumLeads
from dpbandits.parameters import Positive


class KLLeads(SumLeads):
    """Leads by the relative entropy, without the index.

    An index exceeds q >= s/n where n kl(s/n, q) < budget. As kl is convex and 0 at q, this product
    grows only if s - nq falls.
    """

    def exceeds(self, arm, budget, level):
        """The index is above q > mu_hat exactly where kl(mu_hat, q) is below the arm's budget."""
        mu_hat, n = arm
        return above(mu_hat, budget / n, level)


class KLUCB(IndexPolicy):
    """I_a = max{q : kl(s_a/n_a, q) <= alpha ln t/n_a}."""

    short_cut = KLLeads

    alpha: Positive = 3.1

    def growth(self, t):
        return self.alpha * math.log(t)

    def statistics(self, s, n):
        return s / n, n

    def index(self, mu_hat, n, budget):
        return kl_index(mu_hat, budget / n)
