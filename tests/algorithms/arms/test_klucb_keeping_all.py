"""klucb_keeping_all: by hand, beside its plain twin, and what it promises and spends."""

import pytest
from plain import azize2022
from twins import (
    C2,
    HORIZONS,
    THREE,
    needs_one_round_for_each_arm,
    releases_every_reward_once,
    same_actions,
    same_actions_in_short_games,
)

GIVEN = pytest.mark.parametrize("given", [{"epsilon": 2.0, "alpha": 2.0}], ids=str)


@GIVEN
@pytest.mark.parametrize("means", [THREE, C2], ids=["three arms", "C2"])
def test_kernel_takes_the_same_actions_as_its_twin(given, means):
    same_actions(azize2022, 9, "klucb_keeping_all", means, 60_000, 4, **given)


@GIVEN
def test_many_short_games_take_the_same_actions_as_their_twins(given):
    same_actions_in_short_games(azize2022, 9, "klucb_keeping_all", **given)


def test_a_horizon_shorter_than_one_pull_of_each_arm_is_refused():
    needs_one_round_for_each_arm("klucb_keeping_all")


@pytest.mark.parametrize("horizon", HORIZONS)
def test_p1_to_p3_every_reward_is_in_one_release(horizon):
    releases_every_reward_once("klucb_keeping_all", horizon, alpha=3.1)
