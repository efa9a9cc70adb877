"""LDP-UCB: Ren, Zhou, Liu & Shroff (2020).

Their LDP-UCB-L, in "Multi-Armed Bandits with Local Differential Privacy". Every user reports reward
+ Lap(1/epsilon). Each arm is played once; then, after t rounds, the policy plays

    the first arm with n_a <= 4 ln(t + 1), if there is one, otherwise
    argmax_a mean_a + sqrt(2 ln(t + 1)/n_a) + sqrt(32 ln(t + 1)/(epsilon^2 n_a))
"""

import math

from dpbandits.drivers.index import IndexPolicy, Leads
from dpbandits.parameters import Positive
from dpbandits.privacy.games import AuditGames, Setting
from dpbandits.privacy.reports import NoisyReports


class LDPLeads(Leads):
    """The potential is the sum of the reports, of an arm with enough pulls."""

    def potential(self, s, n, growth):
        return s if n > growth[1] else math.nan


class LDPUCB(NoisyReports, IndexPolicy):
    """s: the sum of an arm's n reports. An arm with too few pulls has an infinite index."""

    short_cut = LDPLeads

    epsilon: Positive

    def growth(self, t):
        log_t = math.log(t)
        return (math.sqrt(2) + math.sqrt(32) / self.epsilon) * math.sqrt(log_t), 4 * log_t

    def statistics(self, s, n):
        one_over_n = 1.0 / n
        return s * one_over_n, math.sqrt(one_over_n), n

    def index(self, mean, width, n, growth):
        bonus, least = growth
        return mean + bonus * width if n > least else math.inf

    def audit_games(self):
        """Games with six rounds after the 26 forced ones."""
        return AuditGames((Setting(2, 32, ("tie",), (2, 24), observed_rounds=6),))
