"""AdaP-KLUCB: Azize & Basu (2022), Algorithm 1 with the index of their equation 8. Episodes and releases are those of `adap_ucb`.

Other readings of eq. 8 are candidates for what the figures show: the private term without alpha (`kl_bonus: one`) and
with epsilon capped in that term but not in the noise (`eps_cap`), which are our reconstruction of Figure 3, and half the
exploration budget (`kl_budget: alpha/2`).
"""

import math
from typing import Literal, NamedTuple

from dpbandits.drivers.bernoulli_kl import above, kl_index
from dpbandits.drivers.episodes import account_of_episodes, episode_rule, play_in_episodes
from dpbandits.parameters import Positive
from dpbandits.random import laplace

privacy = account_of_episodes


def play(
    rng,
    arms,
    horizon,
    journal,
    *,
    epsilon: Positive,
    alpha: Positive = 3.1,  # of their experiments
    kl_bonus: Literal["alpha", "one"] = "alpha",
    kl_budget: Literal["alpha", "alpha/2"] = "alpha",
    eps_cap: Positive = math.inf,
):
    """Play one run. The theory asks for alpha > 3."""
    bonus = (alpha if kl_bonus == "alpha" else 1.0) / min(epsilon, eps_cap)
    budget = alpha if kl_budget == "alpha" else alpha / 2
    play_in_episodes(rng, arms, horizon, journal, AdaPKLUCB(epsilon, bonus, budget))


@episode_rule
class AdaPKLUCB(NamedTuple):
    """I_a = max{q : kl(x_a, q) <= budget ln t/h_a}, x_a = mu_a + bonus ln t/h_a clipped to [0, 1]."""

    epsilon: float
    bonus: float
    budget: float

    def index_at(self, mu, h, t):
        log_t = math.log(t)
        return kl_index(min(max(mu + self.bonus * log_t / h, 0.0), 1.0), self.budget * log_t / h)

    def may_exceed(self, mu, h, t, level):
        """With room for the rounding errors of both."""
        log_t = math.log(t)
        return above(
            min(max(mu + self.bonus * log_t / h, 0.0), 1.0), self.budget * log_t / h, level - 1e-9
        )

    def release(self, rng, a, mu, h, total, m):
        return total / m + laplace(rng, 1 / (self.epsilon * m)), m
