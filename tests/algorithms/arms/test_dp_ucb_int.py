"""DP-UCB-INT: its schedule, the corollaries behind it, and its ledger, by hand and against the paper's formulas."""

import math

import numpy as np
import pytest
from plain import tossou2016
from scipy.special import zeta

from dpbandits.algorithms.arms import dp_ucb_int
from dpbandits.errors import InputError

DELTA = math.exp(-10)


def closed_form_epsilon(epsilon, delta, v, t):
    """Corollary 3.1: both branches of epsilon' after t rounds; the smaller one is guaranteed."""
    z = float(zeta(v))
    pure = epsilon * (t ** (1 - v / 2) - v / 2) / (1 - v / 2)
    return pure, 2 * epsilon * z + math.sqrt(2 * epsilon * z * math.log(1 / delta))


@pytest.mark.parametrize(
    ("epsilon", "schedule", "part"),
    [
        (1e-3, "series_y", "K W_1 = 2 x at least 100000"),  # at once, though W_1 is above a million
        (1e-3, "simple", "K W_1 = 2 x at least 100000"),
        (1e-200, "series_x", r"is 0, .* numbers in \(0, 1\]; write a larger epsilon"),
        (50.0, "series_y", r"numbers in \(0, 1\]; write a smaller epsilon"),
    ],
)
def test_an_epsilon_for_which_the_game_is_too_short_is_refused(epsilon, schedule, part):
    given = {"epsilon": epsilon, "delta": DELTA, "v": 1.1, "schedule": schedule}
    with pytest.raises(InputError, match=part):
        dp_ucb_int.check(100_000, 2, may_stay_in_round_robin=False, **given)


@pytest.mark.parametrize(("target", "expected", "reciprocal"), [(0.1, 4.631731e-5, 21591), (1.0, 3.964317e-3, 253)])
def test_corollary_3_2(target, expected, reciprocal):
    epsilon = dp_ucb_int.input_epsilon(target, DELTA, 1.1)
    assert epsilon == pytest.approx(expected, rel=1e-6)
    assert math.ceil(1 / epsilon) == reciprocal
    assert closed_form_epsilon(epsilon, DELTA, 1.1, 10**5)[1] == pytest.approx(target, rel=1e-12)


@pytest.mark.parametrize(
    ("target", "schedule", "counts"),
    [
        (0.1, "series_y", [1751, 10814, 24866, 41361, 59184]),
        (1.0, "series_y", [46, 177, 354, 554, 767]),
        (0.1, "series_x", [9834, 26777, 45603, 65252, 85354]),
        (1.0, "series_x", [124, 324, 545, 776, 1012]),
        (1.0, "simple", [253, 506, 759, 1012, 1265]),
    ],
)
def test_update_counts(target, schedule, counts):
    epsilon = dp_ucb_int.input_epsilon(target, DELTA, 1.1)
    found = dp_ucb_int.update_counts(schedule, epsilon, 1.1, 100_000)
    assert found[:5].tolist() == counts
    assert np.diff(found, prepend=0).max() <= math.ceil(1 / epsilon)
    for most in (math.inf, 40):
        assert dp_ucb_int.first_update(schedule, epsilon, 1.1, most) == min(counts[0], most)
    assert found.tolist() == tossou2016.update_counts(epsilon, 1.1, schedule, 100_000)


@pytest.mark.parametrize(
    ("target", "schedule", "basic", "advanced"),
    [
        (0.1, "series_y", 0.0354, 0.0832),
        (1.0, "series_y", 1.676, 0.795),
        (0.1, "simple", 0.0111, 0.0261),
        (1.0, "simple", 1.482, 0.493),
    ],
)
def test_p4_interval(target, schedule, basic, advanced):
    given = {"epsilon": target, "delta": DELTA, "v": 1.1, "schedule": schedule}
    account = dp_ucb_int.privacy(100_000, 2, **given)
    ledger = account.ledger
    assert ledger.basic() == pytest.approx(basic, rel=5e-3)
    assert ledger.concentrated(DELTA) <= advanced * 1.005  # below the composition of Dwork, Rothblum & Vadhan
    assert ledger.rho() == pytest.approx(sum(release.loss**2 for release in ledger.releases) / 2)
    assert account.spent == min(ledger.basic(), ledger.concentrated(DELTA))
    assert account.kept


def test_p5_the_closed_form_covers_simple_and_series_x():
    for target in (0.1, 1.0):
        epsilon = dp_ucb_int.input_epsilon(target, DELTA, 1.1)
        first_term = closed_form_epsilon(epsilon, DELTA, 1.1, 100_000)[0]
        for schedule in ("simple", "series_x"):
            given = {"epsilon": target, "delta": DELTA, "v": 1.1, "schedule": schedule}
            assert dp_ucb_int.privacy(100_000, 2, **given).ledger.basic() <= first_term


def test_p6_inversion_is_exact():
    for target in (0.01, 0.1, 1.0, 3.0):
        for v in (1.05, 1.1, 1.5):
            epsilon = dp_ucb_int.input_epsilon(target, DELTA, v)
            assert closed_form_epsilon(epsilon, DELTA, v, 10)[1] == pytest.approx(target, rel=1e-9)
