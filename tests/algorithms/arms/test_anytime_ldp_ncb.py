"""anytime_ldp_ncb: by hand, beside its plain twin, and what it promises and spends."""

import pytest
from plain import sarkar2025
from twins import FIFTY, THREE, refused, same_actions, same_actions_in_short_games

GIVEN = pytest.mark.parametrize("given", [{"epsilon": 2.0}], ids=str)


@GIVEN
@pytest.mark.parametrize("means", [THREE, FIFTY], ids=["three arms", "fifty arms"])
def test_kernel_takes_the_same_actions_as_its_twin(given, means):
    same_actions(sarkar2025, 12, "anytime_ldp_ncb", means, 20_000 if len(means) == 3 else 6000, 2, **given)


@GIVEN
def test_many_short_games_take_the_same_actions_as_their_twins(given):
    same_actions_in_short_games(sarkar2025, 12, "anytime_ldp_ncb", **given)


@pytest.mark.parametrize(("given", "part"), [({"epsilon": 0}, "epsilon: 0 should be a number above 0")], ids=str)
def test_wrong_parameters_are_refused(given, part):
    refused("anytime_ldp_ncb", given, part)
