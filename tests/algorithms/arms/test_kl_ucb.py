"""kl_ucb: by hand, beside its plain twin, and what it promises and spends."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain import azize2022
from scipy.optimize import brentq
from twins import C2, THREE, needs_one_round_for_each_arm, same_actions, same_actions_in_short_games

from dpbandits.algorithms.arms import _adaptive_episodes as episodes


def test_kl_at_the_edges():
    assert episodes.kl(0.0, 0.3) == pytest.approx(math.log(1 / 0.7))
    assert episodes.kl(1.0, 0.3) == pytest.approx(math.log(1 / 0.3))
    assert (episodes.kl(0.0, 0.0), episodes.kl(1.0, 1.0)) == (0.0, 0.0)
    assert episodes.kl(0.5, 0.0) == episodes.kl(0.5, 1.0) == math.inf
    assert episodes.kl(0.7, 0.7) == 0.0
    assert episodes.kl_index(0.0, 0.5) == pytest.approx(1 - math.exp(-0.5))
    assert episodes.kl_index(1.0, 0.5) == 1.0


def test_kl_index_agrees_with_another_root_finder():
    rng = np.random.default_rng(3)
    for x, budget in zip(rng.uniform(0.001, 0.999, 10_000), rng.exponential(0.5, 10_000) ** 2 + 1e-6, strict=True):
        top = 1 - 1e-15
        exact = (
            brentq(lambda q, x=x, d=budget: azize2022.kl(x, q) - d, x, top, xtol=1e-14)
            if azize2022.kl(x, top) > budget
            else 1
        )
        assert episodes.kl_index(x, budget) == pytest.approx(exact, abs=1e-9)


@settings(max_examples=300)
@given(st.floats(0, 1), st.floats(1e-9, 10), st.floats(1, 2), st.floats(0, 1))
def test_kl_index_properties(x, budget, factor, other):
    index = episodes.kl_index(x, budget)
    assert x <= index <= 1
    assert episodes.kl(x, index) <= budget + 1e-9
    assert (index == 1) == (x == 1)
    assert episodes.kl_index(x, budget * factor) >= index - 1e-11
    low, high = sorted((x, other))
    assert episodes.kl_index(low, budget) <= episodes.kl_index(high, budget) + 1e-9


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
