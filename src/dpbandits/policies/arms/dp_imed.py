"""DP-IMED: Azize, Wu, Honda, Orabona, Ito & Basu (2025), IMED in the phases of `dp_klucb`.

Known from the abstract and a reader's summary, not from the paper's text. An unlucky arm comes back
when the leader has e^(n_a d_epsilon) n_a pulls, later than with DP-KLUCB by the factor n_a. So the
regret has a heavier tail.
"""

import math

from dpbandits.drivers.bernoulli_kl import kl
from dpbandits.kernels import step
from dpbandits.policies.arms.dp_klucb import DPKLUCB, clipped_mean
from dpbandits.privacy.games import AuditGames


class DPIMED(DPKLUCB):
    """DP-KLUCB's phases and sums; the smallest I_a = n_a d_epsilon(x_a, max_b x_b) + ln n_a."""

    def choose(self, s, n, t):
        largest = 0.0
        for b in range(n.size):
            if n[b] > 0:
                largest = max(largest, clipped_mean(s[b], n[b]))
        a, best = 0, math.inf
        for b in range(n.size):
            score = -math.inf
            if n[b] > 0:
                score = n[b] * divergence(
                    clipped_mean(s[b], n[b]), largest, self.epsilon
                ) + math.log(n[b])
            if score < best:
                a, best = b, score
        return a

    def audit_games(self):
        """The default games, not those of DP-KLUCB."""
        return AuditGames()


@step
def divergence(x, y, epsilon):
    """d_epsilon(x, y) for x <= y, else 0.

    The minimising z has e^-epsilon times the odds of y. If that is below x, z is x.
    """
    if x >= y:
        return 0.0
    if y >= 1:
        return epsilon * (1 - x)
    weight = y * math.exp(-epsilon)
    if x >= weight / (1 - y + weight):
        return kl(x, y)
    return -math.log1p(y * math.expm1(-epsilon)) - epsilon * x
