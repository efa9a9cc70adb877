"""The hybrid mechanism: every prefix sum of a stream of unknown length.

Chan, Shi & Song, "Private and Continual Release of Statistics". At a power of two the logarithm mechanism adds one
Laplace to a running total and releases it; between 2^k and 2^(k+1) a binary mechanism with k levels counts the
items since then. One item is thus in one increment of the total and in at most k nodes of one tree.

tossou2016 prints the scales 1/eps and log t/eps (section 2.3), without the logarithm's base, and says that a stream pays eps:

    literal_natlog  total Lap(1/eps), nodes Lap(ln(2^k)/eps):   eps (1 + 1/ln 2) = 2.443 eps
    full_log2       total Lap(1/eps), nodes Lap(k/eps):         2 eps
    half_log2       total Lap(2/eps), nodes Lap(2k/eps):        an item pays eps/2 + eps/2 = eps
"""

import math
from typing import Literal, NamedTuple

import numpy as np

from dpbandits.kernels import kernel, step
from dpbandits.privacy.ledger import Ledger
from dpbandits.privacy.tree import tree_levels, tree_noise

Split = Literal["half_log2", "full_log2", "literal_natlog"]
MAX_LEVELS = 48


class Hybrid(NamedTuple):
    """The noise of one hybrid mechanism per arm: scales, block number k, noise of the running total, tree memories."""

    total_scale: float
    scale_per_level: float  # of a node: a block with k levels uses k times this
    level: np.ndarray
    total: np.ndarray
    memory: np.ndarray


def scales(split: Split, epsilon: float) -> tuple[float, float]:
    """Laplace scale of the running total, and of a tree node for each level of its tree."""
    return {
        "half_log2": (2 / epsilon, 2 / epsilon),
        "full_log2": (1 / epsilon, 1 / epsilon),
        "literal_natlog": (1 / epsilon, math.log(2) / epsilon),
    }[split]


@kernel
def hybrid(streams, total_scale, level_scale):
    """`streams` mechanisms without items."""
    return Hybrid(
        total_scale,
        level_scale,
        np.full(streams, -1),
        np.zeros(streams),
        np.zeros((streams, MAX_LEVELS)),
    )


@step
def hybrid_noise(rng, mechanism, a, n):
    """Insert item n (1, 2, 3, ...) into stream a and return the noise of the released count of n items."""
    k = mechanism.level[a]
    if n == 1 << (k + 1):
        mechanism.level[a] = k + 1
        mechanism.total[a] += rng.release_noise(mechanism.total_scale)
        return mechanism.total[a]
    scale = k * mechanism.scale_per_level
    return mechanism.total[a] + tree_noise(rng, n - (1 << k), mechanism.memory[a], scale)


def hybrid_ledger(items: int, split: Split, epsilon: float) -> Ledger:
    """The ledger of counting `items` numbers in [0, 1]."""
    total_scale, scale_per_level = scales(split, epsilon)
    ledger = Ledger()
    for k in range(items.bit_length()):
        power = 1 << k
        ledger.book(power // 2 + 1, power, sensitivity=1.0, scale=total_scale)
        if leaves := min(power - 1, items - power):
            ledger.book(
                power + 1, power + leaves, 1.0, k * scale_per_level, times=tree_levels(leaves)
            )
    return ledger
