"""UCB1, the non-private baseline.

Auer, Cesa-Bianchi & Fischer (2002); tossou2016, section 2.1.
"""

import math

from dpbandits.drivers.index import IndexPolicy, SumLeads


class UCB(IndexPolicy):
    """Play each arm once, then argmax_a s_a/n_a + sqrt(2 ln t/n_a) in round t."""

    short_cut = SumLeads

    def growth(self, t):
        return math.sqrt(2.0 * math.log(t))

    def statistics(self, s, n):
        return s / n, math.sqrt(1 / n)

    def index(self, mu_hat, width, growth):
        return mu_hat + growth * width
