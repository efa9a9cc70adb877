"""kl_ucb: by hand, beside its plain twin, and what it promises and spends."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain import azize2022
from playing import actions
from scipy.optimize import brentq

from dpbandits import algorithms
from dpbandits.algorithms.arms import _adaptive_episodes as episodes
from dpbandits.errors import InputError
from dpbandits.randomness import stream


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


THREE, TWO = [0.8, 0.5, 0.3], [0.6, 0.5]


C2 = [0.75, 0.625, 0.5, 0.375, 0.25]


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("kl_ucb", {"alpha": 1.0}),
        ("kl_ucb", {"alpha": 3.1}),
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
        ("kl_ucb", {"alpha": 1.0}),
        ("kl_ucb", {"alpha": 3.1}),
    ],
    ids=str,
)
def test_many_short_games_take_the_same_actions_as_their_twins(name, given):
    """A hundred games of 60 rounds: in the first rounds the smallest terms of an index decide, one round more or less in ln t."""
    for run in range(100):
        ours = actions(name, stream(9, "short", name, run), THREE, 60, **given)
        assert ours == list(getattr(azize2022, name)(stream(9, "short", name, run), THREE, 60, **given))


@pytest.mark.parametrize("name", ["kl_ucb"])
def test_a_horizon_shorter_than_one_pull_of_each_arm_is_refused(name):
    with pytest.raises(InputError, match=r"horizon 4 is too short: each of 5 arms .* write at least 5"):
        algorithms.find(name).check(4, 5, epsilon=1.0, alpha=3.1)
    algorithms.find(name).check(5, 5, epsilon=1.0, alpha=3.1)
