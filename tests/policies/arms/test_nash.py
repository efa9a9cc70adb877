"""The ledger of GDP-NCB: Phase I, episodes and epochs."""

import math

import pytest

from dpbandits.drivers.nash_phases import cap_of
from dpbandits.errors import InputError
from dpbandits.policies import GDPNCB, NCB, AnytimeNCB
from dpbandits.policies.arms import anytime_ncb, gdp_ncb

HORIZONS = [*range(2, 300), *(10**k for k in range(3, 11))]


def spent(horizon, epsilon=0.2, **parameters):
    """The share of its promise that GDP-NCB spends on 50 arms."""
    return GDPNCB(epsilon=epsilon, **parameters).privacy(horizon, 50).spent / epsilon


@pytest.mark.parametrize(
    ("horizon", "parameters", "share"),
    [
        # P2: ln overspends.
        (10**7, {"noise_log": "ln"}, 22 / math.log(10**7)),
        (10**8, {"noise_log": "ln"}, 25 / math.log(10**8)),
        (10**7, {"private_mean": "at_end"}, 23 / math.log2(10**7)),
        (10**7, {"private_mean": "at_end", "noise_log": "ln"}, 23 / math.log(10**7)),
        # 2^25 pulls in Phase I, then 24 episodes.
        (10**8, {"cap": "none", "private_mean": "in_test"}, (26 + 24) / math.log2(10**8)),
        # Without a cap, raw rewards decide when Phase I ends.
        (10**8, {"cap": "none", "private_mean": "at_end"}, math.inf),
        (10**8, {"cap": "none"}, math.inf),
    ],
)
def test_what_gdp_ncb_spends(horizon, parameters, share):
    assert spent(horizon, 2.0, **parameters) == pytest.approx(share)


@pytest.mark.parametrize("private_mean", ["none", "at_end"])
def test_p2_log2_never_overspends(private_mean):
    """Not even with one more release, at the end of Phase I."""
    assert max(spent(T, private_mean=private_mean) for T in HORIZONS) <= 1 + 1e-9


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
    """So raw rewards do not decide when Phase I ends."""
    for T in {round(1.05**k) for k in range(15, 475)}:
        for epsilon in (0.2, 0.5, 1.0, 2.0, 10.0):
            policy = GDPNCB(epsilon=epsilon).compiled(T, 2)
            assert cap_of(T, "sqrt") == policy.longest_phase1 <= policy.threshold


def test_p5_epochs_share_no_user_and_each_keeps_the_promise():
    """They double and fill the game. With ln the worst one would not keep it."""
    assert anytime_ncb.epochs(1) == [(0, 1)]
    assert anytime_ncb.epochs(8) == [(0, 1), (1, 2), (3, 4), (7, 8)]
    lengths = [W for _, W in anytime_ncb.epochs(10**8)]
    of_all = AnytimeNCB(epsilon=0.2, game="gdp_ncb").privacy(10**8, 50)
    assert of_all.spent / 0.2 == max(map(spent, lengths)) <= 1
    assert max(spent(W, noise_log="ln") for W in lengths) > 1


def test_a_game_planned_for_less_than_one_round_is_refused():
    NCB(planned=0.5).check(2, 2)
    with pytest.raises(InputError, match=r"^planned: 0.25 times 2 rounds is less than one round"):
        NCB(planned=0.25).check(2, 2)
