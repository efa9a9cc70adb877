"""Ridge regression whose sums may be released by trees (mishra2015, section 5).

For contexts z, A = lam I + sum z z', b = sum reward z, theta = A^-1 b. For a private policy each of
the 27 sums of a model (21 of z z', 6 of reward z) passes through a binary tree of its own. A visit
adds a number in [0, 1] to each of them.

Noise can make the released matrix indefinite. So `shift` I is added to it, and eigenvalues that are
still below lam are raised to lam. Algorithms 3 and 4, which may say how the paper does it, are
lost.

No inverse is formed: A = L D L' gives the triangular R = D^(-1/2) L^-1, and A^-1 = R' R.
"""

import math
from typing import NamedTuple

import numpy as np

from dpbandits.bandits.events import DIMENSION
from dpbandits.kernels import kernel, step
from dpbandits.privacy.tree import tree_levels, tree_node_scale, tree_noise

TRIANGLE = DIMENSION * (DIMENSION + 1) // 2
SUMS = TRIANGLE + DIMENSION  # 27 numbers per model: the triangle of z z' row by row, then reward z


class Ridge(NamedTuple):
    """One model, or one per article (the first index)."""

    sums: np.ndarray  # which a policy uses only through `released`
    released: np.ndarray
    memory: np.ndarray  # of the trees
    count: np.ndarray  # observations
    theta: np.ndarray
    root: np.ndarray  # R
    stale: np.ndarray  # whether theta and root are older than the sums
    work: np.ndarray  # three matrices


class RidgeOptions(NamedTuple):
    """How sums are released and used. A node_scale of 0 releases them without noise."""

    lam: float
    node_scale: float = 0.0
    shift: float = 0.0
    room: int = 1 << 62  # observations for which a model's trees have leaves


def private_options(lam: float, horizon: int, number_of_arms: int, eps0: float) -> RidgeOptions:
    """Return the options for sums that cost eps0 each.

    The shift is 2 sigma sqrt(6), with sigma = (L/eps0) sqrt(2 L) the standard deviation of a prefix
    that has all L levels. It does not depend on the data.
    """
    leaves = tree_leaves(horizon, number_of_arms)
    scale = tree_node_scale(leaves, eps0)
    sigma = scale * math.sqrt(2 * tree_levels(leaves))
    return RidgeOptions(lam, scale, 2 * sigma * math.sqrt(DIMENSION), leaves)


def tree_leaves(horizon: int, number_of_arms: int) -> int:
    """Return the leaves of a tree: a quarter more than the kept events that a log should have."""
    return math.ceil(1.25 * horizon / number_of_arms)


def fresh_ridge(models: int, room: int) -> Ridge:
    """Models without observations, whose trees have `room` leaves."""
    d = DIMENSION
    sums, released = np.zeros((2, models, SUMS))
    memory, count = np.zeros((models, SUMS, tree_levels(room))), np.zeros(models, np.int64)
    theta, root, work = np.zeros((models, d)), np.zeros((models, d, d)), np.zeros((3, d, d))
    return Ridge(sums, released, memory, count, theta, root, np.ones(models, np.bool_), work)


@step
def learn(releases, ridge, options, m, z, reward):
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
    n = ridge.count[m]
    for k in range(SUMS):
        released[k] = sums[k]
        if options.node_scale > 0:
            memory, stream = ridge.memory[m, k], m * SUMS + k
            scale = options.node_scale
            released[k] += tree_noise(releases, n, memory, scale, stream, n, sums[k])
    ridge.stale[m] = True


@step
def solve(ridge, options, m):
    """Compute theta and the root of model m from its released sums."""
    A, released, theta, root = ridge.work[0], ridge.released[m], ridge.theta[m], ridge.root[m]
    lam = options.lam
    fill(A, released, lam + options.shift)
    least_pivot = factor(A, root, lam)
    # No pivot is below the smallest eigenvalue, whose inverse is at most the trace of the inverse.
    if options.node_scale > 0 and (least_pivot < lam or trace_of_inverse(root) > 1 / lam):
        fill(A, released, lam + options.shift)
        raise_eigenvalues(A, ridge.work[1], ridge.work[2], lam)
        factor(A, root, lam)
    for i in range(DIMENSION):
        theta[i] = 0.0
    for k in range(DIMENSION):
        y = 0.0
        for j in range(k + 1):
            y += root[k, j] * released[TRIANGLE + j]
        for j in range(k + 1):
            theta[j] += y * root[k, j]
    ridge.stale[m] = False


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
    """Factor A = L D L' in place, compute root = D^(-1/2) L^-1, and return the smallest pivot.

    Pivots are the entries of D. One below lam, which no matrix with eigenvalues of at least lam
    has, counts as lam.
    """
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
    for entry in root.flat:
        total += entry * entry
    return total


@kernel
def raise_eigenvalues(A, D, Q, least):
    """Raise the eigenvalues of the symmetric A below `least` to `least`.

    D becomes diagonal by Jacobi's rotations, with A = Q D Q'. A linear algebra library would not
    do: its last bits vary between machines.
    """
    d = A.shape[0]
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
        lift = max(least - D[k, k], 0.0)
        for i in range(d):
            for j in range(d):
                A[i, j] += lift * Q[i, k] * Q[j, k]


@step
def rotate(D, Q, p, q):
    """Apply to D and the basis Q the rotation of the plane (p, q) that makes D[p, q] 0."""
    ratio = (D[q, q] - D[p, p]) / (2 * D[p, q])
    t = (1.0 if ratio >= 0 else -1.0) / (abs(ratio) + math.sqrt(ratio * ratio + 1))
    c = 1 / math.sqrt(t * t + 1)
    rotate_columns(D, p, q, c, t * c)
    rotate_columns(D.T, p, q, c, t * c)
    rotate_columns(Q, p, q, c, t * c)


@step
def rotate_columns(M, p, q, c, s):
    """Rotate the columns p and q of a matrix."""
    for k in range(M.shape[0]):
        x, y = M[k, p], M[k, q]
        M[k, p], M[k, q] = c * x - s * y, s * x + c * y
