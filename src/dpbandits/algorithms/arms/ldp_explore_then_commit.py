"""Explore, then commit, on noisy reports: the plainest policy with local privacy. As explore_then_commit, where every user
reports reward + Lap(1/epsilon).

A report has a variance of at most 1/4 + 2/epsilon^2, v = 1 + 8/epsilon^2 times that of a fair coin. With N = T/K,
m = N^(2/3) (v ln T)^(1/3) makes the cost of exploration equal to that of sampling errors.
"""

import math
from dataclasses import replace

import numpy as np

from dpbandits.algorithms.arms._checks import one_pull_of_each
from dpbandits.algorithms.arms.explore_then_commit import commit, games_that_commit
from dpbandits.environments.arms import pull_many
from dpbandits.kernels.compiled import kernel
from dpbandits.kernels.sampling import laplace
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import Account, Ledger
from dpbandits.privacy.releases import GAINS, AuditSettings

check = one_pull_of_each
nanoseconds = {"round": 4}  # the noise of a report, at most


def play(rng, arms, horizon, journal, *, epsilon: Positive):
    """Play one run."""
    m = pulls_of_each(horizon, len(arms.means), epsilon)
    ldp_explore_then_commit(rng, arms, horizon, journal, epsilon, m)


def excess_variance(epsilon: float) -> float:
    """v, the largest variance of a report over that of a fair coin."""
    return 1 + 8 / epsilon**2


def pulls_of_each(horizon: int, number_of_arms: int, epsilon: float) -> int:
    """m, at most T/K."""
    wanted = (horizon / number_of_arms) ** (2 / 3) * (excess_variance(epsilon) * math.log(horizon)) ** (1 / 3)
    return min(math.ceil(wanted), horizon // number_of_arms)


def privacy(horizon, number_of_arms, *, epsilon) -> Account:
    """Each reward is reported once, so the ledger has one item."""
    ledger = Ledger(1)
    ledger.release(1, 1, sensitivity=1.0, scale=1 / epsilon)
    return Account(epsilon, 0.0, ledger, trust="local", releases="gains")


def audited(epsilon) -> AuditSettings:
    """Games that commit to an arm, after all reports of the exploration are drawn."""
    games = games_that_commit(lambda T: pulls_of_each(T, 2, epsilon), lambda m: math.sqrt(2 * m) / epsilon)
    return AuditSettings((replace(games, played=games.horizon),), (GAINS,))


@kernel
def ldp_explore_then_commit(rng, arms, horizon, journal, epsilon, m):
    """mean: of the reports."""
    K = arms.means.size
    mean = np.zeros(K)
    for a in range(K):
        total = pull_many(rng, arms, a, m)
        for _ in range(m):
            total += laplace(rng, 1 / epsilon)
        mean[a] = total / m
    commit(horizon, journal, m, mean)
