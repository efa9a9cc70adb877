"""The hybrid mechanism: every prefix sum of a stream of unknown length.

Chan, Shi & Song, "Private and Continual Release of Statistics". At a power of two the logarithm
mechanism adds one Laplace number to a running total and releases it. Between 2^k and 2^(k+1) a
binary mechanism with k levels counts the items since then. So one item is in one increment of the
total and in at most k nodes of one tree.

tossou2016 prints the scales 1/eps and log t/eps (section 2.3), without the logarithm's base, and
says that a stream pays eps:

    literal_natlog  total Lap(1/eps), nodes Lap(ln(2^k)/eps):   eps (1 + 1/ln 2) = 2.443 eps
    full_log2       total Lap(1/eps), nodes Lap(k/eps):         2 eps
    half_log2       total Lap(2/eps), nodes Lap(2k/eps):        an item pays eps/2 + eps/2 = eps

With fresh noise the binary mechanism is run again for every prefix, and all of its nodes are drawn
anew. The first item since 2^k is then in 2^k - 1 independent sums, so that with half_log2 it pays
((2^k - 1)/k + 1) eps/2.
"""

import math
from typing import Literal, NamedTuple

import numpy as np

from dpbandits.kernels import kernel, step
from dpbandits.privacy.ledger import Account, Ledger
from dpbandits.privacy.tree import MAX_LEVELS, fresh_tree_noise, tree_levels, tree_noise

Split = Literal["half_log2", "full_log2", "literal_natlog"]


class Hybrid(NamedTuple):
    """The noise of one hybrid mechanism per arm."""

    total_scale: float
    scale_per_level: float  # of a node: a block with k levels uses k times this
    level: np.ndarray  # k
    total: np.ndarray  # the noise of the running total
    memory: np.ndarray  # of the trees
    zeros: int  # items before the first, which are known to be 0
    fresh: bool  # whether nodes are drawn anew for every prefix


def scales(split: Split, epsilon: float) -> tuple[float, float]:
    """Return the Laplace scale of the running total, and of a node for each level of its tree."""
    return {
        "half_log2": (2 / epsilon, 2 / epsilon),
        "full_log2": (1 / epsilon, 1 / epsilon),
        "literal_natlog": (1 / epsilon, math.log(2) / epsilon),
    }[split]


def scale_at(n: int, split: Split, epsilon: float) -> float:
    """Return the scale of the noise that is drawn when a mechanism receives item n."""
    total, level = scales(split, epsilon)
    return total if n & (n - 1) == 0 else (n.bit_length() - 1) * level


def drawn_at(n: int) -> list[int]:
    """Return the items with which the noise of prefix n was drawn: of the total, then of nodes."""
    result = [1 << k for k in range(n.bit_length())]
    while n & (n - 1):
        result.append(n)
        n &= n - 1
    return result


@kernel
def hybrid(streams, total_scale, level_scale, zeros=0, fresh=False):
    """Make mechanisms without items, one for each stream.

    A stream may begin with one item that is known to be 0 and gets no noise.
    """
    level, memory = np.full(streams, zeros - 1), np.zeros((streams, MAX_LEVELS))
    return Hybrid(total_scale, level_scale, level, np.zeros(streams), memory, zeros, fresh)


@step
def hybrid_noise(releases, mechanism, a, total, n):
    """Insert item n (from 1) into stream a, whose sum is `total`; return the noise of that sum."""
    k, item = mechanism.level[a], n + mechanism.zeros
    if item == 1 << (k + 1):
        mechanism.level[a] = k + 1
        first = item // 2 + 1 - mechanism.zeros
        mechanism.total[a] += releases.node(mechanism.total_scale, a, first, n, total)
        return mechanism.total[a]
    scale, leaf = k * mechanism.scale_per_level, item - (1 << k)
    if mechanism.fresh:
        return mechanism.total[a] + fresh_tree_noise(releases, leaf, scale, a, n, total)
    return mechanism.total[a] + tree_noise(releases, leaf, mechanism.memory[a], scale, a, n, total)


def hybrid_account(items: int, split: Split, epsilon: float, fresh: bool = False) -> Account:
    """Return the account of counting `items` numbers in [0, 1]."""
    total_scale, scale_per_level = scales(split, epsilon)
    ledger = Ledger()
    for k in range(items.bit_length()):
        power = 1 << k
        ledger.book(power // 2 + 1, power, sensitivity=1.0, scale=total_scale)
        if leaves := min(power - 1, items - power):
            times = leaves if fresh else tree_levels(leaves)
            ledger.book(power + 1, power + leaves, 1.0, k * scale_per_level, times=times)
    return Account(epsilon, 0.0, ledger)
