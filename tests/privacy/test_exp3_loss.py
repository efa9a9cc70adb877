"""What one gain can tell through EXP3's choices."""

import numpy as np
import pytest

from dpbandits.algorithms.games._tuning import gamma_of
from dpbandits.privacy import exp3_loss


def test_loss_right_after_the_changed_gain_by_hand():
    """Two arms alike, gamma = 0.5: a gain of 1 at p = 1/2 is an exponent of 0.25 x 2; p_0 becomes 0.5 x 0.622459 + 0.25."""
    start = np.zeros((1, 2))
    one, other = (exp3_loss.after(start, 0.5, 0, gain) for gain in (1.0, 0.0))
    assert exp3_loss.law(one, 0.5)[0, 0] == pytest.approx(0.561230, abs=1e-6)
    assert exp3_loss.law(other, 0.5)[0].tolist() == [0.5, 0.5]


# The maxima that the search finds, recorded. In the round right after the change it is near max_c ln((1 + c e^(1/(1+c)))/(1 + c)).
FOUND = {2: 0.285, 4: 0.285}


@pytest.mark.parametrize("K", [2, 4])
def test_search_for_the_largest_per_round_loss_of_exp3(K):
    """Theorem 3.3 says at most 2. The search finds 0.285 at T = 2^18: far below, and not above it for any gamma."""
    found, _ = exp3_loss.largest_loss(gamma_of(2**18, K), K)
    assert found == pytest.approx(FOUND[K], abs=2e-3)
    for gamma in (0.01, 0.1, 0.5, 0.9):
        assert 0 < exp3_loss.largest_loss(gamma, K, rounds=3)[0] <= 2


def test_the_search_contains_the_best_start_of_the_next_round():
    """For small gamma, with weight share c gamma/K before the change, the next round's loss is known in closed form."""
    c = np.geomspace(0.01, 100, 100_001)
    closed = np.log((1 + c * np.exp(1 / (1 + c))) / (1 + c)).max()
    assert closed == pytest.approx(0.285, abs=5e-4)
    assert exp3_loss.largest_loss(1e-4, 2, rounds=1)[0] == pytest.approx(closed, rel=2e-3)
