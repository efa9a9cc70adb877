"""What an adversary sees: the odds of every sequence of actions under two scripts that differ in one reward."""

import itertools
import math

import numpy as np
import pytest
from scripted import Script, sequences

from dpbandits.algorithms.arms import _adaptive_episodes as episodes
from dpbandits.algorithms.arms import adap_ucb, gdp_ncb, ldp_ncb, ldp_ucb
from dpbandits.algorithms.arms._index import play_with_leads
from dpbandits.environments.arms._journal import blank_journal
from dpbandits.randomness import stream


def frequencies(rewards, epsilon, init_noise, runs):
    """How often the kernel takes each sequence of six actions with these rewards."""
    frame = episodes.frame(epsilon, init_noise, "one", "all")
    return sequences(adap_ucb.adap_ucb, lambda journal, pulls: (6, journal, frame, 0.3), rewards, runs, 22)


def worst_ratio(epsilon, init_noise, runs=300_000):
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


def test_p3_without_the_cap_two_neighbours_can_be_told_apart():
    """Two arms, six rounds, a threshold of 1: the same actions are common under one script, impossible under its neighbour."""
    plan = gdp_ncb.plan(6, 2.0)._replace(cap=6, threshold=1.0)
    one, neighbour = np.array([1.0, 1.0, 0, 0, 0, 0]), np.array([1.0, 0.0, 0, 0, 0, 0])
    counts = [
        sequences(gdp_ncb.gdp_ncb, lambda journal, pulls: (0, 6, journal, pulls, plan), rewards, 40_000, 23)
        for rewards in (one, neighbour)
    ]
    # Both first rounds on arm 0 end Phase I under `one`; then arm 1, of which fewer was seen, comes first, for two rounds.
    other = [count[[c for c in range(64) if c >> 2 == 0]].sum() for count in counts]  # arm 0 four times
    assert other[0] == 0
    assert other[1] > 1000


def kernels(epsilon, T):
    """Every private algorithm of the corrected reading: its kernel and the arguments after (rng, arms)."""
    frame = episodes.frame(epsilon, True, "one", "all")
    return {
        "gdp_ncb": (
            gdp_ncb.gdp_ncb,
            lambda journal, pulls: (0, T, journal, pulls, gdp_ncb.plan(T, epsilon)),
        ),
        "ldp_ncb": (
            ldp_ncb.ldp_ncb,
            lambda journal, pulls: (0, T, journal, pulls, ldp_ncb.plan(T, epsilon)),
        ),
        "ldp_ucb": (play_with_leads, lambda journal, pulls: (T, journal, ldp_ucb.LDPUCB(epsilon))),
        "adap_ucb": (
            adap_ucb.adap_ucb,
            lambda journal, pulls: (T, journal, frame, 3.1),
        ),
    }


@pytest.mark.parametrize("name", ["gdp_ncb", "ldp_ncb", "ldp_ucb", "adap_ucb"])
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_p6_odds_of_every_action_sequence(name, epsilon):
    T, runs = 8, 250_000
    play, arguments = kernels(epsilon, T)[name]
    base = np.array([1.0, 0, 1, 1, 0, 1, 0, 1])
    ours = sequences(play, arguments, base, runs, 24)
    for changed in (0, 3):
        neighbour = base.copy()
        neighbour[changed] = 1 - neighbour[changed]
        theirs = sequences(play, arguments, neighbour, runs, 24)
        assert ours.sum() == theirs.sum() == runs
        seen = (ours >= 500) & (theirs >= 500)
        assert seen.any()
        ratio, error = np.log(ours[seen] / theirs[seen]), np.sqrt(1 / ours[seen] + 1 / theirs[seen])
        assert np.all(np.abs(ratio) <= epsilon + 4 * error)


def test_every_round_of_a_game_takes_one_reward_of_the_script():
    for play, arguments in kernels(1.0, 8).values():
        arms = Script(np.zeros(2), np.ones(8), np.zeros(1, np.int64))
        journal, pulls = blank_journal(np.array([0.0, 1.0]), np.arange(1, 9)), np.zeros(2, np.int64)
        play(stream(25), arms, *arguments(journal, pulls))
        assert arms.played[0] == journal.kept[0] == 8
