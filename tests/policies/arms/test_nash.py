"""The ledgers of GDP-NCB and LDP-NCB: Phase I, episodes and epochs."""

import math

import pytest

from dpbandits.drivers.nash_phases import cap_of
from dpbandits.policies import GDPNCB, LDPNCB, AnytimeNCB
from dpbandits.policies.arms import anytime_ncb, gdp_ncb

HORIZONS = [*range(2, 300), *(10**k for k in range(3, 11))]


def account(horizon, epsilon=0.2, **parameters):
    """The account of GDP-NCB on 50 arms."""
    return GDPNCB(epsilon=epsilon, **parameters).privacy(horizon, 50)


@pytest.mark.parametrize(("T", "releases"), [(10**7, 22), (10**8, 25)])
def test_p2_ln_overspends_and_log2_never_does(T, releases):
    assert gdp_ncb.max_releases(T - cap_of(T, "sqrt")) == releases
    published = account(T, noise_log="ln")
    assert published.spent / 0.2 == pytest.approx(releases / math.log(T))
    assert not published.kept()
    assert all(account(horizon).kept() for horizon in HORIZONS)


def test_one_release_at_the_end_of_phase_one_still_fits_log2():
    """Not with ln, and not if Phase I releases a mean at every doubling.

    That costs up to twice the promise.
    """
    assert all(account(horizon, private_mean="at_end").kept() for horizon in HORIZONS)
    assert not account(10**7, private_mean="at_end", noise_log="ln").kept()
    tested = account(10**8, 2.0, cap="none", private_mean="in_test")
    # 2^25 pulls in Phase I, then 24 episodes.
    assert tested.spent / 2.0 == pytest.approx((26 + 24) / math.log2(10**8))
    assert account(10**8, 2.0, cap="none", private_mean="at_end").spent == math.inf


def test_most_releases_are_those_of_the_worst_length_of_phase_one():
    """It is 2^j pulls or one fewer, and not another number."""
    policy = GDPNCB(epsilon=1.0, cap="none", private_mean="in_test")
    for T in range(2, 400):
        compiled = policy.compiled(T, 2)
        every = [n.bit_length() + gdp_ncb.max_releases(T - n) for n in range(1, T + 1)]
        assert sum(gdp_ncb.most_releases(T, compiled)) == max(every)


def test_episodes_that_end_before_the_last_round_by_hand():
    """2 + 4 + 8 = 14 rounds: with 14 the third mean is released after the last round.

    Nobody acts on it.
    """
    releases = [gdp_ncb.max_releases(rounds) for rounds in (0, 2, 3, 6, 7, 14, 15)]
    assert releases == [0, 0, 1, 1, 2, 2, 3]


def test_p3_the_cap_comes_before_the_threshold():
    """With the cap, raw rewards do not decide when Phase I ends. Without it they do."""
    for T in {round(1.05**k) for k in range(15, 475)}:
        for epsilon in (0.2, 0.5, 1.0, 2.0, 10.0):
            policy = GDPNCB(epsilon=epsilon).compiled(T, 2)
            assert policy.longest_phase1 <= policy.threshold
    assert account(10**8, 2.0, cap="none").spent == math.inf


@pytest.mark.parametrize(("epsilon", "spent"), [(0.2, 1.0), (1.0, 1.0), (2.0, 2.0)])
def test_p1_misplaced_noise_costs_1_in_phase_one(epsilon, spent):
    published = LDPNCB(epsilon=epsilon, phase1_noise="misplaced").privacy(10**7, 50)
    assert published.spent == pytest.approx(spent)
    assert published.kept() is (epsilon >= 1)


# The anytime versions.


def test_epochs_double_and_fill_the_game():
    assert anytime_ncb.epochs(1) == [(0, 1)]
    assert anytime_ncb.epochs(8) == [(0, 1), (1, 2), (3, 4), (7, 8)]
    ends = [start + W for start, W in anytime_ncb.epochs(1000)]
    # Nobody is in two epochs.
    assert [start for start, _ in anytime_ncb.epochs(1000)][1:] == ends[:-1]


@pytest.mark.parametrize("epsilon", [0.2, 2.0])
def test_p5_every_epoch_keeps_the_promise(epsilon):
    """And with ln the worst one does not."""
    for game, trust in (("gdp_ncb", "central"), ("ldp_ncb", "local")):
        of_all = AnytimeNCB(epsilon=epsilon, game=game).privacy(10**8, 50)
        assert (of_all.kept(), of_all.epsilon, of_all.trust) == (True, epsilon, trust)
    lengths = [W for _, W in anytime_ncb.epochs(10**8)]
    of_all = AnytimeNCB(epsilon=epsilon, game="gdp_ncb").privacy(10**8, 50)
    assert of_all.spent == max(account(W, epsilon).spent for W in lengths)
    assert not all(account(W, epsilon, noise_log="ln").kept() for W in lengths)
