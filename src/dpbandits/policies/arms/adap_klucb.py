"""AdaP-KLUCB: Azize & Basu (2022), Algorithm 1 with the index of their equation 8.

Episodes, releases and alpha are those of `adap_ucb`. Other readings of eq. 8 are candidates for
what the figures show: the private term without alpha (`kl_bonus: one`) and with epsilon capped in
that term but not in the noise (`eps_cap`), which are our reconstruction of Figure 3, and half the
exploration budget (`kl_budget: alpha/2`).
"""

import math
from typing import Literal

from dpbandits.drivers.bernoulli_kl import above, kl_index
from dpbandits.drivers.episodes import Bounded
from dpbandits.parameters import Positive
from dpbandits.policies.arms.adap_ucb import AdaPUCB
from dpbandits.privacy.games import SHORT, AuditGames, Setting


class KLBound(Bounded):
    """A bound by the relative entropy."""

    def may_exceed(self, mu, h, t, level):
        """With room for the rounding errors of both."""
        log_t = math.log(t)
        return above(self.x(mu, h, log_t), self.budget * log_t / h, level - 1e-9)


class AdaPKLUCB(AdaPUCB):
    """I_a = max{q : kl(x_a, q) <= budget ln t/h_a}, x_a = mu_a + bonus ln t/h_a in [0, 1]."""

    short_cut = KLBound

    kl_bonus: Literal["alpha", "one"] = "alpha"
    kl_budget: Literal["alpha", "alpha/2"] = "alpha"
    eps_cap: Positive = math.inf

    def constants(self, horizon, number_of_arms):
        bonus = self.alpha if self.kl_bonus == "alpha" else 1.0
        return super().constants(horizon, number_of_arms) | {
            "bonus": bonus / min(self.epsilon, self.eps_cap),
            "budget": self.alpha if self.kl_budget == "alpha" else self.alpha / 2,
        }

    def index(self, mu, h, t):
        log_t = math.log(t)
        return kl_index(self.x(mu, h, log_t), self.budget * log_t / h)

    def x(self, mu, h, log_t):
        return min(max(mu + self.bonus * log_t / h, 0.0), 1.0)

    def audit_games(self):
        """Games in which both indices fall below 1.

        Without rewards and noise, arm 0 is pulled T/4 times, then arm 1. Reward 3T/8 + 1 is in the
        mean by which arm 1 is compared with arm 0.
        """
        T = 64
        while self.alpha * (1 / self.epsilon + 0.5) * math.log(T) > T / 8:
            T *= 2
        return AuditGames((SHORT, Setting(2, T, ("zeros",), (3 * T // 8 + 1,))))
