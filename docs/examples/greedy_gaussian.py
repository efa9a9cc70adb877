"""Greedy on means with Gaussian noise: explores at random in a tenth of the rounds."""

import math

import numpy as np

from dpbandits.bandits.arms import note, pull
from dpbandits.kernels import kernel
from dpbandits.parameters import Positive, Probability
from dpbandits.policy import ArmsPolicy
from dpbandits.privacy.ledger import GAUSSIAN, Account, Ledger, rho_of


class GaussianGreedy(ArmsPolicy):
    """Play the arm with the largest noisy mean, or explore."""

    epsilon: Positive
    delta: Probability = 1e-6

    @property
    def sd(self):
        """The noise: with it, a reward has the concentrated privacy 1/(2 sd^2)."""
        return 1 / math.sqrt(2 * rho_of(self.epsilon, self.delta))

    def play(self, rng, arms, horizon, journal):
        greedy(rng, arms, horizon, journal, self.sd)

    def privacy(self, horizon, number_of_arms):
        """Each reward is released once: one release, of sensitivity 1, with this noise."""
        ledger = Ledger().book(1, 1, sensitivity=1.0, scale=self.sd, law=GAUSSIAN)
        return Account(self.epsilon, self.delta, ledger, trust="local")


@kernel
def greedy(rng, arms, horizon, journal, sd):
    """The loop of the draft, with other noise."""
    K = len(arms.means)
    sums, pulls = np.zeros(K), np.zeros(K, np.int64)
    for t in range(1, horizon + 1):
        explore = t <= K or rng.random() < 0.1
        a = int(rng.integers(0, K)) if explore else int(np.argmax(sums / np.maximum(pulls, 1)))
        sums[a] += rng.release_gaussian(pull(rng, arms, a), sd)
        pulls[a] += 1
        note(journal, t, pulls)
