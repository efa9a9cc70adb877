"""The relative entropy of Bernoulli laws and its index: by hand, and against another root finder."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain import azize2022
from scipy.optimize import brentq

from dpbandits.algorithms.arms._bernoulli_kl import kl, kl_index


def test_kl_at_the_edges():
    assert kl(0.0, 0.3) == pytest.approx(math.log(1 / 0.7))
    assert kl(1.0, 0.3) == pytest.approx(math.log(1 / 0.3))
    assert (kl(0.0, 0.0), kl(1.0, 1.0)) == (0.0, 0.0)
    assert kl(0.5, 0.0) == kl(0.5, 1.0) == math.inf
    assert kl(0.7, 0.7) == 0.0
    assert kl_index(0.0, 0.5) == pytest.approx(1 - math.exp(-0.5))
    assert kl_index(1.0, 0.5) == 1.0


def test_kl_index_agrees_with_another_root_finder():
    rng = np.random.default_rng(3)
    for x, budget in zip(rng.uniform(0.001, 0.999, 10_000), rng.exponential(0.5, 10_000) ** 2 + 1e-6, strict=True):
        top = 1 - 1e-15
        exact = (
            brentq(lambda q, x=x, d=budget: azize2022.kl(x, q) - d, x, top, xtol=1e-14)
            if azize2022.kl(x, top) > budget
            else 1
        )
        assert kl_index(x, budget) == pytest.approx(exact, abs=1e-9)


@settings(max_examples=300)
@given(st.floats(0, 1), st.floats(1e-9, 10), st.floats(1, 2), st.floats(0, 1))
def test_kl_index_properties(x, budget, factor, other):
    index = kl_index(x, budget)
    assert x <= index <= 1
    assert kl(x, index) <= budget + 1e-9
    assert (index == 1) == (x == 1)
    assert kl_index(x, budget * factor) >= index - 1e-11
    low, high = sorted((x, other))
    assert kl_index(low, budget) <= kl_index(high, budget) + 1e-9
