"""adap_klucb: by hand, beside its plain twin, and what it promises and spends."""

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
        {"epsilon": 5.0, "alpha": 2.4, "kl_bonus": "one", "eps_cap": 1.0},
        {"epsilon": 0.25, "alpha": 1.0, "kl_budget": "alpha/2", "init_h": "half", "init_noise": False},
    ],
    ids=str,
)


@GIVEN
@pytest.mark.parametrize("means", [THREE, C2], ids=["three arms", "C2"])
def test_kernel_takes_the_same_actions_as_its_twin(given, means):
    same_actions(azize2022, 9, "adap_klucb", means, 60_000, 4, **given)


@GIVEN
def test_many_short_games_take_the_same_actions_as_their_twins(given):
    same_actions_in_short_games(azize2022, 9, "adap_klucb", **given)


@pytest.mark.parametrize("given", [{"epsilon": 1.0, "alpha": 3.1}], ids=str)
def test_law_agrees_with_a_twin_that_pulls_one_by_one(given):
    same_law(azize2022, (10,), (11,), "adap_klucb", 4000, given, {**given, "one_by_one": True})


@pytest.mark.parametrize(
    ("given", "part"),
    [
        ({"epsilon": -1, "alpha": 3.1}, "epsilon: -1 should be a number above 0"),
        ({"epsilon": 1, "alpha": -3}, "alpha: -3 should be a number above 0"),
    ],
    ids=str,
)
def test_wrong_parameters_are_refused(given, part):
    refused("adap_klucb", given, part)


def test_a_horizon_shorter_than_one_pull_of_each_arm_is_refused():
    needs_one_round_for_each_arm("adap_klucb")


@pytest.mark.parametrize("horizon", HORIZONS)
def test_p1_to_p3_every_reward_is_in_one_release(horizon):
    releases_every_reward_once("adap_klucb", horizon, alpha=3.1)


def test_p2_without_noise_on_the_first_rewards_there_is_no_privacy():
    account = algorithms.find("adap_klucb").privacy(1000, 5, epsilon=0.3, alpha=3.1, init_noise=False)
    assert account.spent == math.inf
    assert not account.kept
