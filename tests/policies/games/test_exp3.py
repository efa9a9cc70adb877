"""EXP3, EXP3_tau and DP-EXP3-Lap: twins, weights, constants, promises."""

import math

import numpy as np
import pytest
from plain import tossou2017
from playing import for_twin, played

from dpbandits.bandits import StochasticAdversary, SwitchingCosts
from dpbandits.bandits.game import ARM, IGNORED
from dpbandits.drivers.exp3_weights import SUM, add_gain, fresh_weights
from dpbandits.errors import InputError
from dpbandits.policies import POLICIES, EXP3Tau, EXP3TauOnArms
from dpbandits.random import stream


@pytest.mark.parametrize("penalty", [(1.0, True), (0.0, True), (0.0, False)])
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("exp3", {}),
        *(("exp3_tau", {"tau": tau}) for tau in (1, 7, 2048)),
        *(("dp_exp3_lap", {"epsilon": epsilon}) for epsilon in (243.292, 1.0, 0.1)),
    ],
)
def test_same_actions_as_the_twin(name, parameters, penalty):
    """And the curves that follow from its actions, for any checkpoints."""
    every, few = np.arange(1, 2049), np.array([3, 41, 499, 2048])
    for number, adversary in enumerate(
        (StochasticAdversary(3, best=0.9, others=0.3), SwitchingCosts(2))
    ):
        # The best stochastic arm is the last.
        gains = np.flip(adversary.gains(stream(1, "game", number), 2048), 1).copy()
        run = played(name, stream(1, name, number), gains, penalty, **parameters)
        player = tossou2017.Player(gains.tolist(), *penalty)
        ignored = getattr(tossou2017, name)(for_twin(stream(1, name, number)), player, **parameters)
        assert run.diary[ARM].tolist() == player.actions
        curves = adversary.curves(run, every)
        for key, values in adversary.curves(run, few).items():
            assert values.tolist() == curves[key][few - 1].tolist()
        regret = np.cumsum(gains, axis=0, dtype=float).max(axis=1) - np.cumsum(player.received)
        assert curves["regret"] == pytest.approx(regret, abs=1e-9)
        assert curves["ignored"].tolist() == np.cumsum(run.diary[IGNORED]).tolist()
        assert curves["ignored"][-1] == ignored


def test_left_out_constants_are_those_of_corollary_3_2():
    """At T = 4096, K = 4: tau = 4.73, rounded up to 5.

    epsilon = 155.265 + sqrt(112 x 5.5452 x ln 4096) = 227.139.
    """
    gains = StochasticAdversary(4, best=0.55, others=0.5).gains(stream(6), 4096)
    for name, parameters in (
        ("exp3_tau", {"tau": 5}),
        ("dp_exp3_lap", {"epsilon": 155.26499 + 71.87370}),
    ):
        implied, stated = (played(name, stream(5), gains, **each) for each in ({}, parameters))
        assert np.array_equal(implied.diary, stated.diary)


GAME = 2**18, 4  # of Figure 6


@pytest.mark.parametrize(
    ("name", "parameters", "game", "promised", "spent"),
    [
        # 13,797 batches of 19 rounds: rho = 13797/(2 19^2) = 19.11; ln(1/delta) = 2 ln T = 24.95
        ("exp3_tau", {}, GAME, 243.292, 19.1094 + 2 * math.sqrt(19.1094 * 24.9533)),
        ("exp3_tau", {"tau": 18}, GAME, 274.5, 22.475 + 2 * math.sqrt(22.475 * 24.9533)),
        ("dp_exp3_lap", {}, GAME, 243.292, 243.292),
        ("dp_exp3_lap", {"epsilon": 0.5}, GAME, 0.5, 0.5),
        # Theorem 3.3 at delta = 0: min{T ln((K (1 - gamma) + gamma)/gamma), 2T}
        ("exp3", {}, GAME, 2 * 2**18, 2**18),
        # gamma = sqrt(2 ln 2/(8 (e - 1))) = 0.317567, (2 0.682433 + gamma)/gamma = 5.297881
        ("exp3", {}, (8, 2), 8 * math.log(5.297881), 8),
        # gamma = sqrt(2 ln 2/(2 (e - 1))) = 0.635134, (2 0.364866 + gamma)/gamma = 2.148941
        ("exp3", {}, (2, 2), 2 * math.log(2.148941), 2 * math.log(2.148941)),
        ("exp3", {}, (11, 10), 0, 0),  # gamma = 1: all arms are equally probable
        ("exp3", {}, (94, 4), 2 * 94, 94),  # gamma = 0.185288, 4 (1 - gamma)/gamma + 1 = 18.6 > e^2
    ],
)
def test_what_is_promised_and_spent(name, parameters, game, promised, spent):
    account = POLICIES.make(name, parameters).privacy(*game)
    assert (account.epsilon, account.spent) == pytest.approx((promised, spent), rel=1e-4)
    assert (account.kept(), account.neighbours) == (True, "one gain")


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (EXP3Tau(tau=101), "tau: 101 should be at most the horizon 100"),
        (
            EXP3TauOnArms(epsilon=0.001),
            r"epsilon 0.001 needs batches of \d+ rounds, and the horizon",
        ),
        (EXP3TauOnArms(epsilon=1e-15, delta=1e-20), "epsilon 1e-15 needs batches"),
    ],
)
def test_a_batch_longer_than_the_game_is_refused(policy, message):
    EXP3Tau(tau=100).check(100, 4)
    with pytest.raises(InputError, match=message):
        policy.check(100, 4)


def test_weights_that_span_hundreds_of_orders_of_magnitude():
    """Every probability is right: arm 0 pays for 4,000 updates, then arm 1 for 12,000."""
    gamma, K = 0.5, 3
    weights, exact, widest = fresh_weights(K), tossou2017.Exp3(K, gamma), 0.0
    for update in range(16_000):
        a, law = (0 if update < 4000 else 1), exact.law()
        shares = (1 - gamma) * weights.w / weights.norm[SUM]
        assert np.allclose(shares + gamma / K, law, rtol=1e-9, atol=0)
        assert weights.w.sum() >= 1
        add_gain(weights, gamma, a, 1 / law[a])
        exact.learn(a, law[a], 1.0)
        widest = max(widest, gamma / K * (max(exact.G) - min(exact.G)) / math.log(10))
    assert widest > 300  # beyond the range of a double
    assert exact.law()[1] > exact.law()[0]  # the lead has changed hands


def test_the_largest_possible_steps_do_not_overflow():
    """gamma = 1, gains of 1 at p = 1/K: an exponent grows by 1 in each round, e^5000 in all."""
    weights = fresh_weights(2)
    for _ in range(5000):
        add_gain(weights, 1.0, 0, 2.0)
    assert weights.norm[SUM] == pytest.approx(weights.w.sum())
    assert 1 <= weights.w[0] <= 1e31
