"""EXP3's weights, far beyond the range of a double."""

import math

import numpy as np
import pytest
from plain import tossou2017

from dpbandits.algorithms.games._weights import SUM, fresh_weights, learn


def probabilities(weights, gamma):
    return (1 - gamma) * weights.w / weights.norm[SUM] + gamma / weights.w.size


def test_weights_that_span_hundreds_of_orders_of_magnitude():
    """Arm 0 always pays for 4,000 updates, then arm 1 for 12,000: the probabilities are right throughout."""
    gamma, K = 0.5, 3
    weights, exact, widest = fresh_weights(K), tossou2017.Exp3(K, gamma), 0.0
    for update in range(16_000):
        a, law = (0 if update < 4000 else 1), exact.law()
        assert np.allclose(probabilities(weights, gamma), law, rtol=1e-9, atol=0)
        assert weights.w.sum() >= 1
        learn(weights, gamma, a, 1 / law[a])
        exact.learn(a, law[a], 1.0)
        widest = max(widest, gamma / K * (max(exact.G) - min(exact.G)) / math.log(10))
    assert widest > 300  # beyond the range of a double
    assert exact.law()[1] > exact.law()[0]  # the lead has changed hands


def test_the_largest_possible_steps_do_not_overflow():
    """gamma = 1 and gains of 1 at p = 1/K: every exponent grows by 1 in each of its rounds, e^5000 in all."""
    weights = fresh_weights(2)
    for _ in range(5000):
        learn(weights, 1.0, 0, 2.0)
    assert weights.G.tolist() == [10_000.0, 0.0]
    assert weights.norm[SUM] == pytest.approx(weights.w.sum())
    assert 1 <= weights.w[0] <= 1e31
