"""Ridge regression on a stream whose sums are released by trees (mishra2015, section 5; Algorithms 3 and 4 are lost).

A = lam I + sum z z', b = sum reward z, theta = A^-1 b. A private policy sees both sums through binary trees, one for
each of the 21 entries of the triangle of z z' and of the 6 of reward z; every entry is in [0, 1], so each tree is
eps0-private. The noise can make the released A~ indefinite. The repairs are:

    shift       A~ + s I with s = 2 sigma sqrt(6), sigma = (L/eps0) sqrt(2 L) the noise of a tree's worst prefix; s does
                not depend on the data; eigenvalues that are still below lam are raised to lam
    eigen_clip  eigenvalues below lam are raised to lam, without a shift
    none        A~^-1 without repair; where its quadratic form is negative, its square root is taken as 0

No inverse is formed: A = L D L' gives the triangular R = |D|^(-1/2) L^-1, and A^-1 = R' sign(D) R.
The number of negative entries of D is that of A's negative eigenvalues (Sylvester).
"""

import math
from typing import Literal, NamedTuple

import numpy as np

from dpbandits.environments.logs._events import DIMENSION
from dpbandits.kernels.compiled import kernel, step
from dpbandits.privacy.tree import tree_levels, tree_noise

Repair = Literal["shift", "eigen_clip", "none"]
TRIANGLE = DIMENSION * (DIMENSION + 1) // 2
SUMS = TRIANGLE + DIMENSION  # 27 numbers per model: the triangle row by row, then b


class Ridge(NamedTuple):
    """One model, or one per article (the first index). A private policy uses `sums` only through `released`."""

    sums: np.ndarray
    released: np.ndarray
    memory: np.ndarray  # of the trees
    count: np.ndarray  # observations
    theta: np.ndarray
    root: np.ndarray  # R
    sign: np.ndarray  # of D
    stale: np.ndarray  # whether theta and root are older than the sums
    scratch: np.ndarray  # a work matrix


class Rules(NamedTuple):
    """How sums are released and used. A node_scale of 0 releases them without noise."""

    lam: float
    node_scale: float
    shift: float
    clip: bool
    room: int = 1 << 62  # observations for which a model's trees have leaves


def fresh_ridge(models: int, levels: int) -> Ridge:
    """Models without observations."""
    d = DIMENSION
    sizes = (SUMS,), (SUMS,), (SUMS, levels), (), (d,), (d, d), (d,)
    kinds = (np.float64,) * 3 + (np.int64,) + (np.float64,) * 3
    arrays = [np.zeros((models, *size), kind) for size, kind in zip(sizes, kinds, strict=True)]
    return Ridge(*arrays, np.ones(models, np.bool_), np.zeros((d, d)))


def private_rules(lam: float, eps0: float, leaves: int, repair: Repair) -> Rules:
    """The rules for private sums of up to `leaves` observations."""
    levels = tree_levels(leaves)
    sigma = levels / eps0 * math.sqrt(2 * levels)
    shift = 2 * sigma * math.sqrt(DIMENSION) if repair == "shift" else 0.0
    return Rules(lam, levels / eps0, shift, repair != "none", leaves)


@step
def learn(rng, ridge, rules, m, z, reward):
    """Add the observation (z, reward) to model m and release its sums again."""
    sums = ridge.sums[m]
    k = 0
    for i in range(DIMENSION):
        for j in range(i + 1):
            sums[k] += z[i] * z[j]
            k += 1
    for i in range(DIMENSION):
        sums[k + i] += reward * z[i]
    ridge.count[m] += 1
    released = ridge.released[m]
    for k in range(SUMS):
        released[k] = sums[k]
        if rules.node_scale > 0:
            released[k] += tree_noise(rng, ridge.count[m], ridge.memory[m, k], rules.node_scale)
    ridge.stale[m] = True


@step
def solve(ridge, rules, m):
    """Compute theta and the root of model m from its released sums; return whether A~ is indefinite."""
    released, theta, root, sign = ridge.released[m], ridge.theta[m], ridge.root[m], ridge.sign[m]
    A = ridge.scratch
    fill(A, released, rules.lam + rules.shift)
    indefinite = factor(A, root, sign) > 0
    if rules.clip and (indefinite or trace_of_inverse(root) > 1 / rules.lam):  # otherwise no eigenvalue is below lam
        fill(A, released, rules.lam + rules.shift)
        raise_eigenvalues(A, rules.lam)
        factor(A, root, sign)
    for i in range(DIMENSION):
        theta[i] = 0.0
    for k in range(DIMENSION):
        y = 0.0
        for j in range(k + 1):
            y += root[k, j] * released[TRIANGLE + j]
        for j in range(k + 1):
            theta[j] += sign[k] * y * root[k, j]
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
def factor(A, root, sign):
    """Factor A = L D L' into root = |D|^(-1/2) L^-1 and sign = sign(D), in place; count D's negative entries."""
    d, negative = DIMENSION, 0
    for j in range(d):  # L below the diagonal of A, D on it
        pivot = A[j, j]
        for k in range(j):
            pivot -= A[j, k] * A[j, k] * A[k, k]
        if pivot == 0.0:
            pivot = 1e-300
        A[j, j] = pivot
        one_over_pivot = 1 / pivot
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
        sign[i] = 1.0 if A[i, i] > 0 else -1.0
        negative += A[i, i] < 0
        scale = 1 / math.sqrt(abs(A[i, i]))
        for j in range(i + 1):
            root[i, j] *= scale
    return negative


@step
def trace_of_inverse(root):
    """The trace of the inverse of a positive definite matrix, which is at least 1/(its smallest eigenvalue)."""
    total = 0.0
    for i in range(root.shape[0]):
        for j in range(i + 1):
            total += root[i, j] * root[i, j]
    return total


@kernel
def raise_eigenvalues(A, least):
    """Raise the eigenvalues of the symmetric A below `least` to `least`.

    By Jacobi rotations, since the last bits of a linear algebra library vary between machines.
    """
    d = A.shape[0]
    Q = np.zeros((d, d))
    for i in range(d):
        Q[i, i] = 1.0
    for _ in range(30):
        off, on = 0.0, 0.0
        for i in range(d):
            on += A[i, i] * A[i, i]
            for j in range(i):
                off += A[i, j] * A[i, j]
        if off <= 1e-28 * on:
            break
        for p in range(d - 1):
            for q in range(p + 1, d):
                if A[p, q] != 0.0:
                    rotate(A, Q, p, q)
    values = np.empty(d)
    for k in range(d):
        values[k] = max(A[k, k], least)
    for i in range(d):
        for j in range(i + 1):
            total = 0.0
            for k in range(d):
                total += Q[i, k] * values[k] * Q[j, k]
            A[i, j] = A[j, i] = total


@step
def rotate(A, Q, p, q):
    """Apply the rotation of the plane (p, q) that makes A[p, q] vanish to A and to the basis Q."""
    ratio = (A[q, q] - A[p, p]) / (2 * A[p, q])
    t = (1.0 if ratio >= 0 else -1.0) / (abs(ratio) + math.sqrt(ratio * ratio + 1))
    c = 1 / math.sqrt(t * t + 1)
    s = t * c
    for k in range(A.shape[0]):
        x, y = A[k, p], A[k, q]
        A[k, p], A[k, q] = c * x - s * y, s * x + c * y
    for k in range(A.shape[0]):
        x, y = A[p, k], A[q, k]
        A[p, k], A[q, k] = c * x - s * y, s * x + c * y
        x, y = Q[k, p], Q[k, q]
        Q[k, p], Q[k, q] = c * x - s * y, s * x + c * y
