"""Dist-DP-SE: what users send and what the server makes of their sum."""

import numpy as np
import pytest

from dpbandits.bandits import UniformRewards
from dpbandits.kernels import kernel
from dpbandits.policies.arms import dist_dp_se
from dpbandits.random import stream


def test_the_servers_sum_modulo_m():
    """g = 2, m = 4, epsilon = 1, failure probability 1/10: tau = 6, M = 21.

    A sum from -6 to 14 comes back; others are wrapped.
    """
    found = [dist_dp_se.aggregated(total, 4, 2, 1.0) for total in (-7, -6, 0, 8, 14, 15)]
    assert found == [14, -6, 0, 8, 14, -6]


@kernel
def rounded(rng, arms, a, m, g, found):
    for i in range(found.size):
        found[i] = dist_dp_se.rounded_sum(rng, arms, a, m, g)


def test_rounding_leaves_the_mean_of_rewards_between_0_and_1():
    """Uniform rewards, g = 3: integers with the mean 3/2 for each of 5 rewards."""
    arms, found = UniformRewards([0.5, 0.5], width=1.0).arms, np.zeros(40_000)
    rounded(stream(3, "rounded"), arms, 0, 5, 3, found)
    assert np.array_equal(found, np.rint(found))
    assert found.mean() == pytest.approx(5 * 3 * 0.5, abs=4.5 * found.std() / 200)
