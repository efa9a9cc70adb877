"""AdaP-UCB as Sarkar, Pandey & Ray Chowdhury (2025) ran it.

It is their baseline in panels (a) and (b). Their released code (repository NP-Hardest/DP-NCB,
commit 4839751, algorithms/AdaPUCB.py:70-125, and Expt_1.py:70-123 for panel (a)) differs from
`adap_ucb`. The index is mu_a + sqrt(alpha ln t/h_a) + 2 alpha ln t/h_a, without the 1/2 under the
root and the 1/epsilon. An episode is twice as long as the arm's last one. Means are clipped to
[0, 1], and the K first rewards are used without noise.
"""

import math

from dpbandits.policies.arms.adap_ucb import AdaPUCB
from dpbandits.privacy.ledger import Account


class AdaPUCBAsDrawn(AdaPUCB):
    """h: the length of the arm's last episode."""

    def index(self, mu, h, t):
        L = self.alpha * math.log(t)
        return mu + math.sqrt(L / h) + 2 * L / h

    def length(self, a, h, n):
        return max(2 * h, 1)

    def update(self, releases, a, mu, h, total, m):
        if h == 0:
            return total, m
        return min(max(self.released(releases, total) / m, 0.0), 1.0), m

    def privacy(self, horizon, number_of_arms):
        """First rewards that are used without noise are not private for any epsilon."""
        return Account(self.epsilon, 0.0, None)
