"""Games whose arms depend on how long they are."""

import math

import numpy as np
import pytest

from dpbandits.environments.arms import vanishing_arm


def test_nash_regret_of_a_vanishing_arm_against_brute_force():
    rng = np.random.default_rng(5)
    for T in (3, 10, 40, 180):
        bad = rng.integers(0, 6, T).astype(float)  # of 5 trials
        bad[0] = 5
        means = np.where(np.arange(5)[None, :] < bad[:, None], (2 * math.e) ** -float(T), 1.0).mean(axis=1)
        exact = 1 - math.exp(np.log(means).mean())
        assert vanishing_arm.nash_regret(bad, 5) == pytest.approx(exact, rel=1e-9)


def test_a_wasted_round_costs_a_factor_of_1_over_2e_whatever_the_horizon():
    for T in (5, 500, 1002):  # the bad arm's mean is below the smallest double in the last two
        for wasted in (1, 2, 3):
            bad = np.zeros(T)
            bad[:wasted] = 50
            assert vanishing_arm.nash_regret(bad, 50) == pytest.approx(1 - (2 * math.e) ** -float(wasted), rel=1e-12)


def test_a_sweep_plays_fresh_games_for_every_horizon():
    lengths = []

    def play(rng, arms, horizon, journal):
        lengths.append(horizon)
        assert arms.means.tolist() == [math.exp(vanishing_arm.LOG_PER_ROUND * horizon), 1.0]
        journal.counts[:, 0] = np.arange(1, horizon + 1) * (len(lengths) % 2)  # all bad, then all good
        journal.counts[:, 1] = journal.checkpoints - journal.counts[:, 0]
        journal.kept[0] = horizon

    curves = vanishing_arm.vanishing_arm(trials=2).play_run(play, None, None, 9, np.array([3, 5, 9]), {})
    assert lengths == [3, 3, 5, 5, 9, 9]
    assert curves["regret"] == pytest.approx([1.5, 2.5, 4.5], rel=0.01)
    assert curves["nash_regret"] == pytest.approx([0.5] * 3, rel=0.01)
