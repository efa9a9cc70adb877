"""The privacy of sarkar2025's algorithms: ledgers of what is released, the law of the noise, and Monte Carlo on short games."""

import math
from typing import NamedTuple

import numba
import numpy as np
import plain_sarkar2025 as plain
import pytest
from scipy import stats
from scripted import Script, on_script, sequences

from dpbandits.algorithms import _adaptive_episodes as episodes
from dpbandits.algorithms import (
    adap_ucb,
    adap_ucb_baseline,
    anytime_gdp_ncb,
    anytime_ldp_ncb,
    gdp_ncb,
    ldp_ncb,
    ldp_ucb,
)
from dpbandits.environments.journal import blank_journal
from dpbandits.randomness import stream

# P1: local privacy.


def reports(phase1_noise, reward, epsilon, horizon):
    """The sum of each arm's reports in a game of Phase I alone, for many games."""
    spied = []

    class Rng:
        def __init__(self, run):
            self.rng = stream(20, run)

        def random(self):
            return self.rng.random()

        def laplace(self, location, scale):
            spied.append((location, scale))
            return self.rng.laplace(location, scale)

    for run in range(3):
        plain.ldp_ncb(Rng(run), [reward] * 2, horizon, epsilon, phase1_noise=phase1_noise)
    return spied


@pytest.mark.parametrize("epsilon", [0.2, 2.0])
def test_p1_the_noise_of_every_report_is_centred_with_scale_one_over_epsilon(epsilon):
    """The twin's calls; the kernel takes the same actions from the same generator (test_sarkar2025.py)."""
    assert set(reports("centred", 1.0, epsilon, 100)) == {(0.0, 1 / epsilon)}
    published = reports("misplaced", 1.0, epsilon, 100)
    assert set(published) == {(1 / epsilon, 1.0), (0.0, 1 / epsilon)}
    assert published.count((1 / epsilon, 1.0)) == 3 * 12  # W + 1 rounds of each game


class SpiedPlan(NamedTuple):
    """As much of a plan as the loops use, and where the spies leave the sum of an arm's reports."""

    epsilon: float
    cap: int
    location: float
    scale: float
    seen: np.ndarray


@numba.njit
def spied_index(s, n, plan):
    if n > 0:
        plan.seen[0] = s
    return s


@numba.njit
def spied_stop(s, n, plan):
    return False


@pytest.mark.parametrize("reward", [0.0, 1.0])
@pytest.mark.parametrize("phase", [1, 2])
def test_p1_the_kernels_reports_are_laplace_about_the_reward(reward, phase):
    """Games of one round, which is of Phase I or, if that is capped at nothing, of Phase II."""
    one_round = on_script(ldp_ncb.ldp_ncb, (("ldp_ncb_index", spied_index), ("explored_enough", spied_stop)))
    epsilon, arms = 0.5, Script(np.zeros(2), np.array([reward]), np.zeros(1, np.int64))
    laws = {"centred": stats.laplace(reward, 1 / epsilon)}
    laws["misplaced"] = stats.laplace(reward + 1 / epsilon, 1.0) if phase == 1 else laws["centred"]
    for noise, law in laws.items():
        plan = ldp_ncb.plan(10**4, epsilon, phase1_noise=noise)
        spied = SpiedPlan(epsilon, plan.cap if phase == 1 else -1, plan.location, plan.scale, np.zeros(1))
        seen, rng = [], stream(21, noise)
        for _ in range(5000):
            arms.played[0] = 0
            journal = blank_journal(np.array([0.0, 1.0]), np.array([1]))
            one_round(rng, arms, 0, 1, journal, np.zeros(2, np.int64), spied)
            seen.append(spied.seen[0])
        assert stats.kstest(seen, law.cdf).pvalue > 1e-4


@pytest.mark.parametrize(("epsilon", "spent"), [(0.2, 1.0), (0.5, 1.0), (1.0, 1.0), (2.0, 2.0)])
def test_p1_ledger(epsilon, spent):
    assert ldp_ncb.privacy(10**7, 50, epsilon=epsilon).spent == pytest.approx(epsilon)
    published = ldp_ncb.privacy(10**7, 50, epsilon=epsilon, phase1_noise="misplaced")
    assert published.spent == pytest.approx(spent)
    assert published.kept is (epsilon >= 1)
    for clipped in ("whole", "clipped"):
        assert ldp_ucb.privacy(10**7, 50, epsilon=epsilon, reports=clipped).kept


# P2 and P3: global privacy.


@pytest.mark.parametrize("noise_log", ["log2", "ln"])
def test_p2_the_account_covers_the_releases_of_every_game(noise_log):
    """Of the releases that a twin really makes, a reward of Phase I pays no more than the account says."""
    for T, means in ((2000, [0.9, 0.1]), (60_000, [0.9, 0.1, 0.1]), (60_000, [0.5, 0.5])):
        account = gdp_ncb.privacy(T, len(means), epsilon=1.0, noise_log=noise_log)
        most = 0.0
        for run in range(10):
            releases = []
            plain.gdp_ncb(stream(22, run), means, T, 1.0, noise_log=noise_log, releases=releases)
            for arm in range(len(means)):
                most = max(most, sum(1 / (n1 + m) / scale for a, n1, m, scale in releases if a == arm))
        assert 0.6 * account.spent < most <= account.spent + 1e-12


@pytest.mark.parametrize(("T", "releases"), [(10**7, 22), (10**8, 25)])
def test_p2_ln_overspends_and_log2_never_does(T, releases):
    assert gdp_ncb.max_releases(T - gdp_ncb.cap_of(T, "sqrt")) == releases
    published = gdp_ncb.privacy(T, 50, epsilon=0.2, noise_log="ln")
    assert published.spent / 0.2 == pytest.approx(releases / math.log(T))
    assert 1.3 < published.spent / 0.2 < 1.4
    assert not published.kept
    for horizon in [*range(2, 300), *(10**k for k in range(3, 11))]:
        assert gdp_ncb.privacy(horizon, 2, epsilon=0.2).kept


def test_p3_the_cap_comes_before_the_threshold():
    """So that raw rewards have no say in when Phase I ends; without the cap they have."""
    for T in {round(1.05**k) for k in range(15, 475)}:
        for epsilon in (0.2, 0.5, 1.0, 2.0, 10.0):
            assert gdp_ncb.plan(T, epsilon).cap <= gdp_ncb.plan(T, epsilon).threshold
    for T in range(3, 1003):
        assert gdp_ncb.plan(T, 2.0, multiplier=1.0).cap <= gdp_ncb.plan(T, 2.0, multiplier=1.0).threshold
    assert gdp_ncb.privacy(10**8, 50, epsilon=2.0, cap="none").spent == math.inf


def test_p3_without_the_cap_two_neighbours_can_be_told_apart():
    """Two arms, six rounds, a threshold of 1: the same actions are common under one script, impossible under its neighbour."""
    play = on_script(gdp_ncb.gdp_ncb)
    plan = gdp_ncb.plan(6, 2.0)._replace(cap=6, threshold=1.0)
    one, neighbour = np.array([1.0, 1.0, 0, 0, 0, 0]), np.array([1.0, 0.0, 0, 0, 0, 0])
    counts = [
        sequences(play, lambda journal, pulls: (0, 6, journal, pulls, plan), rewards, 40_000, 23)
        for rewards in (one, neighbour)
    ]
    # Both first rounds on arm 0 end Phase I under `one`; then arm 1, of which fewer was seen, comes first, for two rounds.
    other = [count[[c for c in range(64) if c >> 2 == 0]].sum() for count in counts]  # arm 0 four times
    assert other[0] == 0
    assert other[1] > 1000


# P4 and P5.


def test_p4_first_rewards_without_noise_are_not_private():
    assert adap_ucb_baseline.privacy(10**8, 50, epsilon=0.2).kept
    published = adap_ucb_baseline.privacy(10**8, 50, epsilon=0.2, variant="as_drawn")
    assert published.spent == math.inf
    assert not published.kept


@pytest.mark.parametrize("epsilon", [0.2, 2.0])
def test_p5_every_epoch_keeps_the_promise(epsilon):
    assert anytime_gdp_ncb.privacy(10**8, 50, epsilon=epsilon).kept
    assert anytime_ldp_ncb.privacy(10**8, 50, epsilon=epsilon).kept
    assert not anytime_gdp_ncb.privacy(10**8, 50, epsilon=epsilon, noise_log="ln").kept
    ends = [start + W for start, W in anytime_gdp_ncb.epochs(1000)]
    assert [start for start, _ in anytime_gdp_ncb.epochs(1000)][1:] == ends[:-1]  # nobody is in two epochs


# P6: Monte Carlo. For every sequence of actions, the odds under two neighbouring scripts differ by e^epsilon at most.


def kernels(epsilon, T):
    """Every private algorithm of the corrected reading: its kernel and the arguments after (rng, arms)."""
    frame = episodes.frame(epsilon, True, "one", "all")
    return {
        "gdp_ncb": (
            on_script(gdp_ncb.gdp_ncb),
            lambda journal, pulls: (0, T, journal, pulls, gdp_ncb.plan(T, epsilon)),
        ),
        "ldp_ncb": (
            on_script(ldp_ncb.ldp_ncb),
            lambda journal, pulls: (0, T, journal, pulls, ldp_ncb.plan(T, epsilon)),
        ),
        "ldp_ucb": (on_script(ldp_ucb.ldp_ucb), lambda journal, pulls: (T, journal, epsilon)),
        "adap_ucb": (
            on_script(adap_ucb.adap_ucb),
            lambda journal, pulls: (T, journal, frame, 3.1),
        ),
    }


@pytest.mark.parametrize("name", ["gdp_ncb", "ldp_ncb", "ldp_ucb", "adap_ucb"])
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_p6_odds_of_every_action_sequence(name, epsilon):
    T, runs = 8, 1_000_000
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
