"""Greedy on noisy means: explores at random in a tenth of the rounds."""

import numpy as np

from dpbandits.kernels import kernel
from dpbandits.parameters import Positive
from dpbandits.policy import ArmsPolicy
from dpbandits.privacy.ledger import Account, Ledger


class Greedy(ArmsPolicy):
    """Play the arm with the largest noisy mean, or explore."""

    epsilon: Positive

    def play(self, run):
        greedy(run, 1 / self.epsilon)

    def privacy(self, horizon, number_of_arms):
        """Each reward is released once: one release, of sensitivity 1, with this noise."""
        ledger = Ledger().book(1, 1, sensitivity=1.0, scale=1 / self.epsilon)
        return Account(self.epsilon, 0.0, ledger, trust="local")


@kernel
def greedy(run, scale):
    """The loop of the draft."""
    sums = np.zeros(run.K)
    for t in range(run.horizon):
        a = np.argmax(sums / np.maximum(run.pulls, 1))
        if t < run.K or run.rng.random() < 0.1:
            a = run.rng.integers(0, run.K)
        reward, _ = run.play(a)
        sums[a] += run.releases.laplace(reward, scale)  # each user adds noise
