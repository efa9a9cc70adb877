"""The binary tree: its noise has the covariance of shared nodes, and its ledger adds up."""

import math

import numba
import numpy as np
import pytest
from scipy import stats

from dpbandits.privacy.tree import set_bits, tree_ledger, tree_levels, tree_noise
from dpbandits.random import stream


def test_set_bits():
    assert [set_bits(n) for n in (0, 1, 2, 3, 12, 255, (1 << 40) + 1)] == [0, 1, 1, 2, 2, 8, 2]


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
        memory = np.full(8, np.nan)
        for n in range(1, leaves + 1):
            noise[run, n - 1] = tree_noise(rng, n, memory, scale)
    return noise


def test_tree_noise_has_the_covariance_of_shared_nodes():
    """Two prefixes share the noise of the nodes that they share, 2 scale^2 for each: all pairs of 1..15 in 40,000 streams, within 4.5
    standard errors, the largest of some hundred standard normal numbers."""
    leaves, scale = range(1, 16), 1.7
    noise = noises_of_trees(stream(11), 40_000, len(leaves), scale)
    products = noise[:, :, None] * noise[:, None, :]
    error = products.std(axis=0) / math.sqrt(len(noise))
    expected = [[2 * scale**2 * len(nodes_of(n) & nodes_of(m)) for m in leaves] for n in leaves]
    assert np.abs((products.mean(axis=0) - expected) / error).max() < 4.5
    assert stats.kstest(noise[:, 0], "laplace", args=(0, scale)).pvalue > 1e-3


@pytest.mark.parametrize("leaves", [1, 2, 3, 7, 8, 100])
def test_p1_a_leaf_is_in_at_most_l_nodes_and_pays_at_most_eps0(leaves):
    """Against the nodes of all prefixes; of the 27 trees of a contextual policy each costs as much."""
    L, eps0 = math.floor(math.log2(leaves)) + 1, 0.02
    nodes = set().union(*(nodes_of(n) for n in range(1, leaves + 1)))
    assert max(sum(a <= leaf <= b for a, b in nodes) for leaf in range(1, leaves + 1)) == tree_levels(leaves) == L
    assert tree_ledger(leaves, L / eps0).basic() == pytest.approx(eps0)
    assert tree_ledger(leaves, L / eps0, trees=27).basic() == pytest.approx(27 * eps0)
