"""The binary mechanism: every prefix sum of n numbers, at a privacy cost of log n, not n.

Chan, Shi & Song, "Private and Continual Release of Statistics"; Dwork, Naor, Pitassi & Rothblum,
"Differential Privacy under Continual Observation". Prefix n is the sum of the noisy nodes at the
set bits of n. A number is in at most one node of each level. With Lap(levels/epsilon) on every node
(`tree_node_scale`) it costs epsilon.

The simulator knows the exact sum, so only the noise is stored. Prefix n has one new node, and those
of the prefix m without the lowest set bit of n. All prefixes between m and n have more set bits
than m, so the latest noise for every number of set bits is enough.
"""

import math

import numpy as np

from dpbandits.kernels import inlined, step
from dpbandits.privacy.ledger import Ledger

MAX_LEVELS = 64


def tree_memory(trees: int) -> np.ndarray:
    """Return the `memory` of trees before their first leaves, one in each row."""
    return np.zeros((trees, MAX_LEVELS))


@step
def set_bits(n):
    """Count the set bits of n. The compiler turns this loop into one instruction."""
    k = 0
    while n:
        n &= n - 1
        k += 1
    return k


@step
def tree_noise(releases, n, memory, scale, stream, last, total):
    """Return the noise of prefix n, after the prefixes 1..n-1.

    `memory` has the latest noise of a prefix with k set bits, for each k. Leaf n of the tree is the
    item `last` of a stream, whose items so far have the sum `total`.
    """
    noise = releases.node(scale, stream, last - (n & -n) + 1, last, total)
    k = set_bits(n)
    if k > 1:
        noise += memory[k - 2]
    memory[k - 1] = noise
    return noise


@step
def fresh_tree_noise(releases, n, scale, stream, last, total):
    """Return the noise of prefix n where all of its nodes are drawn anew.

    The release has the noise of one node. That of the other nodes is added to it.
    """
    noise = releases.node(scale, stream, last - n + 1, last, total)
    for _ in range(set_bits(n) - 1):
        noise += releases.laplace(0.0, scale)
    return noise


@inlined
def tree_levels(horizon: int) -> int:
    """Return the levels of a tree with `horizon` leaves, floor(log2 T) + 1.

    This is the largest number of nodes that contain a leaf.
    """
    return math.frexp(horizon)[1]


def tree_node_scale(horizon: int, epsilon: float) -> float:
    """Return the scale of a node's noise with which a tree of `horizon` leaves spends epsilon."""
    return tree_levels(horizon) / epsilon


def tree_ledger(leaves: int, scale: float, trees: int = 1) -> Ledger:
    """Return the ledger of every prefix of `leaves` items, with Lap(scale) on every node.

    A leaf is in at most one node of each level of each tree, and the first leaf is in one of each.
    """
    return Ledger().book(1, leaves, 1.0, scale, times=trees * tree_levels(leaves))
