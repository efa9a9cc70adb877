"""UCB with the tuned interval of Mishra & Thakurta (2015), section on experiments; not private.

Play each arm once, then argmax_a r_a/n_a + sqrt(r_a ln t)/n_a + ln t/n_a. This is the relative-entropy bound
r/n + sqrt(2 (r/n) w/n) + 2 w/n of Chapelle & Li (2011), whom the paper credits, with w = ln(t)/2.
"""

import math
from typing import NamedTuple

from dpbandits.drivers.index import index_rule, play_with_leads


def play(rng, arms, horizon, journal):
    play_with_leads(rng, arms, horizon, journal, TunedUCB())


@index_rule
class TunedUCB(NamedTuple):
    """r: sum of an arm's n rewards."""

    confidence: float = 1.0  # in the interval, of ln t

    def growth(self, t):
        return self.confidence * math.log(t)

    def terms(self, r, n):
        return r / n, math.sqrt(r) / n, 1 / n

    def score(self, terms, log_t):
        mean, width, slack = terms
        return mean + math.sqrt(log_t) * width + log_t * slack

    def counted(self, r, n, log_t):
        return r
