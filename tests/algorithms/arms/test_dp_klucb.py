"""DP-KLUCB and DP-IMED: the divergence by search, and how often an unlucky run loses the best arm."""

import math

import numpy as np
import pytest
from plain import azize2025
from plain.parts import kl
from playing import regrets
from scipy import stats

from dpbandits.algorithms.arms.dp_imed import divergence

EPSILONS = (0.01, 0.5, 5.0, 100.0, 1e9)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_divergence_is_the_minimum_that_its_definition_says(epsilon):
    """By search over z, at the ends of [0, 1] as well, and as the plain twin has it; it exceeds neither kl nor epsilon (y - x)."""
    for x in (0.0, 0.2, 0.5, 1.0):
        for y in (0.0, 0.2, 0.6, 0.999, 1.0):
            found = divergence(x, y, epsilon)
            by_search = min(kl(z, y) + epsilon * (z - x) for z in np.linspace(x, y, 4001)) if x < y else 0
            assert found == pytest.approx(by_search, rel=1e-5, abs=3e-6)
            assert found <= min(kl(x, y), epsilon * max(y - x, 0)) + 1e-12
            if epsilon < 700:
                assert found == pytest.approx(azize2025.d_epsilon(x, y, epsilon), rel=1e-9, abs=1e-12)


def test_how_often_an_unlucky_sum_of_noises_loses_the_best_arm():
    """C1, epsilon = .1, T = 1e6: DP-IMED has lost the best arm in a share of runs that the index itself explains.

    The best arm is not played again if after one of its phases its index exceeds that of an arm with T/2 pulls, ln(T/2), where the
    largest of the other means is between .7, its limit, and .74, as after a hundred pulls. With one Laplace number in place of one for
    every phase, this is at least thirty times rarer. Measured: regret of more than a quarter of what the next arm costs in all of
    the second half of the game.
    """
    T, epsilon, runs = 10**6, 0.1, 100_000

    def share_lost(accumulated, mean_of_others):
        rng, s, noise, n, lost = np.random.default_rng(7), np.zeros(runs), np.zeros(runs), 0, np.zeros(runs, bool)
        while n < 2**14:
            m = max(n, 1)
            s += rng.binomial(m, 0.75, runs)
            noise = rng.laplace(0, 1 / epsilon, runs) + (noise if accumulated else 0)
            n += m
            limit = math.log(T / 2 / n) / n  # d above it: bisection for the x below which this is so
            low, high = 0.0, mean_of_others
            for _ in range(40):
                middle = (low + high) / 2
                is_lost = divergence(middle, mean_of_others, epsilon) > limit
                low, high = (middle, high) if is_lost else (low, middle)
            lost |= np.clip((s + noise) / n, 0, 1) < low
        return lost.mean()

    halves = regrets("dp_imed", "lost", 1000, T, [0.75, 0.7, 0.7, 0.7, 0.7], (0.5, 1), epsilon=epsilon)
    lost = int(np.sum(halves[:, 1] - halves[:, 0] > 0.05 * T / 4))
    assert stats.binomtest(lost, 1000, share_lost(True, 0.7), alternative="less").pvalue > 1e-3
    assert stats.binomtest(lost, 1000, share_lost(True, 0.74), alternative="greater").pvalue > 1e-3
    assert share_lost(False, 0.72) < share_lost(True, 0.72) / 30
