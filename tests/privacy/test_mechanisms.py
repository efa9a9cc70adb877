"""The binary tree and the hybrid mechanism: their noise, and what their ledgers add up."""

import math

import numpy as np
import pytest
from plain import tossou2016
from playing import for_twin

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


class Recorded:
    """Releases that keep the noise of every node, and all noise."""

    def __init__(self):
        self.rng, self.nodes, self.drawn = np.random.default_rng(11), {}, []

    def laplace(self, value, scale):
        self.drawn.append(scale * self.rng.random())
        return value + self.drawn[-1]

    def node(self, scale, stream, first, last, total):
        self.nodes[first, last] = self.laplace(0.0, scale)
        return self.nodes[first, last]


def in_python(step):
    return getattr(step, "py_func", step)


def test_the_noise_of_a_prefix_is_that_of_its_nodes():
    """In a tree the kept noise of each; fresh noise is drawn anew for as many nodes."""
    tree, fresh, memory = Recorded(), Recorded(), np.full(8, np.nan)
    for n in range(1, 200):
        noise = in_python(tree_noise)(tree, n, memory, 1.7, 0, n, 0.0)
        assert noise == pytest.approx(sum(tree.nodes[node] for node in nodes_of(n)))
        fresh.drawn.clear()
        noise = in_python(fresh_tree_noise)(fresh, n, 1.7, 0, n, 0.0)
        assert noise == pytest.approx(sum(fresh.drawn))
        assert len(fresh.drawn) == len(nodes_of(n))
        assert [*fresh.nodes][-1] == (1, n)
    assert max(tree.drawn + fresh.drawn) == pytest.approx(1.7, rel=0.05)


@pytest.mark.parametrize("leaves", [1, 2, 3, 7, 8, 100])
def test_p1_a_leaf_is_in_at_most_l_nodes_and_pays_at_most_eps0(leaves):
    """Against the nodes of all prefixes; 27 trees cost 27 times as much."""
    levels, eps0 = tree_levels(leaves), 0.02
    nodes, items = set().union(*map(nodes_of, range(1, leaves + 1))), range(1, leaves + 1)
    assert max(sum(a <= item <= b for a, b in nodes) for item in items) == levels
    assert tree_node_scale(leaves, eps0) == pytest.approx(levels / eps0)
    assert tree_ledger(leaves, levels / eps0, trees=27).spent() == pytest.approx(27 * eps0)


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
@pytest.mark.parametrize("fresh", [False, True])
@pytest.mark.parametrize(("split", "factor"), SPLITS.items())
def test_p1_hybrid_stream(split, factor, fresh, items):
    """The item that pays most, release by release: `factor` epsilon in a long game.

    With fresh noise every prefix pays for all items since the power of two before.
    """
    epsilon, paid = 0.3, np.zeros(items + 1)
    total, node = scales(split, epsilon)
    for n in range(1, items + 1):
        k = n.bit_length() - 1
        leaf = n - (1 << k)
        if leaf == 0:  # all since the power of two before
            paid[n // 2 + 1 : n + 1] += 1 / total
        else:  # the node that ends here
            paid[n - (leaf if fresh else leaf & -leaf) + 1 : n + 1] += 1 / (k * node)
    spent = hybrid_account(items, split, epsilon, fresh).spent
    assert spent == pytest.approx(paid.max(), rel=1e-9)
    assert fresh or spent <= factor * epsilon * (1 + 1e-9)
    if items >= 12 and not fresh:
        assert spent == pytest.approx(factor * epsilon, rel=1e-9)


def test_fresh_noise_in_a_long_game():
    """The first item of an epoch with 16 levels is in 2^16 - 1 sums: docs/readings/hu2022.md."""
    assert hybrid_account(2**17, "half_log2", 1.0, fresh=True).spent == 2048.46875
