"""NCB, GDP-NCB, LDP-NCB and their anytime versions: indices by hand, Phase I, and what their ledgers say of it."""

import math
from fractions import Fraction

import numpy as np
import pytest
from playing import actions
from scipy import stats
from twins import FIFTY, THREE, for_twin

from dpbandits.algorithms.arms import anytime_ncb, gdp_ncb, ldp_ncb, ncb
from dpbandits.environments.arms._rewards import bernoulli_arms
from dpbandits.random import stream


def test_ncb_index_by_hand():
    """mu = 1/4, n = 64, c = 3, T = e^8: 1/4 + 6 sqrt(2 (1/4) 8/64) = 1.75."""
    rule = ncb.NCB(0.0, 6 * math.sqrt(2 * 8.0))
    assert rule.terms(16.0, 64) == pytest.approx(1.75)
    assert (rule.terms(0.0, 5), rule.terms(0.0, 0)) == (0.0, math.inf)


def test_gdp_ncb_index_by_hand():
    """W = 101 for T = 1e4: L = ln 101. mu = 1/4, n = 64, epsilon = 1/4."""
    L, plan = math.log(101), gdp_ncb.plan(10**4, 2, epsilon=0.25)
    want = 0.25 + 6 * math.sqrt(2 * 0.25 * L / 64) + 3.1 * L**2 / 16 + 4 * math.sqrt(6.2) * L**1.5 / 32
    assert plan.index_at(0.25, 64, 0) == pytest.approx(want)
    plan.N1[:] = 10
    assert (plan.length(0, 11, 10), plan.length(1, 18, 18)) == (2, 16)
    in_full = gdp_ncb.plan(2**20, 2, epsilon=0.25, beta="2c", index_log="horizon", noise_log="ln")
    L = 20 * math.log(2)
    want = 0.25 + 6 * math.sqrt(2 * 0.25 * L / 64) + 3.1 * L**2 / 16 + 6 * math.sqrt(6.2) * L**1.5 / 32
    assert in_full.index_at(0.25, 64, 0) == pytest.approx(want)
    assert (in_full.noise, gdp_ncb.plan(2**20, 2, epsilon=1.0).noise) == (pytest.approx(L), 20)


def test_ldp_ncb_index_by_hand():
    """T = 1e4, epsilon = 1/4, 64 reports whose sum is 16; a sum below 0 counts as a mean of 0."""
    L, ell = math.log(10**4), math.log(101)
    rest = 4 * math.sqrt(8 * 3.1 * L / 64) + 12 * 6.2**0.25 * ell**0.75 / (0.5 * 64**0.75)
    plan = ldp_ncb.plan(10**4, 2, epsilon=0.25)
    assert plan.terms(16.0, 64) == pytest.approx(0.25 + 6 * math.sqrt(2 * 0.25 * L / 64) + rest)
    assert plan.terms(-3.0, 64) == pytest.approx(rest)
    assert plan.terms(0.0, 0) == math.inf
    in_all = ldp_ncb.plan(10**4, 2, epsilon=0.25, leading_log="cap")
    rest = 4 * math.sqrt(8 * 3.1 * ell / 64) + 12 * 6.2**0.25 * ell**0.75 / (0.5 * 64**0.75)
    assert in_all.terms(16.0, 64) == pytest.approx(0.25 + 6 * math.sqrt(2 * 0.25 * ell / 64) + rest)


def test_ldp_ncb_explores_until_a_mean_is_above_its_threshold_by_hand():
    """T = 1e4, epsilon = 5, multiplier 1: the margin is 3.023/sqrt(n), the threshold 82.9 + 3.39/d. A mean report of 1.2 counts as 1:
    with n = 115, 115 (1 - 0.282) = 82.6 is below 87.6; with n = 130, 130 (1 - 0.265) = 95.5 is above 87.5."""
    plan = ldp_ncb.plan(10**4, 2, epsilon=5.0, multiplier=1.0)
    assert not plan.explored(None, 0, 1.2 * 115, 115)
    assert plan.explored(None, 0, 1.2 * 130, 130)
    assert not plan.explored(None, 0, 0.2 * 130, 130)  # below the margin


@pytest.mark.parametrize(("name", "rounds"), [("gdp_ncb", 101), ("ldp_ncb", 102)])
def test_phase_one_is_uniform_and_as_long_as_the_cap_says(name, rounds):
    """Its arms are those of the stream's uniform numbers; GDP-NCB's first episode is two pulls of the arm that was played least."""
    for run in range(5):
        chosen, rng = actions(name, stream(9, run), THREE, 10_000, epsilon=1.0), for_twin(stream(9, run))
        for a in chosen[:rounds]:
            assert a == int(3 * rng.random())
            rng.random()
            if name == "ldp_ncb":
                rng.laplace()
        least = int(np.argmin(np.bincount(chosen[:rounds], minlength=3)))
        assert name == "ldp_ncb" or chosen[rounds : rounds + 2] == [least, least]


def test_a_game_planned_for_longer_is_the_beginning_of_the_longer_game():
    for run in range(3):
        whole = actions("ncb", stream(16, run), FIFTY, 40_000)
        assert actions("ncb", stream(16, run), FIFTY, 4000, planned=10.0) == whole[:4000]
    assert actions("ncb", stream(16, 0), FIFTY, 4000) != actions("ncb", stream(16, 0), FIFTY, 4000, planned=10.0)


# What the ledger of GDP-NCB says.

HORIZONS = [*range(2, 300), *(10**k for k in range(3, 11))]


@pytest.mark.parametrize(("T", "releases"), [(10**7, 22), (10**8, 25)])
def test_p2_ln_overspends_and_log2_never_does(T, releases):
    assert gdp_ncb.max_releases(T - gdp_ncb.cap_of(T, "sqrt")) == releases
    published = gdp_ncb.privacy(T, 50, epsilon=0.2, noise_log="ln")
    assert published.spent / 0.2 == pytest.approx(releases / math.log(T))
    assert not published.kept
    assert all(gdp_ncb.privacy(horizon, 2, epsilon=0.2).kept for horizon in HORIZONS)


def test_one_release_at_the_end_of_phase_one_still_fits_log2():
    """Not with ln, and not if Phase I releases a mean at every doubling, which costs up to twice the promise."""
    assert all(gdp_ncb.privacy(horizon, 2, epsilon=0.2, private_mean="at_end").kept for horizon in HORIZONS)
    assert not gdp_ncb.privacy(10**7, 50, epsilon=0.2, private_mean="at_end", noise_log="ln").kept
    tested = gdp_ncb.privacy(10**8, 50, epsilon=2.0, cap="none", private_mean="in_test")
    assert tested.spent / 2.0 == pytest.approx((26 + 24) / math.log2(10**8))  # 2^25 pulls in Phase I, then 24 episodes
    assert gdp_ncb.privacy(10**8, 50, epsilon=2.0, cap="none", private_mean="at_end").spent == math.inf


def test_most_releases_are_those_of_the_worst_length_of_phase_one():
    """2^j pulls, or one fewer than that, of every number of pulls."""
    for T in range(2, 400):
        rule = gdp_ncb.plan(T, 2, epsilon=1.0, cap="none", private_mean="in_test")
        every = [n.bit_length() + gdp_ncb.max_releases(T - n) for n in range(1, T + 1)]
        assert sum(gdp_ncb.most_releases(T, rule)) == max(every)


def test_episodes_that_end_before_the_last_round_by_hand():
    """2 + 4 + 8 = 14 rounds: with 14 the third mean is released after the last round, and nobody acts on it."""
    assert [gdp_ncb.max_releases(rounds) for rounds in (0, 2, 3, 6, 7, 14, 15)] == [0, 0, 1, 1, 2, 2, 3]


def test_p3_the_cap_comes_before_the_threshold():
    """So that raw rewards have no say in when Phase I ends; without the cap they have."""
    for T in {round(1.05**k) for k in range(15, 475)}:
        for epsilon in (0.2, 0.5, 1.0, 2.0, 10.0):
            rule = gdp_ncb.plan(T, 2, epsilon=epsilon)
            assert rule.phase1 <= rule.threshold
    assert gdp_ncb.privacy(10**8, 50, epsilon=2.0, cap="none").spent == math.inf


@pytest.mark.parametrize(("epsilon", "spent"), [(0.2, 1.0), (1.0, 1.0), (2.0, 2.0)])
def test_p1_misplaced_noise_costs_1_in_phase_one(epsilon, spent):
    published = ldp_ncb.privacy(10**7, 50, epsilon=epsilon, phase1_noise="misplaced")
    assert published.spent == pytest.approx(spent)
    assert published.kept is (epsilon >= 1)


# The anytime versions.


def test_epochs_double_and_fill_the_game():
    assert anytime_ncb.epochs(1) == [(0, 1)]
    assert anytime_ncb.epochs(8) == [(0, 1), (1, 2), (3, 4), (7, 8)]
    ends = [start + W for start, W in anytime_ncb.epochs(1000)]
    assert [start for start, _ in anytime_ncb.epochs(1000)][1:] == ends[:-1]  # nobody is in two epochs


def test_four_thirds_of_the_epochs_are_uniform_in_expectation(monkeypatch):
    """Their number is a sum of independent bits with chances 1/W^2."""
    uniform, runs = [], 20_000
    monkeypatch.setattr(anytime_ncb, "uniform_rounds", lambda *_: uniform.append(1))
    monkeypatch.setattr(gdp_ncb, "play_game", lambda *_: None)
    for run in range(runs):
        anytime_ncb.play(stream(17, run), bernoulli_arms(np.array(THREE)), 1 << 12, None, epsilon=1.0, game="gdp_ncb")
    chances = [Fraction(1, 4**j) for j in range(13)]
    variance = sum(p * (1 - p) for p in chances)
    z = (len(uniform) - runs * sum(chances)) / math.sqrt(runs * variance)
    assert abs(z) < stats.norm.isf(1e-4)
    assert float(sum(chances)) == pytest.approx(4 / 3, abs=1e-7)


@pytest.mark.parametrize("epsilon", [0.2, 2.0])
def test_p5_every_epoch_keeps_the_promise(epsilon):
    """And with ln the worst one does not."""
    for game in ("gdp_ncb", "ldp_ncb"):
        account = anytime_ncb.privacy(10**8, 50, epsilon=epsilon, game=game)
        assert account.kept
        assert (account.epsilon, account.trust) == (epsilon, "central" if game == "gdp_ncb" else "local")
    spent = [gdp_ncb.privacy(W, 50, epsilon=epsilon).spent for _, W in anytime_ncb.epochs(10**8)]
    assert anytime_ncb.privacy(10**8, 50, epsilon=epsilon, game="gdp_ncb").spent == max(spent)
    with_ln = [gdp_ncb.privacy(W, 50, epsilon=epsilon, noise_log="ln").kept for _, W in anytime_ncb.epochs(10**8)]
    assert not all(with_ln)
