"""Greedy on noisy means: explores at random in a tenth of the rounds."""

import numpy as np

from dpbandits.bandits.arms import note, pull
from dpbandits.kernels import kernel
from dpbandits.parameters import Positive
from dpbandits.policy import ArmsPolicy
from dpbandits.privacy.ledger import Account, Ledger


class Greedy(ArmsPolicy):
    """Play the arm with the largest noisy mean, or explore."""

    epsilon: Positive

    def play(self, rng, arms, horizon, journal):
        greedy(rng, arms, horizon, journal, 1 / self.epsilon)

    def privacy(self, horizon, number_of_arms):
        """Each reward is released once: one release, of sensitivity 1, with this noise."""
        ledger = Ledger().book(1, 1, sensitivity=1.0, scale=1 / self.epsilon)
        return Account(self.epsilon, 0.0, ledger, trust="local")


@kernel
def greedy(rng, arms, horizon, journal, scale):
    """The loop of the draft."""
    K = len(arms.means)
    sums, pulls = np.zeros(K), np.zeros(K, np.int64)
    for t in range(1, horizon + 1):
        explore = t <= K or rng.random() < 0.1
        a = int(rng.integers(0, K)) if explore else int(np.argmax(sums / np.maximum(pulls, 1)))
        sums[a] += rng.release(pull(rng, arms, a), scale)  # each user adds noise
        pulls[a] += 1
        note(journal, t, pulls)
