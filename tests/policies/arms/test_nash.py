"""What the ledgers of GDP-NCB and LDP-NCB say of Phase I, of episodes and of epochs (twins: test_every_algorithm.py)."""

import math
from fractions import Fraction

import numpy as np
import pytest
from playing import THREE
from scipy import stats

from dpbandits.bandits.rewards import Arms
from dpbandits.policies.arms import anytime_ncb, gdp_ncb, ldp_ncb
from dpbandits.random import stream

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
    assert all(
        gdp_ncb.privacy(horizon, 2, epsilon=0.2, private_mean="at_end").kept for horizon in HORIZONS
    )
    assert not gdp_ncb.privacy(10**7, 50, epsilon=0.2, private_mean="at_end", noise_log="ln").kept
    tested = gdp_ncb.privacy(10**8, 50, epsilon=2.0, cap="none", private_mean="in_test")
    assert tested.spent / 2.0 == pytest.approx(
        (26 + 24) / math.log2(10**8)
    )  # 2^25 pulls in Phase I, then 24 episodes
    assert (
        gdp_ncb.privacy(10**8, 50, epsilon=2.0, cap="none", private_mean="at_end").spent == math.inf
    )


def test_most_releases_are_those_of_the_worst_length_of_phase_one():
    """2^j pulls, or one fewer than that, of every number of pulls."""
    for T in range(2, 400):
        rule = gdp_ncb.plan(T, 2, epsilon=1.0, cap="none", private_mean="in_test")
        every = [n.bit_length() + gdp_ncb.max_releases(T - n) for n in range(1, T + 1)]
        assert sum(gdp_ncb.most_releases(T, rule)) == max(every)


def test_episodes_that_end_before_the_last_round_by_hand():
    """2 + 4 + 8 = 14 rounds: with 14 the third mean is released after the last round, and nobody acts on it."""
    assert [gdp_ncb.max_releases(rounds) for rounds in (0, 2, 3, 6, 7, 14, 15)] == [
        0,
        0,
        1,
        1,
        2,
        2,
        3,
    ]


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
    assert [start for start, _ in anytime_ncb.epochs(1000)][1:] == ends[
        :-1
    ]  # nobody is in two epochs


def test_four_thirds_of_the_epochs_are_uniform_in_expectation(monkeypatch):
    """Their number is a sum of independent bits with chances 1/W^2."""
    uniform, runs = [], 20_000
    monkeypatch.setattr(anytime_ncb, "uniform_rounds", lambda *_: uniform.append(1))
    monkeypatch.setattr(gdp_ncb, "play_game", lambda *_: None)
    for run in range(runs):
        anytime_ncb.play(
            stream(17, run), Arms(np.array(THREE)), 1 << 12, None, epsilon=1.0, game="gdp_ncb"
        )
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
        assert (account.epsilon, account.trust) == (
            epsilon,
            "central" if game == "gdp_ncb" else "local",
        )
    spent = [gdp_ncb.privacy(W, 50, epsilon=epsilon).spent for _, W in anytime_ncb.epochs(10**8)]
    assert anytime_ncb.privacy(10**8, 50, epsilon=epsilon, game="gdp_ncb").spent == max(spent)
    with_ln = [
        gdp_ncb.privacy(W, 50, epsilon=epsilon, noise_log="ln").kept
        for _, W in anytime_ncb.epochs(10**8)
    ]
    assert not all(with_ln)
