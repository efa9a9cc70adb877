"""Greedy on noisy means: explores at random in a tenth of the rounds."""

import numpy as np

from dpbandits.bandits.arms import note, pull
from dpbandits.kernels import kernel
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import Account, Ledger


def play(rng, arms, horizon, journal, *, epsilon: Positive):
    """Play one run."""
    greedy(rng, arms, horizon, journal, 1 / epsilon)


def privacy(horizon, number_of_arms, *, epsilon, **_):
    """Every reward is in one noisy number."""
    ledger = Ledger()
    ledger.book(1, 1, sensitivity=1.0, scale=1 / epsilon)
    return Account(epsilon, 0.0, ledger, trust="local")


@kernel
def greedy(rng, arms, horizon, journal, scale):
    """The loop of the draft."""
    K = len(arms.means)
    sums, pulls = np.zeros(K), np.zeros(K, np.int64)
    for t in range(1, horizon + 1):
        explore = t <= K or rng.random() < 0.1
        a = int(rng.integers(0, K)) if explore else int(np.argmax(sums / np.maximum(pulls, 1)))
        sums[a] += pull(rng, arms, a) + rng.laplace(0.0, scale)  # each user adds noise
        pulls[a] += 1
        note(journal, t, pulls)
