"""dp_ucb: by hand, beside its plain twin, and what it promises and spends."""

import math

import numpy as np
import pytest
from plain import tossou2016
from playing import actions, final_regret
from twins import TEN, TWO, same_actions, same_law

from dpbandits import algorithms
from dpbandits.kernels.streams import stream


def test_dp_ucb_by_hand():
    chosen = actions("dp_ucb", stream(0, "hand"), [1.0, 0.0], 8, epsilon=1e9)
    assert chosen == [0, 1, 0, 0, 0, 0, 1, 0]


@pytest.mark.parametrize("means", [TWO, TEN], ids=["two arms", "ten arms"])
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("dp_ucb", {"epsilon": 1.0}),
        ("dp_ucb", {"epsilon": 0.1, "hybrid_split": "full_log2"}),
        ("dp_ucb", {"epsilon": 5.0, "hybrid_split": "literal_natlog"}),
    ],
    ids=str,
)
def test_kernel_takes_the_same_actions_as_its_twin(name, parameters, means):
    same_actions(tossou2016, 1, name, means, 3000, 4, **parameters)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("dp_ucb", {"epsilon": 1.0})],
)
def test_law_of_final_regret_agrees_with_the_twin(name, parameters):
    same_law(tossou2016, (4, "ours"), (4, "twin"), name, 600, parameters, parameters)


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


SPLITS = {"half_log2": 1.0, "full_log2": 2.0, "literal_natlog": 1 + 1 / math.log(2)}


@pytest.mark.parametrize(("split", "kept"), [("half_log2", True), ("full_log2", False), ("literal_natlog", False)])
def test_p2_dp_ucb_and_bound(split, kept):
    account = algorithms.find("dp_ucb").privacy(100_000, 2, epsilon=0.1, hybrid_split=split)
    assert (account.epsilon, account.delta) == (0.1, 0.0)
    assert account.spent == pytest.approx(SPLITS[split] * 0.1, rel=1e-9)
    assert account.kept is kept
