"""adap_ucb: by hand, beside its plain twin, and what it promises and spends."""

import math

import pytest
from plain import azize2022
from twins import (
    C2,
    HORIZONS,
    THREE,
    needs_one_round_for_each_arm,
    refused,
    releases_every_reward_once,
    same_actions,
    same_actions_in_short_games,
    same_law,
)

from dpbandits import algorithms

GIVEN = pytest.mark.parametrize(
    "given",
    [
        {"epsilon": 1.0, "alpha": 3.1},
        {"epsilon": 0.1, "alpha": 1.0, "init_h": "half"},
        {"epsilon": 5.0, "alpha": 0.3, "init_noise": False},
    ],
    ids=str,
)


@GIVEN
@pytest.mark.parametrize("means", [THREE, C2], ids=["three arms", "C2"])
def test_kernel_takes_the_same_actions_as_its_twin(given, means):
    same_actions(azize2022, 9, "adap_ucb", means, 60_000, 4, **given)


@GIVEN
def test_many_short_games_take_the_same_actions_as_their_twins(given):
    same_actions_in_short_games(azize2022, 9, "adap_ucb", **given)


@pytest.mark.parametrize("given", [{"epsilon": 1.0, "alpha": 3.1}], ids=str)
def test_law_agrees_with_a_twin_that_pulls_one_by_one(given):
    same_law(azize2022, (10,), (11,), "adap_ucb", 4000, given, {**given, "one_by_one": True})


@pytest.mark.parametrize(
    ("given", "part"),
    [
        ({"epsilon": 0, "alpha": 3.1}, "epsilon: 0 should be a number above 0"),
        ({"epsilon": 1, "alpha": 0}, "alpha: 0 should be a number above 0"),
        ({"alpha": 3.1}, "'epsilon' is missing"),
    ],
    ids=str,
)
def test_wrong_parameters_are_refused(given, part):
    refused("adap_ucb", given, part)


def test_a_horizon_shorter_than_one_pull_of_each_arm_is_refused():
    needs_one_round_for_each_arm("adap_ucb")


@pytest.mark.parametrize("horizon", HORIZONS)
def test_p1_to_p3_every_reward_is_in_one_release(horizon):
    releases_every_reward_once("adap_ucb", horizon, alpha=3.1)


def test_p2_without_noise_on_the_first_rewards_there_is_no_privacy():
    account = algorithms.find("adap_ucb").privacy(1000, 5, epsilon=0.3, alpha=3.1, init_noise=False)
    assert account.spent == math.inf
    assert not account.kept
