"""AdaC-UCB: Azize & Basu, "Concentrated Differential Privacy for Bandits" (2024).

AdaP-UCB with Gaussian noise. Episodes are those of `adap_ucb`: each doubles an arm's pulls and
releases the mean of the second half of them, h_a rewards,

    mu_a = that mean + N(0, 1/(2 rho h_a^2)),
    I_a  = mu_a + sqrt((1/(2 h_a) + 1/(rho h_a^2)) beta ln t).

A mean changes by 1/h_a with one reward, so that its release is rho-zero-concentrated, and every
reward is in one of them. The promise here is (epsilon, delta), with the largest rho that
zero-concentrated privacy turns into it.
"""

import math

from dpbandits.drivers.episodes import EpisodePolicy
from dpbandits.parameters import Positive, Probability
from dpbandits.privacy.ledger import GAUSSIAN, Account, Ledger, rho_of


class AdaCUCB(EpisodePolicy):
    """AdaP-UCB's episodes with Gaussian noise."""

    epsilon: Positive
    delta: Probability = 1e-8
    beta: Positive = 1.0  # of their experiments; the theory needs beta > 3

    def constants(self, horizon, number_of_arms):
        return {"rho": rho_of(self.epsilon, self.delta)}

    def index(self, mu, h, t):
        return mu + math.sqrt((1 / (2 * h) + 1 / (self.rho * h**2)) * self.beta * math.log(t))

    def update(self, releases, a, mu, h, total, m):
        return releases.gaussian(total / m, 1 / (math.sqrt(2 * self.rho) * m)), m

    def privacy(self, horizon, number_of_arms):
        """Each reward is in the mean of one episode."""
        sd = 1 / math.sqrt(2 * rho_of(self.epsilon, self.delta))
        ledger = Ledger().book(1, horizon, sensitivity=1.0, scale=sd, law=GAUSSIAN)
        return Account(self.epsilon, self.delta, ledger)
