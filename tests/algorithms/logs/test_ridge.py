"""Ridge regression on noisy sums: by hand, and against NumPy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain.contextual import raised

from dpbandits.algorithms.logs import _ridge
from dpbandits.random import stream


def test_one_observation_by_hand():
    """A = I + z z', so theta = r z/(1 + |z|^2) and z' A^-1 z = |z|^2/(1 + |z|^2)."""
    ridge, z, rules = _ridge.fresh_ridge(1, 1), np.array([1.0, 0.5, 0.5, 0.0, 0.0, 0.0]), _ridge.Rules(1.0)
    _ridge.learn(stream(1), ridge, rules, 0, z, 1.0)
    _ridge.solve(ridge, rules, 0)
    assert ridge.theta[0] == pytest.approx(z / 2.5)
    assert ((ridge.root[0] @ z) ** 2).sum() == pytest.approx(1.5 / 2.5)


@given(st.lists(st.floats(-5, 5), min_size=27, max_size=27), st.floats(0, 12))
@settings(max_examples=300, deadline=None)
def test_solve_raises_eigenvalues(entries, shift):
    """Whatever the noise has made of the sums: theta and root are those of the repaired matrix."""
    released, ridge, A = np.round(entries, 2), _ridge.fresh_ridge(1, 1), np.empty((6, 6))
    ridge.released[0] = released
    _ridge.fill(A, released, 0.7 + shift)
    _ridge.solve(ridge, _ridge.Rules(0.7, 1.0, shift), 0)
    repaired, root = raised(A, 0.7), np.tril(ridge.root[0])
    np.testing.assert_allclose(root.T @ root @ repaired, np.eye(6), atol=1e-9)
    np.testing.assert_allclose(ridge.theta[0], np.linalg.solve(repaired, released[21:]), rtol=1e-7, atol=1e-9)


def test_exact_sums_are_not_repaired():
    """Rounding may leave a pivot below lam, which is taken as lam; no eigenvalue is raised."""
    ridge, rules = _ridge.fresh_ridge(1, 1), _ridge.Rules(0.7)
    ridge.released[0, :21] = -0.1 * np.eye(6)[np.tril_indices(6)]
    _ridge.solve(ridge, rules, 0)
    assert ridge.root[0].diagonal() == pytest.approx(0.7**-0.5)
