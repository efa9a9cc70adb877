"""EXP3's weights far beyond the range of a double."""

import math

import numpy as np
import pytest
from plain import tossou2017

from dpbandits.algorithms.games._weights import fresh_weights, learn, rebuild


def test_weights_that_span_hundreds_of_orders_of_magnitude():
    """Arm 0 always pays for 4,000 updates, then arm 1 for 12,000: e^(1300) in between, and the law is right throughout."""
    gamma, K = 0.5, 3
    G, w, norm = fresh_weights(K)
    exact = tossou2017.Exp3(K, gamma)
    widest = 0.0
    for update in range(16_000):
        a = 0 if update < 4000 else 1
        law = exact.law()
        scale = (1 - gamma) / norm[0]
        assert np.allclose(scale * w + gamma / K, law, rtol=1e-9, atol=0)
        assert np.isfinite(w).all()
        assert w.sum() >= 1
        if learn(G, w, norm, gamma, a, 1 / law[a]):
            rebuild(G, w, norm, gamma)
        exact.learn(a, law[a], 1.0)
        widest = max(widest, gamma / K * (max(exact.G) - min(exact.G)) / math.log(10))
    assert widest > 300  # beyond the range of a double
    assert exact.law()[1] > exact.law()[0]  # the lead has changed hands


def test_the_largest_possible_steps_do_not_overflow():
    """gamma = 1 and gains of 1 at p = 1/K: every exponent grows by 1 in each of its rounds, e^5000 in all."""
    G, w, norm = fresh_weights(2)
    for _ in range(5000):
        if learn(G, w, norm, 1.0, 0, 2.0):
            rebuild(G, w, norm, 1.0)
    assert G.tolist() == [10_000.0, 0.0]
    assert norm[0] == pytest.approx(w.sum())
    assert 1 <= w[0] <= 1e31
    assert w[1] == 0
