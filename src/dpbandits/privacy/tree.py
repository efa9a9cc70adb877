"""The binary mechanism: every prefix sum of a stream of n <= 2^levels - 1 numbers, at a privacy cost of log n, not n.

Chan, Shi & Song, "Private and Continual Release of Statistics"; Dwork, Naor, Pitassi & Rothblum, "Differential Privacy
under Continual Observation". Prefix n is the sum of the noisy nodes at the set bits of n. The simulator knows the exact
sum, so only the noise is stored: prefix n has the nodes of prefix n & (n - 1), whose noise is stored at the index of
its lowest set bit, and one new node. A number is in one node of each level, at most; with Lap(levels/epsilon) on every
node (`tree_node_scale`) it costs epsilon.
"""

from numba.cpython.unsafe.numbers import trailing_zeros
from numba.extending import overload

from dpbandits.kernels.compiled import step
from dpbandits.kernels.sampling import laplace
from dpbandits.privacy.ledger import Ledger


def lowest_bit(n):
    """Index of the lowest set bit of n > 0."""
    return int(n & -n).bit_length() - 1


@overload(lowest_bit)
def _lowest_bit(n):
    """In a kernel: an instruction of the processor."""
    return lambda n: trailing_zeros(n)


@step
def tree_noise(rng, n, memory, scale):
    """Noise of prefix n, given that the prefixes 1..n-1 have been released into `memory` (one slot per level)."""
    parent = n & (n - 1)
    noise = memory[lowest_bit(parent)] if parent else 0.0
    noise += laplace(rng, scale)
    memory[lowest_bit(n)] = noise
    return noise


def tree_levels(horizon: int) -> int:
    """Levels of a tree with `horizon` leaves, floor(log2 T) + 1: the largest number of nodes that contain a leaf."""
    return horizon.bit_length()


def tree_node_scale(horizon: int, epsilon: float) -> float:
    """The scale of the Laplace noise of a node with which a tree of `horizon` leaves spends epsilon."""
    return tree_levels(horizon) / epsilon


def tree_ledger(leaves: int, scale: float) -> Ledger:
    """The ledger of releasing every prefix of `leaves` numbers in [0, 1] when each node gets Lap(scale)."""
    ledger = Ledger(leaves)
    book_tree(ledger, 0, leaves, scale)
    return ledger


def book_tree(ledger: Ledger, before: int, leaves: int, scale: float) -> None:
    """Book the nodes that the prefixes 1..leaves release, of a tree whose leaves are the items from `before` + 1 on.

    Prefix n releases the node of the last n & -n leaves: on the level of nodes of `size` leaves every other node,
    starting with the first.
    """
    size = 1
    while size <= leaves:
        ends = range(before + size, before + leaves + 1, 2 * size)
        ledger.release(range(before + 1, before + 1 + 2 * size * len(ends), 2 * size), ends, 1.0, scale)
        size *= 2
