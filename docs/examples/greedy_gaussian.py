"""Greedy on means with Gaussian noise: explores at random in a tenth of the rounds."""

import math

import numpy as np

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

    def play(self, run):
        greedy(run, self.sd)

    def privacy(self, horizon, number_of_arms):
        """Each reward is released once: one release, of sensitivity 1, with this noise."""
        ledger = Ledger().book(1, 1, sensitivity=1.0, scale=self.sd, law=GAUSSIAN)
        return Account(self.epsilon, self.delta, ledger, trust="local")


@kernel
def greedy(run, sd):
    """The loop of the draft, with other noise."""
    sums = np.zeros(run.K)
    for t in range(run.horizon):
        a = np.argmax(sums / np.maximum(run.pulls, 1))
        if t < run.K or run.rng.random() < 0.1:
            a = run.rng.integers(0, run.K)
        reward, _ = run.play(a)
        sums[a] += run.releases.gaussian(reward, sd)
