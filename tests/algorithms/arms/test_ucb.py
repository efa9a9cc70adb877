"""ucb: what is special to it (the rest is in test_every_algorithm.py)."""

from plain import tossou2016
from playing import actions
from twins import TWO

from dpbandits.kernels.streams import stream


def test_ucb_follows_its_twin_over_long_leads():
    """50,000 rounds, in which the leader is often alone for a whole window."""
    assert actions("ucb", stream(3), TWO, 50_000) == tossou2016.ucb(stream(3), TWO, 50_000)
