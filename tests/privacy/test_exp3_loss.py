"""What one gain can tell through EXP3's choices: the proof's three steps in games from random starts."""

import numpy as np
import pytest

from dpbandits.privacy.exp3_loss import probabilities, two_games


def test_the_round_after_the_changed_gain_by_hand():
    """Two arms alike, gamma = 0.5: a gain of 1 at p = 1/2 is an exponent of 0.25 x 2; p_0 becomes 0.5 x 0.622459 + 0.25."""
    assert probabilities(np.zeros(2), 0.5).tolist() == [0.5, 0.5]
    assert probabilities(np.array([0.5, 0.0]), 0.5)[0] == pytest.approx(0.561230, abs=1e-6)
    (difference,), (loss,) = two_games(np.zeros(2), 0.5, [(0, 1.0)], change=-1.0)
    assert (difference, loss) == (0.5, pytest.approx(np.log(0.5 / 0.438770), abs=1e-5))


@pytest.mark.parametrize("tau", [1, 19])
def test_no_later_round_loses_more_than_a_changed_mean_gain(tau):
    """In 400 games of 300 rounds: D spreads over at most 1/tau and never more, and no loss is larger than its spread."""
    rng = np.random.default_rng(tau)
    most = 0.0
    for _ in range(400):
        K, gamma = int(rng.integers(2, 7)), 10 ** rng.uniform(-3, 0)
        start = rng.exponential(10 ** rng.uniform(-1, 1), K)
        bias = rng.dirichlet(np.ones(K))  # of the actions: every history counts, not only the probable ones
        gains = rng.choice([0.0, 1.0, rng.random()], 300)
        gains[0], change = (0.0, 1.0) if rng.random() < 0.5 else (1.0, -1.0)
        spread, loss = two_games(start, gamma, zip(rng.choice(K, 300, p=bias), gains, strict=True), change / tau)
        assert spread[0] <= (1 + 1e-12) / tau
        assert np.diff(spread).max() < 1e-12
        assert np.all(loss <= spread + 1e-12)
        most = max(most, spread[0])
    assert most > 0.99 / tau  # an arm that was played by exploration alone attains the bound
