"""Greedy on means with Gaussian noise: explores at random in a tenth of the rounds."""

import math

import numpy as np

from dpbandits.bandits.arms import note, pull
from dpbandits.kernels import kernel
from dpbandits.parameters import Positive, Probability
from dpbandits.privacy.ledger import GAUSSIAN, Account, Ledger, rho_of


def play(rng, arms, horizon, journal, *, epsilon: Positive, delta: Probability = 1e-6):
    """Play one run."""
    greedy(rng, arms, horizon, journal, standard_deviation(epsilon, delta))


def privacy(horizon, number_of_arms, *, epsilon, delta=1e-6, **_):
    """Every reward is in one noisy number."""
    ledger = Ledger()
    ledger.book(1, 1, sensitivity=1.0, scale=standard_deviation(epsilon, delta), law=GAUSSIAN)
    return Account(epsilon, delta, ledger, trust="local")


def standard_deviation(epsilon, delta):
    """Gaussian noise on a reward has the concentrated privacy 1/(2 sd^2)."""
    return 1 / math.sqrt(2 * rho_of(epsilon, delta))


@kernel
def greedy(rng, arms, horizon, journal, sd):
    """The loop of the draft, with other noise."""
    K = len(arms.means)
    sums, pulls = np.zeros(K), np.zeros(K, np.int64)
    for t in range(1, horizon + 1):
        explore = t <= K or rng.random() < 0.1
        a = int(rng.integers(0, K)) if explore else int(np.argmax(sums / np.maximum(pulls, 1)))
        sums[a] += pull(rng, arms, a) + sd * rng.standard_normal()
        pulls[a] += 1
        note(journal, t, pulls)
