"""Private UCB with UCB1's interval sqrt(2 ln t/n), without the relaxation G.

For the sentence of Mishra & Thakurta (2015) that the tuned interval performs best (section 5).
"""

import math

from dpbandits.drivers.index import SumLeads
from dpbandits.policies.arms.private_ucb_tuned import PrivateUCBTuned


class PrivateUCBClipped(PrivateUCBTuned):
    """r: the noisy sum of an arm's n rewards; G = c L/eps0."""

    short_cut = SumLeads

    def growth(self, t):
        return math.sqrt(2 * math.log(t))

    def statistics(self, r, n):
        return (r + self.G) / n, math.sqrt(1 / n)

    def index(self, mean, width, growth):
        return mean + growth * width
