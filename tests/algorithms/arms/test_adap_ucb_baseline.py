"""adap_ucb_baseline: by hand, beside its plain twin, and what it promises and spends."""

import math

import pytest
from plain import sarkar2025
from twins import FIFTY, THREE, refused, same_actions, same_actions_in_short_games, same_law_of_a_whole_run

from dpbandits.algorithms.arms import adap_ucb_baseline

GIVEN = pytest.mark.parametrize(
    "given",
    [
        {"epsilon": 0.2},
        {"epsilon": 1.0, "variant": "as_drawn"},
    ],
    ids=str,
)


@GIVEN
@pytest.mark.parametrize("means", [THREE, FIFTY], ids=["three arms", "fifty arms"])
def test_kernel_takes_the_same_actions_as_its_twin(given, means):
    same_actions(sarkar2025, 12, "adap_ucb_baseline", means, 20_000 if len(means) == 3 else 6000, 2, **given)


@GIVEN
def test_many_short_games_take_the_same_actions_as_their_twins(given):
    same_actions_in_short_games(sarkar2025, 12, "adap_ucb_baseline", **given)


@GIVEN
def test_law_agrees_with_a_twin_that_pulls_one_by_one(given):
    same_law_of_a_whole_run(sarkar2025, "adap_ucb_baseline", **given)


@pytest.mark.parametrize(("given", "part"), [({"epsilon": 1, "variant": "eq8"}, "did you mean 'eq7'")], ids=str)
def test_wrong_parameters_are_refused(given, part):
    refused("adap_ucb_baseline", given, part)


def test_p4_first_rewards_without_noise_are_not_private():
    assert adap_ucb_baseline.privacy(10**8, 50, epsilon=0.2).kept
    published = adap_ucb_baseline.privacy(10**8, 50, epsilon=0.2, variant="as_drawn")
    assert published.spent == math.inf
    assert not published.kept
