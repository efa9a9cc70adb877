"""The binary tree and the hybrid mechanism: their noise, and what their ledgers add up."""

import math

import numba
import numpy as np
import pytest
from plain import tossou2016
from playing import for_twin
from scipy import stats

from dpbandits.privacy.hybrid import hybrid, hybrid_account, hybrid_noise, scales
from dpbandits.privacy.releases import Releases
from dpbandits.privacy.tree import (
    fresh_tree_noise,
    tree_ledger,
    tree_levels,
    tree_node_scale,
    tree_noise,
)
from dpbandits.random import stream


def nodes_of(n):
    """The intervals (first, last) whose noisy sums make up prefix n of a binary tree."""
    parts, start = [], 0
    for level in reversed(range(n.bit_length())):
        if n >> level & 1:
            parts.append((start + 1, start + (1 << level)))
            start += 1 << level
    return set(parts)


@numba.njit
def noises_of_trees(releases, runs, leaves, scale):
    """The noise of every prefix, in many trees."""
    noise = np.empty((runs, leaves))
    for run in range(runs):
        memory = np.full(8, np.nan)
        for n in range(1, leaves + 1):
            noise[run, n - 1] = tree_noise(releases, n, memory, scale, 0, n, 0.0)
    return noise


def test_tree_noise_has_the_covariance_of_shared_nodes():
    """Two prefixes share the noise of the nodes that they share, 2 scale^2 for each.

    All pairs of 1..15 in 40,000 streams, within 4.5 standard errors: the largest of some hundred
    standard normal numbers.
    """
    leaves, scale = range(1, 16), 1.7
    noise = noises_of_trees(Releases(stream(11)), 40_000, len(leaves), scale)
    products = noise[:, :, None] * noise[:, None, :]
    error = products.std(axis=0) / math.sqrt(len(noise))
    expected = [[2 * scale**2 * len(nodes_of(n) & nodes_of(m)) for m in leaves] for n in leaves]
    assert np.abs((products.mean(axis=0) - expected) / error).max() < 4.5
    assert stats.kstest(noise[:, 0], "laplace", args=(0, scale)).pvalue > 1e-3


@numba.njit
def fresh_noises(releases, runs, leaves, scale):
    """The noise of every prefix where all nodes are drawn anew."""
    noise = np.empty((runs, leaves))
    for run in range(runs):
        for n in range(1, leaves + 1):
            noise[run, n - 1] = fresh_tree_noise(releases, n, scale, 0, n, 0.0)
    return noise


def test_fresh_noise_is_that_of_a_prefix_alone():
    """Each has the law of a prefix of a tree, and two prefixes share nothing."""
    leaves, scale, runs = range(1, 16), 1.7, 40_000
    noise = fresh_noises(Releases(stream(17)), runs, len(leaves), scale)
    products = noise[:, :, None] * noise[:, None, :]
    error = products.std(axis=0) / math.sqrt(runs)
    expected = np.diag([2 * scale**2 * n.bit_count() for n in leaves])
    assert np.abs((products.mean(axis=0) - expected) / error).max() < 4.5
    kept = noises_of_trees(Releases(stream(18)), runs, len(leaves), scale)
    for n in (1, 7, 12, 15):
        assert stats.ks_2samp(noise[:, n - 1], kept[:, n - 1]).pvalue > 1e-3


@pytest.mark.parametrize("leaves", [1, 2, 3, 7, 8, 100])
def test_p1_a_leaf_is_in_at_most_l_nodes_and_pays_at_most_eps0(leaves):
    """Against the nodes of all prefixes; 27 trees cost 27 times as much."""
    L, eps0 = math.floor(math.log2(leaves)) + 1, 0.02
    nodes = set().union(*(nodes_of(n) for n in range(1, leaves + 1)))
    assert (
        max(sum(a <= leaf <= b for a, b in nodes) for leaf in range(1, leaves + 1))
        == tree_levels(leaves)
        == L
    )
    assert tree_node_scale(leaves, eps0) == pytest.approx(L / eps0)
    assert tree_ledger(leaves, L / eps0).spent() == pytest.approx(eps0)
    assert tree_ledger(leaves, L / eps0, trees=27).spent() == pytest.approx(27 * eps0)


SPLITS = {"half_log2": 1.0, "full_log2": 2.0, "literal_natlog": 1 + 1 / math.log(2)}


@pytest.mark.parametrize("split", SPLITS)
def test_hybrid_noise_is_the_noise_of_the_plain_mechanism(split):
    """Count by count on a stream of ones; another stream of the mechanism stays empty."""
    mechanism, twin = hybrid(2, *scales(split, 0.5)), tossou2016.HybridMechanism(0.5, split)
    ours, theirs = Releases(stream(13)), for_twin(stream(13))
    for n in range(1, 3000):
        assert n + hybrid_noise(ours, mechanism, 0, 0.0, n) == pytest.approx(
            twin.insert(1.0, theirs), abs=1e-8
        )
    assert mechanism.level.tolist() == [11, -1]
    assert mechanism.total[1] == 0
    assert not mechanism.memory[1].any()


@pytest.mark.parametrize("items", [1, 2, 3, 12, 512, 700])
@pytest.mark.parametrize(("split", "factor"), SPLITS.items())
def test_p1_hybrid_stream(split, factor, items):
    """The item that pays most, release by release: `factor` epsilon in a long game."""
    epsilon, paid = 0.3, np.zeros(items + 1)
    total, node = scales(split, epsilon)
    for n in range(1, items + 1):
        k = n.bit_length() - 1
        leaf = n - (1 << k)
        if leaf == 0:  # all since the power of two before
            paid[n // 2 + 1 : n + 1] += 1 / total
        else:  # the node that ends here
            paid[n - (leaf & -leaf) + 1 : n + 1] += 1 / (k * node)
    ledger = hybrid_account(items, split, epsilon).ledger
    assert ledger.spent() == pytest.approx(paid.max(), rel=1e-9)
    assert ledger.spent() <= factor * epsilon * (1 + 1e-9)
    if items >= 12:
        assert ledger.spent() == pytest.approx(factor * epsilon, rel=1e-9)


@pytest.mark.parametrize("levels", [1, 2, 5, 16])
def test_fresh_noise_costs_the_first_item_of_an_epoch_most(levels):
    """It is in 2^levels - 1 sums of this epoch, and in the total: 2048.5 epsilon with 16 levels."""
    epsilon, last = 0.3, 2 ** (levels + 1)  # an epoch ends with this item
    spent = ((2**levels - 1) / levels + 1) / 2
    assert hybrid_account(last, "half_log2", epsilon, True).spent == pytest.approx(epsilon * spent)
    assert spent == pytest.approx({1: 1, 2: 1.25, 5: 3.6, 16: 2048.46875}[levels])


@pytest.mark.parametrize("law", ["discrete", "skellam"])
def test_the_fraction_of_a_value_is_not_released(law):
    """With integer noise it would be public."""
    releases = Releases(stream(1, law))
    drawn = {getattr(releases, law)(value, 2.0) for value in (3.0, 3.25, 3.999) for _ in range(50)}
    assert len(drawn) > 5
    assert all(value.is_integer() for value in map(float, drawn))
