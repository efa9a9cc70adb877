"""The steps of the proof in docs/readings/tossou2017.md, in games from random starts."""

import numpy as np
import pytest


def probabilities(exponents, gamma):
    """p_i of EXP3 from the exponents (gamma/K) G_i."""
    w = np.exp(exponents - exponents.max(axis=-1, keepdims=True))
    return (1 - gamma) * w / w.sum(axis=-1, keepdims=True) + gamma / w.shape[-1]


@pytest.mark.parametrize("tau", [1, 19])
@pytest.mark.parametrize("K", [2, 6])
def test_no_later_round_loses_more_than_a_changed_mean_gain(K, tau):
    """In 200 games of 300 rounds D spreads over at most 1/tau, and no loss exceeds its spread.

    Each is played again with the first gain changed, from the same exponents.
    """
    rng, games = np.random.default_rng(tau), 200
    gamma = 10 ** rng.uniform(-3, 0, (games, 1))
    start = rng.exponential(10 ** rng.uniform(-1, 1, (games, 1)), (games, K))
    # The bias of the actions: every history counts, not only the probable ones.
    bias = rng.dirichlet(np.ones(K), games)
    exponents, p = np.array([start, start]), probabilities(start, gamma)
    gains = np.array([[[0.0]], [[1 / tau]]])  # of the first round
    spreads, losses = [], []
    for _ in range(300):
        arms = rng.multinomial(1, bias)  # 1 for the arm that is played
        exponents += gamma / K * arms * gains / p
        p = probabilities(exponents, gamma)
        spreads.append(np.ptp(exponents[0] - exponents[1], axis=1))
        losses.append(np.abs(np.log(p[0] / p[1])).max(axis=1))
        gains = rng.choice([0.0, 1.0, rng.random()], (games, 1))
    assert 0.99 / tau < spreads[0].max() <= (1 + 1e-12) / tau  # by exploration alone
    assert np.diff(spreads, axis=0).max() < 1e-12
    assert np.all(np.array(losses) <= np.array(spreads) + 1e-12)
    assert np.all(losses <= np.log((K * (1 - gamma) + gamma) / gamma)[:, 0] + 1e-12)
