"""DP-UCB-BOUND: Tossou & Dimitrakakis (2016), Algorithm 1.

UCB on the counts of one hybrid mechanism per arm, with the mechanism's error bound (their eq. 2.2
at failure probability t^-4) added to the index. Each mechanism has the whole budget, since a reward
enters only one of them.
"""

import math

from dpbandits.drivers.index import IndexPolicy, Leads
from dpbandits.kernels import step
from dpbandits.parameters import Positive
from dpbandits.privacy.hybrid import Split, hybrid, hybrid_account, hybrid_noise, scales


class BoundLeads(Leads):
    """The potential is the sum. At powers of two, where the factor falls to 1, there is none."""

    def potential(self, s_hat, n, growth):
        return s_hat if n & (n - 1) else math.nan


class DPUCBBound(IndexPolicy):
    """s_hat_a/n_a + sqrt(2 ln t/n_a) + c_t factor(n_a)/n_a, c_t = sqrt(8)/eps ln(4 t^4)."""

    short_cut = BoundLeads

    epsilon: Positive
    hybrid_split: Split = "half_log2"

    def state(self, number_of_arms):
        return {"mechanism": hybrid(number_of_arms, *scales(self.hybrid_split, self.epsilon))}

    def noisy(self, releases, a, s, n):
        return s + hybrid_noise(releases, self.mechanism, a, s, n)

    def growth(self, t):
        c_t = math.sqrt(8) / self.epsilon * (math.log(4) + 4 * math.log(t))
        return math.sqrt(2 * math.log(t)), c_t

    def statistics(self, s_hat, n):
        return s_hat / n, math.sqrt(1 / n), factor(n) / n

    def index(self, mu_hat, width, slack, growth):
        bonus, c_t = growth
        return mu_hat + bonus * width + c_t * slack

    def privacy(self, horizon, number_of_arms):
        """One arm's stream may hold every reward; the others' streams are disjoint from it."""
        return hybrid_account(horizon, self.hybrid_split, self.epsilon)


@step
def factor(n):
    """1 at powers of two, where the logarithm mechanism alone counts; ln n + 1 with a tree."""
    return 1.0 if n & (n - 1) == 0 else math.log(n) + 1
