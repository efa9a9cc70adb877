"""Explore, then commit, with one noisy release: the plainest private policy. Slivkins, "Introduction to Multi-Armed
Bandits" (2019), Algorithm 1.1, where only the means of the exploration are released, with Laplace noise.

Pull every arm m times in turn, release each arm's mean with Lap(1/(epsilon m)), and play the arm with the largest one
for the rest of the game. With N = T/K, the source's m = N^(2/3) (ln T)^(1/3) makes the cost of exploration equal to that
of sampling errors; m = sqrt(N ln T/epsilon) does the same for the errors of the noise. The larger one is taken.
"""

import math
from collections.abc import Callable

import numpy as np

from dpbandits.algorithms.arms._checks import one_pull_of_each
from dpbandits.environments.arms import note_round_robin, note_span, pull_many
from dpbandits.kernels.compiled import kernel
from dpbandits.kernels.sampling import laplace
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import Account, Ledger
from dpbandits.privacy.releases import STREAM, AuditSettings, Setting

check = one_pull_of_each
nanoseconds = {"arm": 1000}  # one binomial draw


def play(rng, arms, horizon, journal, *, epsilon: Positive):
    """Play one run."""
    explore_then_commit(rng, arms, horizon, journal, epsilon, pulls_of_each(horizon, len(arms.means), epsilon))


def pulls_of_each(horizon: int, number_of_arms: int, epsilon: float) -> int:
    """m, at most T/K."""
    N, log_t = horizon / number_of_arms, math.log(horizon)
    wanted = max(N ** (2 / 3) * log_t ** (1 / 3), math.sqrt(N * log_t / epsilon))
    return min(math.ceil(wanted), horizon // number_of_arms)


def privacy(horizon, number_of_arms, *, epsilon, **_) -> Account:
    """Each of an arm's m rewards is in one released mean."""
    m = pulls_of_each(horizon, number_of_arms, epsilon)
    ledger = Ledger(m)
    ledger.release(1, m, sensitivity=1 / m, scale=1 / (epsilon * m))
    return Account(epsilon, 0.0, ledger, releases="means")


def audited(epsilon) -> AuditSettings:
    """Games that commit to an arm."""
    return AuditSettings((games_that_commit(lambda T: pulls_of_each(T, 2, epsilon), lambda m: 1 / epsilon),), (STREAM,))


def games_that_commit(pulls: Callable[[int], int], noise: Callable[[int], float]) -> Setting:
    """Games in which less than the horizon is explored, between equal arms and between arms whose sums differ by the noise. A
    horizon has so many `pulls` of each arm, whose sum has this noise."""
    T = 64
    while 2 * pulls(T) >= T:
        T *= 2
    m = pulls(T)
    return Setting(2, T, ("tie", "gap"), (1, m + 1), gap=min(noise(m) / m, 0.5), told=1, played=8)


@kernel
def explore_then_commit(rng, arms, horizon, journal, epsilon, m):
    """released: the noisy means."""
    K = arms.means.size
    released = np.zeros(K)
    for a in range(K):
        released[a] = pull_many(rng, arms, a, m) / m + laplace(rng, 1 / (epsilon * m))
    commit(horizon, journal, m, released)


@kernel
def commit(horizon, journal, m, released):
    """Note the game in which each arm is pulled m times, and then the one with the largest released mean; ties: the first."""
    K = released.size
    pulls = np.zeros(K, np.int64)
    note_round_robin(journal, 0, K * m, pulls, np.arange(K))
    pulls[:] = m
    if K * m < horizon:
        note_span(journal, K * m, horizon - K * m, pulls, np.argmax(released))
