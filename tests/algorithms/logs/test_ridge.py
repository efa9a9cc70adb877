"""Ridge regression on noisy sums: by hand, and against NumPy."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpbandits.algorithms.logs import _ridge, lin_ts
from dpbandits.kernels.streams import stream

EXACT = _ridge.Rules(1.0, 0.0, 0.0, False)


def test_one_observation_by_hand():
    """A = I + z z', so theta = r z/(1 + |z|^2) and z' A^-1 z = |z|^2/(1 + |z|^2)."""
    ridge, z = _ridge.fresh_ridge(1, 1), np.array([1.0, 0.5, 0.5, 0.0, 0.0, 0.0])
    _ridge.learn(stream(1), ridge, EXACT, 0, z, 1.0)
    assert not _ridge.solve(ridge, EXACT, 0)
    assert ridge.theta[0] == pytest.approx(z / 2.5)
    assert ((ridge.root[0] @ z) ** 2).sum() == pytest.approx(1.5 / 2.5)


@pytest.mark.parametrize("seed", range(5))
def test_ridge_is_that_of_numpy(seed):
    rng, ridge = np.random.default_rng(seed), _ridge.fresh_ridge(1, 1)
    rules = _ridge.Rules(0.3, 0.0, 0.0, False)
    Z, r = rng.random((300, 6)), (rng.random(300) < 0.3).astype(float)
    for n, (z, reward) in enumerate(zip(Z, r, strict=True), 1):
        _ridge.learn(rng, ridge, rules, 0, z, reward)
        if n in (1, 2, 7, 300):
            _ridge.solve(ridge, rules, 0)
            A = 0.3 * np.eye(6) + Z[:n].T @ Z[:n]
            np.testing.assert_allclose(ridge.theta[0], np.linalg.solve(A, Z[:n].T @ r[:n]), rtol=1e-9, atol=1e-12)
            root = np.tril(ridge.root[0])
            np.testing.assert_allclose(root.T @ root, np.linalg.inv(A), rtol=1e-9, atol=1e-12)


@given(st.lists(st.floats(-5, 5), min_size=21, max_size=21))
@settings(max_examples=200)
def test_factor_inverts_indefinite_matrices_and_counts_negative_eigenvalues(entries):
    A = np.zeros((6, 6))
    _ridge.fill(A, np.round(np.array(entries), 2), 0.123456)
    values = np.linalg.eigvalsh(A)
    minors = [abs(np.linalg.det(A[:k, :k])) for k in range(1, 7)]
    if min(minors) < 1e-3:  # a pivot near 0: the factors lose digits
        return
    root, sign, work = np.zeros((6, 6)), np.zeros(6), A.copy()
    assert _ridge.factor(work, root, sign) == (values < 0).sum()
    np.testing.assert_allclose(root.T @ np.diag(sign) @ root @ A, np.eye(6), atol=1e-5)


@given(st.lists(st.floats(-100, 100), min_size=21, max_size=21))
@settings(max_examples=100)
def test_raised_eigenvalues(entries):
    A = np.zeros((6, 6))
    _ridge.fill(A, np.array(entries), 0.0)
    values, vectors = np.linalg.eigh(A)
    _ridge.raise_eigenvalues(A, 1.0)
    np.testing.assert_allclose(A, vectors @ np.diag(np.maximum(values, 1.0)) @ vectors.T, atol=1e-9)


def test_the_draw_has_the_covariance_of_thompson_sampling():
    """200,000 draws; an entry of a sample covariance has a standard deviation below sqrt(2/n) times its diagonal's."""
    rng, ridge = np.random.default_rng(3), _ridge.fresh_ridge(1, 1)
    for z in rng.random((20, 6)):
        _ridge.learn(rng, ridge, EXACT, 0, z, 1.0)
    _ridge.solve(ridge, EXACT, 0)
    A = np.eye(6)
    A[np.tril_indices(6)] += ridge.sums[0, :21]
    A = np.tril(A) + np.tril(A, -1).T
    n, drawn = 200_000, np.empty(6)
    sample = np.empty((n, 6))
    for k in range(n):
        lin_ts.draw(rng, ridge.theta[0], ridge.root[0], ridge.sign[0], 0.5, drawn)
        sample[k] = drawn
    wanted = 0.25 * np.linalg.inv(A)
    scale = np.sqrt(np.outer(np.diag(wanted), np.diag(wanted)))
    assert np.abs(np.cov(sample.T) - wanted).max() < 6 * math.sqrt(2 / n) * scale.max()
    assert np.abs(sample.mean(axis=0) - ridge.theta[0]).max() < 6 * math.sqrt(wanted.max() / n)


def noises(count, models=400):
    rng, ridge = np.random.default_rng(5), _ridge.fresh_ridge(models, 5)
    rules, z, found = _ridge.private_rules(1.0, 0.5, 31, "shift"), np.full(6, 0.5), []
    for _ in range(count):
        for m in range(models):
            _ridge.learn(rng, ridge, rules, m, z, 1.0)
        found.append(ridge.released - ridge.sums)
    return np.array(found).reshape(count, -1), rules.node_scale


def test_released_sums_have_the_noise_of_a_tree():
    """Variance 2 popcount(n) (L/eps0)^2, L = 5 levels for 31 leaves; and prefix n has the nodes of prefix n & (n - 1)."""
    found, scale = noises(15)
    assert scale == 10.0
    n = found.shape[1]
    for prefix in range(1, 16):
        nodes = bin(prefix).count("1")
        kurtosis = 3 + 3 / nodes  # of a sum of that many Laplace variables
        tolerance = 5 * math.sqrt((kurtosis - 1) / n)
        assert found[prefix - 1].var() == pytest.approx(2 * nodes * scale**2, rel=tolerance)
    shared = np.corrcoef(found[11], found[12])[0, 1]  # 12 = 8 + 4 is two of the three nodes of 13 = 8 + 4 + 1
    assert shared == pytest.approx(math.sqrt(2 / 3), abs=5 / math.sqrt(n))
    assert abs(np.corrcoef(found[7], found[6])[0, 1]) < 5 / math.sqrt(n)  # 7 and 8 have no node in common


def test_the_shift_does_not_depend_on_the_data():
    rules = _ridge.private_rules(1.0, 0.1, 2_863_243, "shift")
    assert rules.node_scale == pytest.approx(220)  # 22 levels
    assert rules.shift == pytest.approx(2 * 220 * math.sqrt(44) * math.sqrt(6))
    assert _ridge.private_rules(1.0, 0.1, 2_863_243, "eigen_clip").shift == 0
