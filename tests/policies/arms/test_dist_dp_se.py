"""Dist-DP-SE: how users round."""

import numpy as np
import pytest

from dpbandits.bandits import UniformRewards
from dpbandits.bandits.run import new_run
from dpbandits.policies.arms.dist_dp_se import rounded_sum
from dpbandits.privacy.releases import Releases
from dpbandits.random import stream


def test_rounding_leaves_the_mean_of_rewards_between_0_and_1():
    """Uniform rewards, g = 3: integers with the mean 3/2 for each of 5 rewards."""
    n, arms = 10_000, UniformRewards([0.5, 0.5], width=1.0).arms
    run = new_run(arms, Releases(stream(3, "rounded")), 5 * n)
    sums, rounds = np.transpose([rounded_sum(run, 0, 5, 3) for _ in range(n)])
    assert {*rounds} == {5}
    assert run.pulls.tolist() == [5 * n, 0]
    assert rounded_sum(run, 0, 5, 3) == (0, 0)
    assert np.array_equal(sums, np.rint(sums))
    assert sums.mean() == pytest.approx(5 * 3 * 0.5, abs=4.5 * sums.std() / 100)
