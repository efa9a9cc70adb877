"""adap_ucb: by hand, beside its plain twin, and what it promises and spends."""

import math

import numpy as np
import pytest
from plain import azize2022
from playing import actions, final_regret
from scipy import stats

from dpbandits import algorithms, parameters
from dpbandits.errors import InputError
from dpbandits.randomness import stream

THREE, TWO = [0.8, 0.5, 0.3], [0.6, 0.5]


C2 = [0.75, 0.625, 0.5, 0.375, 0.25]


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("adap_ucb", {"epsilon": 1.0, "alpha": 3.1}),
        ("adap_ucb", {"epsilon": 0.1, "alpha": 1.0, "init_h": "half"}),
        ("adap_ucb", {"epsilon": 5.0, "alpha": 0.3, "init_noise": False}),
    ],
    ids=str,
)
@pytest.mark.parametrize("means", [THREE, C2], ids=["three arms", "C2"])
def test_kernel_takes_the_same_actions_as_its_twin(name, given, means):
    horizon = 3000 if name == "kl_ucb" else 60_000
    for run in range(4):
        ours = actions(name, stream(9, name, run), means, horizon, **given)
        assert ours == getattr(azize2022, name)(stream(9, name, run), means, horizon, **given)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("adap_ucb", {"epsilon": 1.0, "alpha": 3.1}),
        ("adap_ucb", {"epsilon": 0.1, "alpha": 1.0, "init_h": "half"}),
        ("adap_ucb", {"epsilon": 5.0, "alpha": 0.3, "init_noise": False}),
    ],
    ids=str,
)
def test_many_short_games_take_the_same_actions_as_their_twins(name, given):
    """A hundred games of 60 rounds: in the first rounds the smallest terms of an index decide, one round more or less in ln t."""
    for run in range(100):
        ours = actions(name, stream(9, "short", name, run), THREE, 60, **given)
        assert ours == list(getattr(azize2022, name)(stream(9, "short", name, run), THREE, 60, **given))


@pytest.mark.parametrize(("name", "given"), [("adap_ucb", {"epsilon": 1.0, "alpha": 3.1})], ids=str)
def test_law_agrees_with_a_twin_that_pulls_one_by_one(name, given):
    """Binomial sums against single rewards: independent generators, Kolmogorov-Smirnov."""
    horizon = 4000
    gaps = np.array(THREE[0]) - np.array(THREE)
    ours = [final_regret(name, stream(10, name, run), THREE, horizon, **given) for run in range(2000)]
    twin = [
        gaps[getattr(azize2022, name)(stream(11, name, run), THREE, horizon, one_by_one=True, **given)].sum()
        for run in range(400)
    ]
    assert stats.ks_2samp(np.round(ours, 6), np.round(twin, 6)).pvalue > 1e-3


@pytest.mark.parametrize(
    ("name", "given", "part"),
    [
        ("adap_ucb", {"epsilon": 0, "alpha": 3.1}, "epsilon: 0 should be a number above 0"),
        ("adap_ucb", {"epsilon": 1, "alpha": 0}, "alpha: 0 should be a number above 0"),
        ("adap_ucb", {"alpha": 3.1}, "'epsilon' is missing"),
    ],
    ids=str,
)
def test_wrong_parameters_are_refused(name, given, part):
    with pytest.raises(InputError) as refusal:
        parameters.check(algorithms.find(name).play, given, "parameters")
    assert part in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("name", ["adap_ucb"])
def test_a_horizon_shorter_than_one_pull_of_each_arm_is_refused(name):
    with pytest.raises(InputError, match=r"horizon 4 is too short: each of 5 arms .* write at least 5"):
        algorithms.find(name).check(4, 5, epsilon=1.0, alpha=3.1)
    algorithms.find(name).check(5, 5, epsilon=1.0, alpha=3.1)


HORIZONS = [2, 3, 7, 8, 1000, 1024, 100_003]


@pytest.mark.parametrize("horizon", HORIZONS)
@pytest.mark.parametrize("name", ["adap_ucb"])
def test_p1_to_p3_every_reward_is_in_one_release(name, horizon):
    """The first reward (P2) and the rewards of the truncated episode (P3) too; each pays epsilon."""
    given = {"epsilon": 0.3} | ({} if name == "elimination" else {"alpha": 3.1})
    account = algorithms.find(name).privacy(horizon, 5, **given)
    assert account.ledger.touched().tolist() == [1] * horizon
    assert account.spent == pytest.approx(0.3, rel=1e-9)
    assert account.kept


@pytest.mark.parametrize("name", ["adap_ucb"])
def test_p2_without_noise_on_the_first_rewards_there_is_no_privacy(name):
    account = algorithms.find(name).privacy(1000, 5, epsilon=0.3, alpha=3.1, init_noise=False)
    assert account.spent == math.inf
    assert not account.kept
