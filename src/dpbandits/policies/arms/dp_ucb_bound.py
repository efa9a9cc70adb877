"""DP-UCB-BOUND: Tossou & Dimitrakakis (2016), Algorithm 1.

UCB on the counts of one hybrid mechanism per arm, with the mechanism's error bound (their eq. 2.2 at failure
probability t^-4) added to the index. Each mechanism has the whole budget, since a reward enters only one of them.
"""

import math
from typing import NamedTuple

from dpbandits.drivers.index import index_rule, play_with_leads
from dpbandits.kernels import step
from dpbandits.parameters import Positive
from dpbandits.policies.arms import dp_ucb
from dpbandits.privacy.hybrid import Hybrid, Split, hybrid, hybrid_noise, scales

privacy = (
    dp_ucb.privacy
)  # one arm's stream may hold every reward; the other arms' streams are disjoint from it


def play(rng, arms, horizon, journal, *, epsilon: Positive, hybrid_split: Split = "half_log2"):
    mechanism = hybrid(len(arms.means), *scales(hybrid_split, epsilon))
    play_with_leads(rng, arms, horizon, journal, DPUCBBound(epsilon, mechanism))


@index_rule
class DPUCBBound(NamedTuple):
    """The index is s_hat_a/n_a + sqrt(2 ln t/n_a) + nu_a/n_a, nu_a = c_t factor(n_a), c_t = sqrt(8)/eps ln(4 t^4)."""

    epsilon: float
    mechanism: Hybrid

    def noisy(self, rng, a, s, n):
        return s + hybrid_noise(rng, self.mechanism, a, n)

    def growth(self, t):
        c_t = math.sqrt(8) / self.epsilon * (math.log(4) + 4 * math.log(t))
        return math.sqrt(2 * math.log(t)), c_t

    def terms(self, s_hat, n):
        return s_hat / n, math.sqrt(1 / n), factor(n) / n

    def score(self, terms, growth):
        mu_hat, width, slack = terms
        bonus, c_t = growth
        return mu_hat + bonus * width + c_t * slack

    def counted(self, s_hat, n, growth):
        """Between powers of two the factor rises."""
        return s_hat if n & (n - 1) else math.nan


@step
def factor(n):
    """1 if the logarithm mechanism alone releases the count, at powers of two; ln n + 1 if a tree contributes."""
    return 1.0 if n & (n - 1) == 0 else math.log(n) + 1
