"""Dist-DP-SE and Dist-RDP-SE: how users round, and what the noise costs."""

import numpy as np
import pytest

from dpbandits.bandits import UniformRewards
from dpbandits.bandits.run import new_run
from dpbandits.kernels import kernel
from dpbandits.policies import DistRDPSE
from dpbandits.policies.arms import dist_dp_se
from dpbandits.privacy.releases import Releases
from dpbandits.random import stream


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


@pytest.mark.parametrize(
    ("epsilon", "delta", "scale"), [(0.1, 1e-8, 10), (1, 1e-5, 1), (9, 0.1, 100)]
)
def test_the_promise_of_skellam_noise_is_that_of_the_largest_eps(epsilon, delta, scale):
    for horizon in (3, 100, 100_000):
        account = DistRDPSE(epsilon=epsilon, delta=delta, scale=scale).account(horizon, 5)
        assert (account.epsilon, account.delta, account.trust) == (epsilon, delta, "aggregator")
        assert account.kept()
        assert account.spent == pytest.approx(epsilon, rel=1e-6)
