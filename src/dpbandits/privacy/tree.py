"""The binary mechanism: every prefix sum of a stream of n <= 2^levels - 1 numbers, at a privacy cost of log n, not n.

Chan, Shi & Song, "Private and Continual Release of Statistics"; Dwork, Naor, Pitassi & Rothblum, "Differential Privacy
under Continual Observation". Prefix n is the sum of the noisy nodes at the set bits of n. The simulator knows the exact
sum, so only the noise is stored. Prefix n has one new node and those of the prefix without the lowest set bit of n, from which on
all prefixes have had more set bits: the latest noise for every number of set bits is enough. A number is in one node of each
level, at most; with Lap(levels/epsilon) on every node (`tree_node_scale`) it costs epsilon.
"""

import math

from dpbandits.kernels import inlined, step
from dpbandits.privacy.ledger import Ledger


@step
def set_bits(n):
    """The number of set bits of n. The compiler makes this loop one instruction of the processor."""
    k = 0
    while n:
        n &= n - 1
        k += 1
    return k


@step
def tree_noise(rng, n, memory, scale):
    """Noise of prefix n, given that the prefixes 1..n-1 have been released into `memory` (one slot per level)."""
    noise = rng.release_noise(scale)
    k = set_bits(n)
    if k > 1:
        noise += memory[k - 2]
    memory[k - 1] = noise
    return noise


@inlined
def tree_levels(horizon: int) -> int:
    """Levels of a tree with `horizon` leaves, floor(log2 T) + 1: the largest number of nodes that contain a leaf."""
    return math.frexp(horizon)[1]


def tree_node_scale(horizon: int, epsilon: float) -> float:
    """The scale of the Laplace noise of a node with which a tree of `horizon` leaves spends epsilon."""
    return tree_levels(horizon) / epsilon


def tree_ledger(leaves: int, scale: float, trees: int = 1) -> Ledger:
    """The ledger of releasing every prefix of `leaves` items in `trees` trees when each node gets Lap(scale).

    A leaf is in one node of each level, at most, and the first leaf is in one of each.
    """
    ledger = Ledger()
    ledger.book(1, leaves, 1.0, scale, times=trees * tree_levels(leaves))
    return ledger
