"""The hybrid mechanism: its noise is that of a plain one, which keeps its nodes, and its ledger adds up."""

import math

import numpy as np
import pytest
from plain import tossou2016

from dpbandits.privacy.hybrid import hybrid, hybrid_ledger, hybrid_noise, scales
from dpbandits.random import stream

SPLITS = {"half_log2": 1.0, "full_log2": 2.0, "literal_natlog": 1 + 1 / math.log(2)}


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
    total, node = scales(split, epsilon)
    for n in range(1, items + 1):
        k = n.bit_length() - 1
        leaf = n - (1 << k)
        if leaf == 0:  # all since the power of two before
            paid[n // 2 + 1 : n + 1] += 1 / total
        else:  # the node that ends here
            paid[n - (leaf & -leaf) + 1 : n + 1] += 1 / (k * node)
    ledger = hybrid_ledger(items, split, epsilon)
    assert ledger.basic() == pytest.approx(paid.max(), rel=1e-9)
    assert ledger.basic() <= factor * epsilon * (1 + 1e-9)
    if items >= 12:
        assert ledger.basic() == pytest.approx(factor * epsilon, rel=1e-9)
