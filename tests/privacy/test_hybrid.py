"""The hybrid mechanism: its noise is that of a plain one, which keeps its nodes, and its ledger adds up."""

import math

import numpy as np
import pytest
from plain import tossou2016
from privacy.test_tree import nodes_of

from dpbandits.privacy.hybrid import hybrid, hybrid_ledger, hybrid_noise, scales
from dpbandits.random import stream

SPLITS = {"half_log2": 1.0, "full_log2": 2.0, "literal_natlog": 1 + 1 / math.log(2)}


def parts_of(n):
    """The Laplace numbers inside the release of n items: the block of each and what it covers, a power of two or a node."""
    k = n.bit_length() - 1
    return {(i, "total") for i in range(k + 1)} | {(k, node) for node in nodes_of(n - (1 << k))}


def scale_of(part, split, epsilon):
    total, node = scales(split, epsilon)
    return total if part[1] == "total" else part[0] * node


@pytest.mark.parametrize("split", SPLITS)
def test_hybrid_noise_is_the_noise_of_the_plain_mechanism(split):
    """Fed with the same numbers, count by count, on a stream of ones; another stream of the mechanism stays empty."""
    mechanism, twin = hybrid(2, split, 0.5), tossou2016.HybridMechanism(0.5, split)
    ours, theirs = stream(13), stream(13)
    for n in range(1, 3000):
        assert n + hybrid_noise(ours, mechanism, 0, n) == pytest.approx(twin.insert(1.0, theirs), abs=1e-8)
    assert mechanism.level.tolist() == [11, -1]
    assert mechanism.total[1] == 0
    assert not mechanism.memory[1].any()


@pytest.mark.parametrize("items", [1, 2, 3, 12, 512, 700])
@pytest.mark.parametrize(("split", "factor"), SPLITS.items())
def test_p1_hybrid_stream(split, factor, items):
    """The item that pays most, release by release, against the ledger; in a long game it pays `factor` epsilon."""
    epsilon, paid = 0.3, np.zeros(items + 1)
    for block, covered in set().union(*(parts_of(n) for n in range(1, items + 1))):
        power = 1 << block
        first, last = (power // 2 + 1, power) if covered == "total" else (power + covered[0], power + covered[1])
        paid[first : last + 1] += 1 / scale_of((block, covered), split, epsilon)
    ledger = hybrid_ledger(items, split, epsilon)
    assert ledger.basic() == pytest.approx(paid.max(), rel=1e-9)
    assert ledger.basic() <= factor * epsilon * (1 + 1e-9)
    if items >= 12:
        assert ledger.basic() == pytest.approx(factor * epsilon, rel=1e-9)
