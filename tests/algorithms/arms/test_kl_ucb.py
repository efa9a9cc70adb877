"""kl_ucb: by hand, beside its plain twin, and what it promises and spends."""

import pytest
from plain import azize2022
from twins import C2, THREE, needs_one_round_for_each_arm, same_actions, same_actions_in_short_games

GIVEN = pytest.mark.parametrize(
    "given",
    [
        {"alpha": 1.0},
        {"alpha": 3.1},
    ],
    ids=str,
)


@GIVEN
@pytest.mark.parametrize("means", [THREE, C2], ids=["three arms", "C2"])
def test_kernel_takes_the_same_actions_as_its_twin(given, means):
    same_actions(azize2022, 9, "kl_ucb", means, 3000, 4, **given)


@GIVEN
def test_many_short_games_take_the_same_actions_as_their_twins(given):
    same_actions_in_short_games(azize2022, 9, "kl_ucb", **given)


def test_a_horizon_shorter_than_one_pull_of_each_arm_is_refused():
    needs_one_round_for_each_arm("kl_ucb")
