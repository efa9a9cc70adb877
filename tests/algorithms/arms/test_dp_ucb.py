"""dp_ucb: what is special to it (the rest is in test_every_algorithm.py)."""

import math

import numpy as np
import pytest
from playing import actions, final_regret
from twins import TEN

from dpbandits.kernels.streams import stream


def test_zero_noise_dp_ucb_is_ucb():
    """With a budget that makes the noise vanish the private policies choose as UCB does, reward for reward."""
    means, horizon = TEN, 2000
    rewards_only = actions("ucb", stream(6), means, horizon)
    assert len(set(rewards_only)) == len(means)
    finals = {
        name: np.mean([final_regret(name, stream(6, name, run), means, horizon, epsilon=1e9) for run in range(200)])
        for name in ("dp_ucb", "dp_ucb_bound")
    }
    ucb = np.array([final_regret("ucb", stream(6, "ucb", run), means, horizon) for run in range(200)])
    for mean in finals.values():
        assert mean == pytest.approx(ucb.mean(), abs=4 * ucb.std() / math.sqrt(100))
