"""adap_ucb_baseline: what is special to it (the rest is in test_every_algorithm.py)."""

import math

from dpbandits.algorithms.arms import adap_ucb_baseline


def test_p4_first_rewards_without_noise_are_not_private():
    assert adap_ucb_baseline.privacy(10**8, 50, epsilon=0.2).kept
    published = adap_ucb_baseline.privacy(10**8, 50, epsilon=0.2, variant="as_drawn")
    assert published.spent == math.inf
    assert not published.kept
