"""Relative entropies and their index, by hand, by bisection and by search."""

import math

import numpy as np
import pytest
from plain import azize2025, parts

from dpbandits.drivers.bernoulli_kl import above, kl, kl_index
from dpbandits.policies.arms.dp_imed import divergence


def test_kl_at_the_edges():
    assert kl(0.0, 0.3) == pytest.approx(math.log(1 / 0.7))
    assert kl(1.0, 0.3) == pytest.approx(math.log(1 / 0.3))
    assert (kl(0.0, 0.0), kl(1.0, 1.0)) == (0.0, 0.0)
    assert kl(0.5, 0.0) == kl(0.5, 1.0) == math.inf
    assert kl(0.7, 0.7) == 0.0
    assert kl_index(0.0, 0.5) == pytest.approx(1 - math.exp(-0.5))
    assert kl_index(1.0, 0.5) == 1.0


def means_and_budgets(seed):
    """(x, budget), some of them near the edges."""
    rng = np.random.default_rng(seed)
    for budget in 10 ** rng.uniform(-7.5, 2, 10_000):
        near = 10 ** rng.uniform(-15, 0)
        x = [rng.random(), 1 - near, near, round(rng.random(), 1)][rng.integers(4)]
        yield float(x), float(budget)


def test_kl_index_agrees_with_another_root_finder():
    """As far as numbers of 53 bits allow, also where the index is next to 1."""
    for x, budget in means_and_budgets(5):
        ours, exact = kl_index(x, budget), parts.kl_index(x, budget)
        assert abs(ours - exact) < 1e-12
        assert abs(ours - exact) <= 1e-6 * (1 - exact) + 2.0**-52


def test_the_bounds_of_kl_decide_as_kl_does():
    levels = np.random.default_rng(6)
    for x, budget in means_and_budgets(7):
        index = kl_index(x, budget)
        for q in (
            levels.random(),
            *(index + sign * 10 ** levels.uniform(-8, -1) for sign in (1, -1)),
        ):
            if 0 < q < 1 and abs(q - index) > 1e-10:
                assert above(x, budget, q) == (q < index)


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 5.0, 100.0, 1e9])
def test_the_private_divergence_is_the_minimum_that_its_definition_says(epsilon):
    """The minimum over z, also at the ends of [0, 1], and the twin's value."""
    for x in (0.0, 0.2, 0.5, 1.0):
        for y in (0.0, 0.2, 0.6, 0.999, 1.0):
            ours = divergence(x, y, epsilon)
            between = np.linspace(x, y, 4001) if x < y else []
            by_search = min((parts.kl(z, y) + epsilon * (z - x) for z in between), default=0)
            assert ours == pytest.approx(by_search, rel=1e-5, abs=3e-6)
            if epsilon < 700:
                twin = azize2025.d_epsilon(x, y, epsilon)
                assert ours == pytest.approx(twin, rel=1e-9, abs=1e-12)
