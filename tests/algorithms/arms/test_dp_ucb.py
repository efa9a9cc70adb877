"""dp_ucb: by hand, beside its plain twin, and what it promises and spends."""

import math

import numpy as np
import pytest
from plain import tossou2016
from playing import actions, final_regret
from scipy import stats

from dpbandits import algorithms
from dpbandits.algorithms.arms import interval_ucb
from dpbandits.randomness import stream


def test_dp_ucb_by_hand():
    chosen = actions("dp_ucb", stream(0, "hand"), [1.0, 0.0], 8, epsilon=1e9)
    assert chosen == [0, 1, 0, 0, 0, 0, 1, 0]


TWO, TEN = [0.9, 0.6], [0.1, 0.15, 0.05, 0.12, 0.2, 0.55, 0.3, 0.25, 0.4, 0.02]


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
    for run in range(4):
        ours = actions(name, stream(1, name, run), means, 3000, **parameters)
        twin = getattr(tossou2016, name)(stream(1, name, run), means, 3000, **parameters)
        assert ours == twin


DELTA = math.exp(-10)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("dp_ucb", {"epsilon": 1.0})],
)
def test_law_of_final_regret_agrees_with_the_twin(name, parameters):
    """Independent generators this time, many runs, Kolmogorov-Smirnov."""
    horizon, means = 600, [0.8, 0.5, 0.3]
    given = dict(parameters)
    if name == "interval_ucb":
        given = {"input_epsilon": interval_ucb.input_epsilon(2.0, DELTA, 1.1), "v": 1.1}
    gaps = np.array([0.0, 0.3, 0.5])
    ours = [final_regret(name, stream(4, "ours", name, run), means, horizon, **parameters) for run in range(2000)]
    twin = [
        gaps[getattr(tossou2016, name)(stream(4, "twin", name, run), means, horizon, **given)].sum()
        for run in range(400)
    ]
    assert stats.ks_2samp(np.round(ours, 6), np.round(twin, 6)).pvalue > 1e-3


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


@pytest.mark.parametrize("name", ["dp_ucb"])
@pytest.mark.parametrize(("split", "kept"), [("half_log2", True), ("full_log2", False), ("literal_natlog", False)])
def test_p2_dp_ucb_and_bound(name, split, kept):
    account = algorithms.find(name).privacy(100_000, 2, epsilon=0.1, hybrid_split=split)
    assert (account.epsilon, account.delta) == (0.1, 0.0)
    assert account.spent == pytest.approx(SPLITS[split] * 0.1, rel=1e-9)
    assert account.kept is kept
