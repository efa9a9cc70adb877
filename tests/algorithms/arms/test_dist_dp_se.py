"""Dist-DP-SE: what users, the aggregator and the server do, one by one."""

import math

import numpy as np
import pytest
from plain import chowdhury2023
from scipy import stats

from dpbandits.algorithms.arms import dist_dp_se
from dpbandits.compiled import kernel
from dpbandits.environments.arms.uniform import uniform
from dpbandits.random import discrete_laplace, stream


@kernel
def noise(rng, scale, found):
    for i in range(found.size):
        found[i] = discrete_laplace(rng, scale)


@pytest.mark.parametrize(("m", "epsilon"), [(4, 0.5), (16, 2.0)])
def test_the_noise_of_all_users_is_one_discrete_laplace_number(m, epsilon):
    """m differences of Polya numbers of shape 1/m, drawn one by one, against the kernel's number."""
    g = dist_dp_se.precision(m, epsilon)
    ratio, rng = math.exp(-epsilon / g), np.random.default_rng(1)
    ours, users = np.zeros(20_000), []
    noise(stream(2, "noise"), g / epsilon, ours)
    for _ in range(2000):
        users.append(
            sum(chowdhury2023.polya(rng, 1 / m, ratio) - chowdhury2023.polya(rng, 1 / m, ratio) for _ in range(m))
        )
    assert stats.ks_2samp(ours, users).pvalue > 1e-3
    variance = 2 * ratio / (1 - ratio) ** 2
    assert np.var(ours) == pytest.approx(variance, rel=4 * math.sqrt(5 / ours.size))  # Laplace: a kurtosis of 6
    assert variance / g**2 <= 2 / epsilon**2  # in rewards: no more than Laplace noise has


def test_the_servers_sum_modulo_m():
    """g = 2, m = 4, epsilon = 1, failure probability 1/10: tau = 6, M = 21. A sum from -6 to 14 comes back, others are
    wrapped."""
    found = [dist_dp_se.aggregated(total, 4, 2, 1.0, 0.1) for total in (-7, -6, 0, 8, 14, 15)]
    assert found == [14, -6, 0, 8, 14, -6]


@kernel
def rounded(rng, arms, a, m, g, found):
    for i in range(found.size):
        found[i] = dist_dp_se.rounded_sum(rng, arms, a, m, g)


def test_rounding_leaves_the_mean_of_rewards_between_0_and_1():
    """Uniform rewards, g = 3: whole numbers with the mean 3/2 for each of 5 rewards."""
    arms, found = uniform(means=[0.5, 0.5], width=1.0).arms, np.zeros(40_000)
    rounded(stream(3, "rounded"), arms, 0, 5, 3, found)
    assert np.array_equal(found, np.rint(found))
    assert found.mean() == pytest.approx(5 * 3 * 0.5, abs=4.5 * found.std() / 200)
