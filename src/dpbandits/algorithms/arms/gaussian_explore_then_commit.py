"""Explore, then commit, with Gaussian noise: the plainest policy with an (epsilon, delta) promise. As explore_then_commit,
with another noise.

The sum of an arm's m rewards is released with N(0, s^2), s^2 = 1/(2 rho), where rho is the largest one whose concentrated
privacy is (epsilon, delta)-privacy. With N = T/K, m = sqrt(N s sqrt(2 ln T)) makes the cost of exploration equal to that
of the errors of the noise, N^(2/3) (ln T)^(1/3) to that of sampling errors. The larger one is taken.
"""

import math

import numpy as np

from dpbandits.algorithms.arms._checks import one_pull_of_each
from dpbandits.algorithms.arms.explore_then_commit import commit, games_that_commit
from dpbandits.environments.arms import pull_many
from dpbandits.kernels.compiled import kernel
from dpbandits.kernels.sampling import gaussian
from dpbandits.parameters import Positive, Probability
from dpbandits.privacy.concentrated import ConcentratedLedger, rho_of
from dpbandits.privacy.ledger import Account
from dpbandits.privacy.releases import AuditSettings

check = one_pull_of_each
nanoseconds = {"arm": 1000}  # one binomial draw


def play(rng, arms, horizon, journal, *, epsilon: Positive, delta: Probability = 1e-8):
    """Play one run."""
    deviation = 1 / math.sqrt(2 * rho_of(epsilon, delta))
    m = pulls_of_each(horizon, len(arms.means), deviation)
    gaussian_explore_then_commit(rng, arms, horizon, journal, deviation, m)


def pulls_of_each(horizon: int, number_of_arms: int, deviation: float) -> int:
    """m, at most T/K."""
    N, log_t = horizon / number_of_arms, math.log(horizon)
    wanted = max(N ** (2 / 3) * log_t ** (1 / 3), math.sqrt(N * deviation * math.sqrt(2 * log_t)))
    return min(math.ceil(wanted), horizon // number_of_arms)


def privacy(horizon, number_of_arms, *, epsilon, delta=1e-8) -> Account:
    """Each of an arm's m rewards is in one released sum."""
    deviation = 1 / math.sqrt(2 * rho_of(epsilon, delta))
    m = pulls_of_each(horizon, number_of_arms, deviation)
    ledger = ConcentratedLedger(m)
    ledger.gaussian_release(1, m, sensitivity=1.0, deviation=deviation)
    return Account(epsilon, delta, ledger, releases="actions")


def audited(epsilon, *, delta=1e-8) -> AuditSettings:
    """Games that commit to an arm."""
    deviation = 1 / math.sqrt(2 * rho_of(epsilon, delta))
    return AuditSettings((games_that_commit(lambda T: pulls_of_each(T, 2, deviation), lambda m: deviation),), ())


@kernel
def gaussian_explore_then_commit(rng, arms, horizon, journal, deviation, m):
    """released: the noisy means."""
    K = arms.means.size
    released = np.zeros(K)
    for a in range(K):
        released[a] = (pull_many(rng, arms, a, m) + gaussian(rng, deviation)) / m
    commit(horizon, journal, m, released)
