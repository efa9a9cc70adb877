"""Explore, then commit: the plainest policy for each kind of promise. Slivkins, "Introduction to Multi-Armed Bandits" (2019),
Algorithm 1.1, where only noisy means of the exploration are released.

Pull every arm m times in turn, release each arm's mean with noise, and play the arm with the largest one for the rest of
the game. With N = T/K, m is the larger one of the source's N^(2/3) (ln T)^(1/3), which makes the cost of exploration equal to that
of sampling errors, and of a number that does so for the errors of the noise:

    laplace    each mean has Lap(1/(epsilon m)); m = sqrt(N ln T/epsilon)
    gaussian   each sum has N(0, s^2), s^2 = 1/(2 rho), with the largest rho whose concentrated privacy is (epsilon, delta)-privacy;
               m = sqrt(N s sqrt(2 ln T))
    local      every user reports reward + Lap(1/epsilon), whose variance is at most v = 1 + 8/epsilon^2 times that of a fair
               coin; m = N^(2/3) (v ln T)^(1/3)
"""

import math
from typing import Literal

import numpy as np

from dpbandits.bandits.arms import note_round_robin, note_span, pull_many
from dpbandits.kernels import kernel
from dpbandits.parameters import Positive, Probability
from dpbandits.policies.arms import ldp_ucb
from dpbandits.privacy.ledger import GAUSSIAN, LAPLACE, Account, Ledger, rho_of
from dpbandits.random import gaussian, laplace

Noise = Literal["laplace", "gaussian", "local"]


def play(
    rng,
    arms,
    horizon,
    journal,
    *,
    epsilon: Positive,
    noise: Noise = "laplace",
    delta: Probability = 1e-8,
):
    """Play one run. `delta` is that of Gaussian noise."""
    m, scale = plan(horizon, len(arms.means), epsilon, noise, delta)
    explore_then_commit(
        rng, arms, horizon, journal, m, scale, noise == "gaussian", noise == "local"
    )


def plan(
    horizon: int, number_of_arms: int, epsilon: float, noise: Noise, delta: float
) -> tuple[int, float]:
    """m, at most T/K, and the scale of the noise of a sum or a report."""
    scale = 1 / math.sqrt(2 * rho_of(epsilon, delta)) if noise == "gaussian" else 1 / epsilon
    N, log_t = horizon / number_of_arms, math.log(horizon)
    for_noise = {
        "laplace": N * scale * log_t,
        "gaussian": N * scale * math.sqrt(2 * log_t),
        "local": 0.0,
    }[noise]
    variance = 1 + 8 / epsilon**2 if noise == "local" else 1.0
    wanted = max(N ** (2 / 3) * (variance * log_t) ** (1 / 3), math.sqrt(for_noise))
    return min(math.ceil(wanted), horizon // number_of_arms), scale


def reporting(horizon, number_of_arms, *, epsilon, noise="laplace", delta=1e-8):
    """What users report, if nobody is trusted with their rewards."""
    return ldp_ucb.reporting(horizon, number_of_arms, epsilon=epsilon) if noise == "local" else {}


def privacy(horizon, number_of_arms, *, epsilon, noise="laplace", delta=1e-8) -> Account:
    """Each of an arm's m rewards is in one released sum or, reported by its user, in one report."""
    if noise == "local":
        return ldp_ucb.privacy(horizon, number_of_arms, epsilon=epsilon)
    m, scale = plan(horizon, number_of_arms, epsilon, noise, delta)
    law, delta = (GAUSSIAN, delta) if noise == "gaussian" else (LAPLACE, 0.0)
    return Account(epsilon, delta, Ledger().book(1, m, sensitivity=1.0, scale=scale, law=law))


@kernel
def explore_then_commit(rng, arms, horizon, journal, m, scale, is_gaussian, is_local):
    """released: the noisy means; ties: the first arm."""
    K = arms.means.size
    released, pulls = np.zeros(K), np.zeros(K, np.int64)
    for a in range(K):
        total = pull_many(rng, arms, a, m)
        if is_gaussian:
            total += gaussian(rng, scale)
        else:
            for _ in range(m if is_local else 1):
                total += laplace(rng, scale)
        released[a] = total / m
    note_round_robin(journal, 0, K * m, pulls, np.arange(K))
    pulls[:] = m
    if K * m < horizon:
        note_span(journal, K * m, horizon - K * m, pulls, np.argmax(released))
