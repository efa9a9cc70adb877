"""DP-KLUCB and DP-IMED: the divergence and the index by search, games by hand, and regret beside the bounds."""

import math
import types

import numpy as np
import pytest
from plain import azize2025
from playing import regrets
from twins import C2

from dpbandits.algorithms.arms import _growing_phases as phases
from dpbandits.algorithms.arms import dp_imed, dp_klucb
from dpbandits.environments.arms import Arms
from dpbandits.theory.azize2025 import azize2025_lower_bound

EPSILONS = (0.01, 0.5, 5.0, 100.0, 1e9)


def kl(p, q):
    return sum(a * math.log(a / b) if b > 0 else math.inf for a, b in ((p, q), (1 - p, 1 - q)) if a > 0)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_divergence_is_the_minimum_that_its_definition_says(epsilon):
    """By search over z, at the ends of [0, 1] as well, and as the plain twin has it."""
    for x in (0.0, 0.2, 0.5, 1.0):
        for y in (0.0, 0.2, 0.6, 0.999, 1.0):
            found = phases.divergence(x, y, epsilon)
            by_search = min(kl(z, y) + epsilon * (z - x) for z in np.linspace(x, y, 4001)) if x < y else 0
            assert found == pytest.approx(by_search, rel=1e-5, abs=3e-6)
            if epsilon < 700:
                assert found == pytest.approx(azize2025.d_epsilon(x, y, epsilon), rel=1e-9, abs=1e-12)


def test_the_divergence_is_that_of_either_regime_at_its_ends():
    """kl for a large epsilon, epsilon (y - x) for a small one; it never exceeds either."""
    assert phases.divergence(0.2, 0.6, 50.0) == pytest.approx(kl(0.2, 0.6))
    assert phases.divergence(0.2, 0.6, 0.001) == pytest.approx(0.001 * 0.4, rel=1e-3)
    for epsilon in EPSILONS:
        assert phases.divergence(0.2, 0.6, epsilon) <= min(kl(0.2, 0.6), epsilon * 0.4) + 1e-12


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_index_is_the_largest_mean_within_the_budget(epsilon):
    for x in (0.0, 0.3, 0.9, 1.0):
        for budget in (1e-6, 0.01, 0.4, 3.0):
            q = phases.largest_within(x, budget, epsilon)
            if q < 1 - 1e-9:
                assert phases.divergence(x, q, epsilon) == pytest.approx(budget, rel=1e-6, abs=1e-12)
            assert phases.divergence(x, min(q, 1.0), epsilon) <= budget * (1 + 1e-6)
            assert (q == 1) == (epsilon * (1 - x) <= budget) or q > 1 - 1e-9


def without_noise(module, means, horizon, epsilon):
    """The phases, (arm, length) each, of the kernel's own loop, with sums that are means times lengths."""
    played = []

    def play_phase(rng, arms, horizon, journal, t, a, s, n, epsilon, growth):
        m = min(phases.phase_length(n[a], growth), horizon - t)
        s[a] += m * means[a]
        n[a] += m
        played.append((a, m))
        return t + m

    kernel = getattr(module, module.__name__.rsplit(".", 1)[-1])
    loop = types.FunctionType(kernel.py_func.__code__, {**kernel.py_func.__globals__, "play_phase": play_phase})
    loop(None, Arms(np.array(means)), horizon, None, epsilon, 2.0)
    return played


def test_games_by_hand():
    """Means 1/2 and 1/4, epsilon = ln 2: d(1/4, 1/2) = -ln(1 - 1/4) - ln(2)/4 = 0.1144, for the best z is 1/3.

    DP-IMED: arm 0 has ln n, arm 1 has 0.1144 n + ln n. With n = 8 both, 2.08 against 2.99: arm 0 doubles; 2.77 < 2.99:
    it doubles again; 3.47 > 2.99: arm 1 does. DP-KLUCB: the index is 1 as long as (1 - x) ln 2 <= ln t/n. In round 10
    arm 0, with n = 8, has 2 (1 - e^(-ln(10)/8 - ln(2)/2)) = 0.939, and so arm 1 is played until it has 8, too: 0.820 in
    round 17. There arm 0 has 1 again, since ln(17)/8 = 0.354 > ln(2)/2 = 0.347.
    """
    game = [0.5, 0.25], 56, math.log(2)
    assert without_noise(dp_imed, *game) == [
        (0, 1), (1, 1), (0, 1), (1, 1), (0, 2), (1, 2), (0, 4), (1, 4), (0, 8), (0, 16), (1, 8), (0, 8),
    ]  # fmt: skip
    assert without_noise(dp_klucb, *game)[:9] == [
        (0, 1), (1, 1), (0, 1), (0, 2), (0, 4), (1, 1), (1, 2), (1, 4), (0, 8),
    ]  # fmt: skip
    assert phases.largest_within(0.5, math.log(10) / 8, math.log(2)) == pytest.approx(0.9395, abs=1e-4)


@pytest.mark.parametrize("growth", [1.05, 2.0, 7.5])
def test_a_phase_multiplies_the_pulls_by_the_growth(growth):
    pulls = 0
    while pulls < 10**9:
        m = phases.phase_length(pulls, growth)
        assert pulls + m == max(pulls + 1, math.ceil(growth * pulls))
        pulls += m


def test_regret_is_of_the_order_of_the_lower_bound():
    """At T = 1e6 on C2 with epsilon = .5, the median of 200 runs; at growth 2 up to twice as many pulls are made."""
    T = 10**6
    bound = azize2025_lower_bound(np.array(C2), T, 0.5)
    for name in ("dp_klucb", "dp_imed"):
        median = np.median(regrets(name, "order", 200, T, C2, epsilon=0.5)[:, -1])
        assert 0.3 * bound < median < 3 * bound


def test_how_often_an_unlucky_sum_of_noises_loses_the_best_arm():
    """C1, epsilon = .1, T = 1e6: DP-IMED has lost the best arm in a share of runs that the index itself explains.

    The best arm is not played again if after one of its phases its index exceeds that of an arm with T/2 pulls,
    ln(T/2), where the largest of the other means is about .72. With one Laplace number in place of one for every phase,
    this is at least thirty times rarer. Measured: regret of more than a quarter of what the next arm costs in all of the
    second half of the game.
    """
    T, epsilon, runs = 10**6, 0.1, 100_000
    rng = np.random.default_rng(7)
    lost = {}
    for accumulated in (True, False):
        s, noise, n, found = np.zeros(runs), np.zeros(runs), 0, np.zeros(runs, bool)
        while n < 2**14:
            m = max(n, 1)
            s += rng.binomial(m, 0.75, runs)
            noise = rng.laplace(0, 1 / epsilon, runs) + (noise if accumulated else 0)
            n += m
            x = np.clip((s + noise) / n, 0, 1)
            limit = math.log(T / 2 / n) / n  # d above it: bisection for the x below which this is so
            low, high = 0.0, 0.72
            for _ in range(40):
                middle = (low + high) / 2
                low, high = (middle, high) if phases.divergence(middle, 0.72, epsilon) > limit else (low, middle)
            found |= x < low
        lost[accumulated] = found.mean()
    halves = regrets("dp_imed", "lost", 1000, T, [0.75, 0.7, 0.7, 0.7, 0.7], (0.5, 1), epsilon=epsilon)
    share = np.mean(halves[:, 1] - halves[:, 0] > 0.05 * T / 4)
    assert 0.5 < share / lost[True] < 2
    assert lost[False] < lost[True] / 30


def test_the_games_of_an_audit_reach_the_round_at_which_rewards_decide():
    """At epsilon = 0.1: 6.4 = 0.1 x 64 is the first product above ln(2n + 1), here ln 129 = 4.86; the last phase has 32 pulls, the next 64."""
    games = phases.phases_audited(0.1).actions[-1]
    assert (games.horizon, games.canaries) == (2 * 64 + 64 + 4, (64 + 1, 128 - 32 + 1, 128 + 1))
