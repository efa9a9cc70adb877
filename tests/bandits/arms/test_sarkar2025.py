"""The arms of sarkar2025: the fifty, and the two that depend on the horizon."""

import math
from decimal import Decimal
from types import SimpleNamespace

import numpy as np
import pytest
from playing import FIFTY

from dpbandits import compare
from dpbandits.bandits import DrawnArms, VanishingArm
from dpbandits.bandits.arms.vanishing_arm import LOG_PER_ROUND
from dpbandits.bandits.nash_regret import nash_regret
from dpbandits.errors import InputError
from dpbandits.policies import UCB, DPUCBInt, EXP3TauOnArms
from dpbandits.random import stream

GIVEN = {"number_of_arms": 50, "lowest": 0.005, "highest": 1.0, "draw": 42}


def test_the_fifty_arms_are_the_papers():
    labels = np.array(FIFTY)
    assert (labels.max(), labels.argmax()) == (pytest.approx(0.9700603029, abs=1e-10), 11)
    assert np.sort(labels)[[-2, 0]] == pytest.approx([0.96580387, 0.02548157], abs=1e-8)
    assert labels.mean() == pytest.approx(0.44869428, abs=1e-8)
    assert math.exp(np.log(labels).mean()) == pytest.approx(0.33233193, abs=1e-8)


def test_a_played_arm_counts_with_its_mean_or_its_label():
    """Each arm once: the regret is fifty times the best mean, or label, minus the average."""
    environment = DrawnArms(**GIVEN, laws="by_label")
    t = np.array([50])
    run = environment.begin(environment.arms, stream(1, "x"), 50, t)
    assert run.checkpoints.tolist() == list(range(1, 51))
    run.play_in_turn(np.arange(50))
    for scored_by, scores in (("mean", environment.arms.means), ("label", np.array(FIFTY))):
        found = environment.curves(run, t, scored_by=scored_by)
        assert found["regret"] == pytest.approx(50 * (scores.max() - scores.mean()))
        assert np.unique(found["means"]).tolist() == pytest.approx(np.unique(scores).tolist())
        assert found["means"].shape == (50,)


@pytest.mark.parametrize("T", [3, 180, 1002])
def test_nash_regret_of_a_vanishing_arm_against_its_definition(T):
    """In the longest game the bad arm's mean is below the smallest double."""
    bad, tiny = np.random.default_rng(5).integers(0, 6, T), (2 * Decimal(1).exp()) ** -T
    bad[:2] = 5  # of 5 trials
    logs = [((5 - trials + trials * tiny) / 5).ln() for trials in bad.tolist()]
    exact = 1 - (sum(logs) / T).exp()
    assert nash_regret(bad, 5, LOG_PER_ROUND * T) == pytest.approx(float(exact), rel=1e-9)


def test_a_sweep_plays_fresh_games_for_every_horizon():
    lengths = []

    def play(run):
        lengths.append(run.horizon)
        assert run.arms.means.tolist() == [math.exp(LOG_PER_ROUND * run.horizon), 1.0]
        run.play((len(lengths) + 1) % 2, run.horizon)  # all bad, then all good

    policy, t = SimpleNamespace(play=play), np.array([3, 5, 9])
    curves = VanishingArm(trials=2).play_run(policy, None, stream(1), 9, t)
    assert lengths == [3, 3, 5, 5, 9, 9]
    assert curves["regret"] == pytest.approx([1.5, 2.5, 4.5], rel=0.01)
    assert curves["nash_regret"] == pytest.approx([0.5] * 3, rel=0.01)


def test_checks_and_accounts_are_about_every_game_of_a_sweep():
    """EXP3-tau has whole batches of 25 rounds in 100 rounds, and of 26 in 101: it spends less."""
    policy, on = EXP3TauOnArms(epsilon=1.0), VanishingArm(trials=1)
    with pytest.raises(InputError, match=r"game of 1 round is too short.* at=\[2, "):
        compare([policy], on=on, horizon=101, n_runs=2, at=[1, 100])
    assert compare([UCB()], on=on, horizon=20, n_runs=2).summary["t"].tolist() == [*range(2, 21)]
    with pytest.raises(InputError, match=r"horizon 50 is too short for DP-UCB-INT"):
        compare([DPUCBInt(epsilon=1.0)], on=on, horizon=10_000, n_runs=2, at=[50])
    result = compare([policy], on=on, horizon=101, n_runs=2, at=[100])
    shorter, longest = (policy.account(T, 2).spent for T in (100, 101))
    assert result.privacy["spent"].tolist() == [shorter]
    assert shorter > longest


def test_shuffled_arms_record_the_regret_only():
    """And so no key of `regret` applies to them."""
    bandit, t = DrawnArms(**GIVEN, shuffled=True), np.array([50, 100])
    game = bandit.draw_game(stream(1), 100)
    curves = bandit.play_run(UCB(), game, stream(2), 100, t)
    assert list(curves) == ["regret"]
    with pytest.raises(InputError, match="regret: shuffled arms have no such key; remove it"):
        bandit.play_run(UCB(), game, stream(2), 100, t, against=1)
