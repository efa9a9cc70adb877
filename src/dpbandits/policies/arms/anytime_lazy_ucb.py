"""Anytime-Lazy-UCB: Hu, Huang & Mehta (2021), as reconstructed from the figures of hu2022.

Hu & Hegde (2022) say that it is an index policy that forgets and needs no horizon. They give no
formula. Of four pairs of bonuses this one alone agrees with all eight curves that they drew:

    I_a = m_a + sqrt(3 log2 t/h_a) + 3 log2 t/(epsilon h_a), play the largest in round t

An arm's epochs have 2, 4, 8, ... rewards. m_a is the mean of the last one, which has h_a rewards,
with Lap(1/(epsilon h_a)). An arm without an epoch is played first.
"""

import math

import numpy as np

from dpbandits.drivers.index import IndexPolicy, Leads
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import released_once
from dpbandits.privacy.tree import tree_levels


class AnytimeLazyUCB(IndexPolicy):
    """UCB on the mean of an arm's last epoch."""

    short_cut = Leads

    epsilon: Positive

    def state(self, number_of_arms):
        """released: the noisy sum of an arm's last epoch; before: the sum of all up to its end."""
        return {"released": np.zeros(number_of_arms), "before": np.zeros(number_of_arms)}

    def noisy(self, releases, a, s, n):
        if (n + 2) & (n + 1) == 0:  # an epoch ends after 2^k - 2 rewards
            self.released[a] = releases.laplace(s - self.before[a], 1 / self.epsilon)
            self.before[a] = s
        return self.released[a]

    def growth(self, t):
        return 3 * math.log2(t)

    def statistics(self, x, n):
        if n < 2:
            return math.inf, 0.0, 0.0
        h = 1 << (tree_levels(n + 2) - 2)
        return x / h, math.sqrt(1 / h), 1 / (self.epsilon * h)

    def index(self, m, width, slack, L):
        return m + math.sqrt(L) * width + L * slack

    def privacy(self, horizon, number_of_arms):
        """Every reward is released once, with its epoch."""
        return released_once(self.epsilon, horizon)
