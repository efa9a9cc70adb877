"""UCB with the tuned interval of Mishra & Thakurta (2015), without privacy.

Their section on experiments has it. It is the relative-entropy bound r/n + sqrt(2 (r/n) w/n) + 2
w/n of Chapelle & Li (2011), whom the paper credits, with w = ln(t)/2.
"""

import math

from dpbandits.drivers.index import IndexPolicy, SumLeads


class UCBTuned(IndexPolicy):
    """Play each arm once, then argmax_a r_a/n_a + sqrt(r_a ln t)/n_a + ln t/n_a."""

    short_cut = SumLeads

    def growth(self, t):
        return math.log(t)

    def statistics(self, r, n):
        return r / n, math.sqrt(r) / n, 1 / n

    def index(self, mean, width, slack, log_t):
        return mean + math.sqrt(log_t) * width + log_t * slack
