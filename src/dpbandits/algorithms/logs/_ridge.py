"""Ridge regression on a stream of contexts z and rewards whose sums may be released by trees (mishra2015, section 5).

A = lam I + sum z z', b = sum reward z, theta = A^-1 b. A private policy sees both sums through binary trees (`_private_sums`).
Their noise can make the released matrix indefinite. So `shift` I is added to it, and eigenvalues that are still below lam are
raised to lam; Algorithms 3 and 4, which may say how the paper does it, are lost.

No inverse is formed: A = L D L' gives the triangular R = D^(-1/2) L^-1, and A^-1 = R' R.
"""

import math
from typing import NamedTuple

import numpy as np

from dpbandits.compiled import kernel, step
from dpbandits.environments.logs._events import DIMENSION
from dpbandits.privacy.tree import tree_levels, tree_noise

TRIANGLE = DIMENSION * (DIMENSION + 1) // 2
SUMS = TRIANGLE + DIMENSION  # 27 numbers per model: the triangle of z z' row by row, then reward z


class Ridge(NamedTuple):
    """One model, or one per article (the first index). A policy uses `sums` only through `released`."""

    sums: np.ndarray
    released: np.ndarray
    memory: np.ndarray  # of the trees
    count: np.ndarray  # observations
    theta: np.ndarray
    root: np.ndarray  # R
    stale: np.ndarray  # whether theta and root are older than the sums
    work: np.ndarray  # three matrices


class Rules(NamedTuple):
    """How sums are released and used. A node_scale of 0 releases them without noise."""

    lam: float
    node_scale: float = 0.0
    shift: float = 0.0
    room: int = 1 << 62  # observations for which a model's trees have leaves


def fresh_ridge(models: int, room: int) -> Ridge:
    """Models without observations, whose trees have `room` leaves."""
    d, levels = DIMENSION, tree_levels(room)
    sizes = (SUMS,), (SUMS,), (SUMS, levels), (), (d,), (d, d)
    kinds = (np.float64,) * 3 + (np.int64,) + (np.float64,) * 2
    arrays = [np.zeros((models, *size), kind) for size, kind in zip(sizes, kinds, strict=True)]
    return Ridge(*arrays, np.ones(models, np.bool_), np.zeros((3, d, d)))


@step
def learn(rng, ridge, rules, m, z, reward):
    """Add the observation (z, reward) to model m and release its sums again."""
    sums, released = ridge.sums[m], ridge.released[m]
    k = 0
    for i in range(DIMENSION):
        for j in range(i + 1):
            sums[k] += z[i] * z[j]
            k += 1
    for i in range(DIMENSION):
        sums[k + i] += reward * z[i]
    ridge.count[m] += 1
    for k in range(SUMS):
        released[k] = sums[k]
        if rules.node_scale > 0:
            released[k] += tree_noise(rng, ridge.count[m], ridge.memory[m, k], rules.node_scale)
    ridge.stale[m] = True


@step
def solve(ridge, rules, m):
    """Compute theta and the root of model m from its released sums; return whether the shifted matrix is indefinite."""
    A, released, theta, root = ridge.work[0], ridge.released[m], ridge.theta[m], ridge.root[m]
    fill(A, released, rules.lam + rules.shift)
    least_pivot = factor(A, root, rules.lam)
    indefinite = False
    # No pivot is below the smallest eigenvalue, whose inverse is at most the trace of the inverse.
    if rules.node_scale > 0 and (least_pivot < rules.lam or trace_of_inverse(root) > 1 / rules.lam):
        fill(A, released, rules.lam + rules.shift)
        indefinite = raise_eigenvalues(A, ridge.work[1], ridge.work[2], rules.lam) < 0
        factor(A, root, rules.lam)
    for i in range(DIMENSION):
        theta[i] = 0.0
    for k in range(DIMENSION):
        y = 0.0
        for j in range(k + 1):
            y += root[k, j] * released[TRIANGLE + j]
        for j in range(k + 1):
            theta[j] += y * root[k, j]
    ridge.stale[m] = False
    return indefinite


@step
def fill(A, triangle, diagonal):
    """Fill A with the symmetric matrix of a triangle, plus `diagonal` times I."""
    k = 0
    for i in range(DIMENSION):
        for j in range(i + 1):
            A[i, j] = A[j, i] = triangle[k]
            k += 1
        A[i, i] += diagonal


@step
def factor(A, root, lam):
    """Factor A = L D L' in place, and compute root = D^(-1/2) L^-1; return the smallest pivot, an entry of D. A pivot below lam,
    which no matrix with eigenvalues of at least lam has, is taken as lam."""
    d, least = DIMENSION, math.inf
    for j in range(d):  # L below the diagonal of A, D on it
        pivot = A[j, j]
        for k in range(j):
            pivot -= A[j, k] * A[j, k] * A[k, k]
        least, A[j, j] = min(least, pivot), max(pivot, lam)
        one_over_pivot = 1 / A[j, j]
        for i in range(j + 1, d):
            total = A[i, j]
            for k in range(j):
                total -= A[i, k] * A[j, k] * A[k, k]
            A[i, j] = total * one_over_pivot
    for i in range(d):
        for j in range(i):
            total = A[i, j]
            for k in range(j + 1, i):
                total += A[i, k] * root[k, j]
            root[i, j] = -total
        root[i, i] = 1.0
    for i in range(d):
        scale = 1 / math.sqrt(A[i, i])
        for j in range(i + 1):
            root[i, j] *= scale
    return least


@step
def trace_of_inverse(root):
    """The trace of R' R."""
    total = 0.0
    for i in range(root.shape[0]):
        for j in range(i + 1):
            total += root[i, j] * root[i, j]
    return total


@kernel
def raise_eigenvalues(A, D, Q, least):
    """Raise the eigenvalues of the symmetric A below `least` to `least`; return the smallest one before.

    D becomes diagonal by Jacobi's rotations, with A = Q D Q': the last bits of a linear algebra library vary between machines.
    """
    d, smallest = A.shape[0], math.inf
    for i in range(d):
        for j in range(d):
            D[i, j], Q[i, j] = A[i, j], 1.0 if i == j else 0.0
    for _ in range(30):
        off, on = 0.0, 0.0
        for i in range(d):
            on += D[i, i] * D[i, i]
            for j in range(i):
                off += D[i, j] * D[i, j]
        if off <= 1e-28 * on:
            break
        for p in range(d - 1):
            for q in range(p + 1, d):
                if D[p, q] != 0.0:
                    rotate(D, Q, p, q)
    for k in range(d):
        smallest = min(smallest, D[k, k])
        lift = max(least - D[k, k], 0.0)
        for i in range(d):
            for j in range(d):
                A[i, j] += lift * Q[i, k] * Q[j, k]
    return smallest


@step
def rotate(D, Q, p, q):
    """Apply the rotation of the plane (p, q) that makes D[p, q] vanish to D and to the basis Q."""
    ratio = (D[q, q] - D[p, p]) / (2 * D[p, q])
    t = (1.0 if ratio >= 0 else -1.0) / (abs(ratio) + math.sqrt(ratio * ratio + 1))
    c = 1 / math.sqrt(t * t + 1)
    s = t * c
    for k in range(D.shape[0]):
        x, y = D[k, p], D[k, q]
        D[k, p], D[k, q] = c * x - s * y, s * x + c * y
    for k in range(D.shape[0]):
        x, y = D[p, k], D[q, k]
        D[p, k], D[q, k] = c * x - s * y, s * x + c * y
        x, y = Q[k, p], Q[k, q]
        Q[k, p], Q[k, q] = c * x - s * y, s * x + c * y
