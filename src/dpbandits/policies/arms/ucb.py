"""UCB1, the non-private baseline. Auer, Cesa-Bianchi & Fischer (2002); tossou2016 section 2.1.

Play each arm once, then argmax_a s_a/n_a + sqrt(2 ln t / n_a) in round t. How the index is split into the methods of a rule,
and who plays it, is explained in `_index.py`.
"""

import math
from typing import NamedTuple

from dpbandits.drivers.index import index_rule, play_with_leads


def play(rng, arms, horizon, journal):
    play_with_leads(rng, arms, horizon, journal, UCB1())


@index_rule
class UCB1(NamedTuple):
    """s: sum of an arm's n rewards."""

    confidence: float = 2.0  # the 2 in sqrt(2 ln t/n_a)

    def growth(self, t):
        return math.sqrt(self.confidence * math.log(t))

    def terms(self, s, n):
        return s / n, math.sqrt(1 / n)

    def score(self, terms, growth):
        mu_hat, width = terms
        return mu_hat + growth * width

    def counted(self, s, n, growth):
        return s
