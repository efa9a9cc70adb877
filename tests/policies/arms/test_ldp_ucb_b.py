"""LDP-UCB-B: its bits and its index by hand."""

import math

import pytest

from dpbandits.policies import LDPUCBB


def test_the_bits_and_the_index_by_hand():
    """At epsilon = ln 3 a user lies with probability 1/4."""
    policy = LDPUCBB(epsilon=math.log(3)).compiled(1000, 2)
    assert policy.lie == pytest.approx(0.25)
    asked = []

    class Asked:
        def bit(self, p):
            asked.append(p)
            return 1.0

    for reward in (0.0, 0.5, 1.0):
        assert policy.report(Asked(), reward) == 1.0
    assert asked == pytest.approx([0.25, 0.5, 0.75])
    # Three of four bits are 1, and ln t = 8.
    growth = policy.growth(math.exp(8))
    index = policy.index(*policy.statistics(3.0, 4), growth)
    assert index == pytest.approx(0.75 + math.sqrt(16 / 4))
