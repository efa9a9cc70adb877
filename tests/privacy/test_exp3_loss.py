"""The steps of the proof in docs/readings/tossou2017.md, in games from random starts."""

import numpy as np
import pytest


def probabilities(exponents, gamma):
    """p_i of EXP3 from the exponents (gamma/K) G_i."""
    w = np.exp(exponents - exponents.max())
    return (1 - gamma) * w / w.sum() + gamma / len(w)


def two_games(start, gamma, played, change):
    """Play these (arm, gain) from these exponents, and again with the first gain changed.

    Return, after each of them, the range of the exponents' differences and the largest
    |ln p_i/q_i| of the next round.
    """
    x, y, explore = start.copy(), start.copy(), gamma / len(start)
    p = q = probabilities(start, gamma)
    ranges, losses = [], []
    for arm, gain in played:
        x[arm] += explore * gain / p[arm]
        y[arm] += explore * (gain if ranges else gain + change) / q[arm]
        p, q = probabilities(x, gamma), probabilities(y, gamma)
        ranges.append(np.ptp(x - y))
        losses.append(np.abs(np.log(p / q)).max())
    return np.array(ranges), np.array(losses)


@pytest.mark.parametrize("tau", [1, 19])
def test_no_later_round_loses_more_than_a_changed_mean_gain(tau):
    """In 200 games of 300 rounds D spreads over at most 1/tau, and no loss exceeds its spread."""
    rng = np.random.default_rng(tau)
    most = 0.0
    for _ in range(200):
        K, gamma = int(rng.integers(2, 7)), 10 ** rng.uniform(-3, 0)
        start = rng.exponential(10 ** rng.uniform(-1, 1), K)
        # The bias of the actions: every history counts, not only the probable ones.
        bias = rng.dirichlet(np.ones(K))
        gains = rng.choice([0.0, 1.0, rng.random()], 300)
        gains[0], change = (0.0, 1.0) if rng.random() < 0.5 else (1.0, -1.0)
        spread, loss = two_games(
            start, gamma, zip(rng.choice(K, 300, p=bias), gains, strict=True), change / tau
        )
        assert spread[0] <= (1 + 1e-12) / tau
        assert np.diff(spread).max() < 1e-12
        assert np.all(loss <= spread + 1e-12)
        assert loss.max() <= np.log((K * (1 - gamma) + gamma) / gamma) + 1e-12
        most = max(most, spread[0])
    assert most > 0.99 / tau  # an arm that was played by exploration alone attains the bound
