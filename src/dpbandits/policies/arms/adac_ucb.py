"""AdaC-UCB: Azize & Basu, "Concentrated Differential Privacy for Bandits" (2024): AdaP-UCB with Gaussian noise.

Episodes are those of `adap_ucb`: each doubles an arm's pulls and releases the mean of the second half of them, h_a
rewards,

    mu_a = that mean + N(0, 1/(2 rho h_a^2)),    I_a = mu_a + sqrt((1/(2 h_a) + 1/(rho h_a^2)) beta ln t).

A mean changes by 1/h_a with one reward, so that its release is rho-zero-concentrated, and every reward is in one of
them. The promise here is (epsilon, delta), to which the largest rho belongs that zero-concentrated privacy turns into
it.
"""

import math
from typing import NamedTuple

from dpbandits.drivers.episodes import episode_rule, play_in_episodes
from dpbandits.parameters import Positive, Probability
from dpbandits.privacy.ledger import GAUSSIAN, Account, Ledger, rho_of
from dpbandits.random import gaussian


def play(
    rng,
    arms,
    horizon,
    journal,
    *,
    epsilon: Positive,
    delta: Probability = 1e-8,
    beta: Positive = 1.0,
):
    """Play one run. The theory asks for beta > 3; 1 is the value in their experiments."""
    play_in_episodes(rng, arms, horizon, journal, AdaCUCB(rho_of(epsilon, delta), beta))


def privacy(horizon, number_of_arms, *, epsilon, delta=1e-8, **_) -> Account:
    """Each reward is in the mean of one episode."""
    scale = 1 / math.sqrt(2 * rho_of(epsilon, delta))
    return Account(
        epsilon, delta, Ledger().book(1, horizon, sensitivity=1.0, scale=scale, law=GAUSSIAN)
    )


@episode_rule
class AdaCUCB(NamedTuple):
    rho: float
    exploration: float  # beta

    def index_at(self, mu, h, t):
        return mu + math.sqrt(
            (1 / (2 * h) + 1 / (self.rho * h**2)) * self.exploration * math.log(t)
        )

    def release(self, rng, a, mu, h, total, m):
        return total / m + gaussian(rng, 1 / (math.sqrt(2 * self.rho) * m)), m
