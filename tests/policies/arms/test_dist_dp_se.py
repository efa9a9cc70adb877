"""Dist-DP-SE and Dist-RDP-SE: what users send and what the server makes of their sum."""

import math

import numpy as np
import pytest

from dpbandits.bandits import UniformRewards
from dpbandits.bandits.run import new_run
from dpbandits.kernels import kernel
from dpbandits.policies import DistDPSE, DistRDPSE
from dpbandits.policies.arms import dist_dp_se
from dpbandits.privacy.releases import Releases
from dpbandits.random import stream


def test_the_servers_sum_modulo_m():
    """g = 2, m = 4, epsilon = 1, failure probability 1/10: tau = 6, M = 21.

    A sum from -6 to 14 comes back; others are wrapped.
    """
    tau = DistDPSE(epsilon=1).compiled(0, 2).tolerance(2)
    sums = [dist_dp_se.aggregated(total, 4, 2, tau) for total in (-7, -6, 0, 8, 14, 15)]
    assert sums == [14, -6, 0, 8, 14, -6]


@kernel
def rounded(run, a, m, g, sums):
    for i in range(sums.size):
        sums[i], _ = dist_dp_se.rounded_sum(run, a, m, g)


def test_rounding_leaves_the_mean_of_rewards_between_0_and_1():
    """Uniform rewards, g = 3: integers with the mean 3/2 for each of 5 rewards."""
    arms, sums = UniformRewards([0.5, 0.5], width=1.0).arms, np.zeros(40_000)
    run = new_run(arms, Releases(stream(3, "rounded")), 5 * sums.size)
    rounded(run, 0, 5, 3, sums)
    assert run.pulls.tolist() == [5 * sums.size, 0]
    assert dist_dp_se.rounded_sum(run, 0, 5, 3) == (0, 0)
    assert np.array_equal(sums, np.rint(sums))
    assert sums.mean() == pytest.approx(5 * 3 * 0.5, abs=4.5 * sums.std() / 200)


def test_the_noise_and_the_widths_of_skellam_noise_by_hand():
    """The first batch has m = 4 and g = 4, and its order is 38 at rho = eps^2/2.

    With 3 arms and b = 1 the logarithms are ln 60 and ln 120.
    """
    policy = DistRDPSE(epsilon=1).compiled(0, 3)
    eps, order = policy.eps, round(1 + math.sqrt(2 * math.log(1e8)) / policy.eps)
    assert (policy.precision(4), policy.precision(16), order) == (4, 7, 38)
    excess = ((2 * 38 - 1) * 4**2 + 6 * 4) / (4 * (4 / eps) ** 4)
    assert 38 * eps**2 / 2 + excess + math.log(1e8) / 37 == pytest.approx(1)
    assert policy.tolerance(4) == math.ceil((8 / eps + math.sqrt(2)) * math.log(20))
    sampling = math.sqrt(math.log(120) / 32)
    sigma = 2 / eps + math.sqrt(2) / (10 * eps)
    noise = (sigma * math.sqrt(math.log(60)) + math.log(60) / (10 * eps)) / 16
    assert policy.width(3, 1, 16) == pytest.approx(sampling + noise)


@pytest.mark.parametrize(
    ("epsilon", "delta", "scale"), [(0.1, 1e-8, 10), (1, 1e-5, 1), (9, 0.1, 100)]
)
def test_the_promise_of_skellam_noise_is_that_of_the_largest_eps(epsilon, delta, scale):
    for horizon in (3, 100, 100_000):
        account = DistRDPSE(epsilon=epsilon, delta=delta, scale=scale).account(horizon, 5)
        assert (account.epsilon, account.delta, account.trust) == (epsilon, delta, "aggregator")
        assert account.kept()
        assert account.spent == pytest.approx(epsilon, rel=1e-6)
