"""The binary tree: its noise has the covariance of shared nodes, and its ledger adds up."""

import math

import numba
import numpy as np
import pytest
from scipy import stats

from dpbandits.kernels.streams import stream
from dpbandits.privacy.tree import lowest_bit, tree_ledger, tree_levels, tree_noise


def test_lowest_bit():
    assert [lowest_bit(n) for n in (1, 2, 3, 4, 6, 8, 12, 1 << 40)] == [0, 1, 0, 2, 1, 3, 2, 40]


def nodes_of(n):
    """The intervals (first, last) whose noisy sums make up prefix n of a binary tree."""
    parts, start = [], 0
    for level in reversed(range(n.bit_length())):
        if n >> level & 1:
            parts.append((start + 1, start + (1 << level)))
            start += 1 << level
    return set(parts)


@numba.njit
def noises_of_trees(rng, runs, leaves, scale):
    """The noise of every prefix, in many trees."""
    noise = np.empty((runs, leaves))
    for run in range(runs):
        memory = np.zeros(8)
        for n in range(1, leaves + 1):
            noise[run, n - 1] = tree_noise(rng, n, memory, scale)
    return noise


def test_tree_noise_has_the_covariance_of_shared_nodes():
    """Two prefixes share the noise of the nodes that they share, 2 scale^2 for each: all pairs of 1..15, 40,000 streams."""
    runs, leaves, scale = 40_000, 15, 1.7
    noise = noises_of_trees(stream(11), runs, leaves, scale)
    expected = np.array(
        [[2 * scale**2 * len(nodes_of(n) & nodes_of(m)) for m in range(1, leaves + 1)] for n in range(1, leaves + 1)]
    )
    products = noise[:, :, None] * noise[:, None, :]
    error = products.std(axis=0) / math.sqrt(runs)
    assert np.abs((products.mean(axis=0) - expected) / error).max() < 4.5  # the largest of 225 standard normals
    assert stats.kstest(noise[:, 0], "laplace", args=(0, scale)).pvalue > 1e-3


@pytest.mark.parametrize("leaves", [1, 2, 3, 7, 8, 1000, 1024])
def test_p1_a_leaf_is_in_at_most_l_nodes_and_pays_at_most_eps0(leaves):
    L, eps0 = math.floor(math.log2(leaves)) + 1, 0.02
    ledger = tree_ledger(leaves, L / eps0)
    assert tree_levels(leaves) == L
    assert ledger.touched().max() == ledger.touched()[0] == L
    assert ledger.basic() == pytest.approx(eps0)
