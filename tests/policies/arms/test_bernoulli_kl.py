"""Relative entropies and their index, by hand, by bisection and by search."""

import math

import numpy as np
import pytest
from plain import parts

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


def test_kl_index_agrees_with_another_root_finder_and_with_the_bounds_of_kl():
    """As far as numbers of 53 bits allow, also where the mean or the index is near an edge."""
    rng = np.random.default_rng(5)
    for budget in 10 ** rng.uniform(-7.5, 2, 10_000):
        near = 10 ** rng.uniform(-15, 0)
        x = float([rng.random(), 1 - near, near, round(rng.random(), 1)][rng.integers(4)])
        ours, exact = kl_index(x, budget), parts.kl_index(x, budget)
        assert abs(ours - exact) < 1e-12
        assert abs(ours - exact) <= 1e-6 * (1 - exact) + 2.0**-52
        away = 10 ** rng.uniform(-8, -1)
        for q in (rng.random(), ours + away, ours - away):
            if 0 < q < 1 and abs(q - ours) > 1e-10:
                assert above(x, budget, q) == (q < ours)


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 5.0, 100.0, 1e9])
def test_the_private_divergence_is_the_minimum_that_its_definition_says(epsilon):
    """The minimum over z, also at the ends of [0, 1]."""
    for x in (0.0, 0.2, 0.5, 1.0):
        for y in (0.0, 0.2, 0.6, 0.999, 1.0):
            between = np.linspace(x, y, 4001) if x < y else []
            by_search = min((parts.kl(z, y) + epsilon * (z - x) for z in between), default=0)
            assert divergence(x, y, epsilon) == pytest.approx(by_search, rel=1e-5, abs=3e-6)
