"""The privacy of azize2022's algorithms: the ledger's account, the number of releases, and a Monte Carlo of the promise."""

import itertools
import math

import numpy as np
import pytest
from scripted import on_script, sequences

from dpbandits import algorithms
from dpbandits.algorithms import _adaptive_episodes as episodes
from dpbandits.algorithms import adap_ucb

HORIZONS = [2, 3, 7, 8, 1000, 1024, 100_003]


@pytest.mark.parametrize("horizon", HORIZONS)
@pytest.mark.parametrize("name", ["adap_ucb", "adap_klucb", "klucb_keeping_all", "elimination"])
def test_p1_to_p3_every_reward_is_in_one_release(name, horizon):
    """The first reward (P2) and the rewards of the truncated episode (P3) too; each pays epsilon."""
    given = {"epsilon": 0.3} | ({} if name == "elimination" else {"alpha": 3.1})
    account = algorithms.find(name).privacy(horizon, 5, **given)
    assert account.ledger.touched().tolist() == [1] * horizon
    assert account.spent == pytest.approx(0.3, rel=1e-9)
    assert account.kept


@pytest.mark.parametrize("name", ["adap_ucb", "adap_klucb"])
def test_p2_without_noise_on_the_first_rewards_there_is_no_privacy(name):
    account = algorithms.find(name).privacy(1000, 5, epsilon=0.3, alpha=3.1, init_noise=False)
    assert account.spent == math.inf
    assert not account.kept


def test_p4_number_of_private_means():
    """At most K (log2 T + 1) = 121 at T = 1e7, K = 5; one arm's stream has 24 whole episodes and a truncated one."""
    account = algorithms.find("adap_ucb").privacy(10**7, 5, epsilon=1.0, alpha=3.1)
    assert account.ledger.releases == 25
    assert int(5 * (math.log2(10**7) + 1)) == 121
    epochs = algorithms.find("elimination").privacy(10**7, 5, epsilon=1.0).ledger.releases
    assert 5 <= epochs <= math.log2(10**7)


@pytest.mark.parametrize(
    ("given", "share"), [({}, 1 / 5), ({"planned_for": "pow2"}, 10 / 11 / 5), ({"budget": "parallel"}, 1)]
)
def test_p5_dp_ucb_spends_a_fifth_of_what_it_may(given, share):
    """T = 1000 has 10 levels, 1024 has 11."""
    account = algorithms.find("private_ucb").privacy(1000, 5, epsilon=0.7, failure_prob=0.1, **given)
    assert account.spent == pytest.approx(0.7 * share)


# P6: two arms, six rounds, rewards fixed by the round.


def frequencies(rewards, epsilon, init_noise, runs):
    """How often the kernel, compiled with these rewards, takes each sequence of six actions."""
    frame = episodes.frame(epsilon, init_noise, "one", "all")
    return sequences(on_script(adap_ucb.adap_ucb), lambda journal, pulls: (6, journal, frame, 0.3), rewards, runs, 22)


def worst_ratio(epsilon, init_noise, runs=1_000_000):
    """The largest |ln ratio| of a sequence's frequencies over the six tables that differ in one reward, minus 4 s.e.,
    and without."""
    table = np.array([1.0, 0.0, 1.0, 0.0, 1.0, 1.0])
    base = frequencies(table, epsilon, init_noise, runs)
    careful, plain = 0.0, 0.0
    for i in range(6):
        other = table.copy()
        other[i] = 1 - other[i]
        counts = frequencies(other, epsilon, init_noise, runs)
        for n, m in itertools.compress(zip(base, counts, strict=True), (base >= 500) & (counts >= 500)):
            ratio, error = abs(math.log(n / m)), math.sqrt(1 / n + 1 / m)
            careful, plain = max(careful, ratio - 4 * error), max(plain, ratio)
    return careful, plain


@pytest.mark.parametrize(("epsilon", "measured"), [(0.5, 0.468), (2.0, 1.887)])
def test_p6_monte_carlo(epsilon, measured):
    careful, plain = worst_ratio(epsilon, True)
    assert careful <= epsilon
    assert plain == pytest.approx(measured, abs=0.06)


@pytest.mark.parametrize(("epsilon", "measured"), [(0.5, 1.33), (2.0, 4.2)])
def test_p6_monte_carlo_fails_without_noise_on_the_first_rewards(epsilon, measured):
    careful, plain = worst_ratio(epsilon, False)
    assert careful > epsilon
    assert plain > 0.9 * measured
