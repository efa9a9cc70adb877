"""DP-UCB-INT: its schedule, the corollaries behind it, and its ledger, by hand and against the paper's formulas."""

import math
import typing

import numpy as np
import pytest
from plain import tossou2016
from scipy.special import zeta

from dpbandits.errors import InputError
from dpbandits.policies.arms import dp_ucb_int

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


@pytest.mark.parametrize("schedule", typing.get_args(dp_ucb_int.Schedule))
@pytest.mark.parametrize("target", [0.1, 1.0])
def test_the_ledger_has_the_mean_of_every_update_count(target, schedule):
    """The mean of n rewards costs (1/n)/n^(v/2 - 1). P5: the first term of Corollary 3.1 covers all schedules but series_y."""
    inside = dp_ucb_int.input_epsilon(target, DELTA, 1.1)
    counts = np.array(tossou2016.update_counts(inside, 1.1, schedule, 100_000))
    assert dp_ucb_int.update_counts(schedule, inside, 1.1, 100_000).tolist() == counts.tolist()
    for most in (math.inf, 40):
        assert dp_ucb_int.first_update(schedule, inside, 1.1, most) == min(counts[0], most)
    account = dp_ucb_int.privacy(100_000, 2, epsilon=target, delta=DELTA, v=1.1, schedule=schedule)
    losses = counts ** (-1.1 / 2)
    assert account.ledger.basic() == pytest.approx(losses.sum())
    assert account.ledger.rho() == pytest.approx((losses**2).sum() / 2)
    assert account.spent == min(account.ledger.basic(), account.ledger.concentrated(DELTA))
    assert account.kept
    assert (
        schedule == "series_y"
        or losses.sum() <= closed_form_epsilon(inside, DELTA, 1.1, 100_000)[0]
    )


@pytest.mark.parametrize("target", [0.01, 0.1, 1.0, 3.0])
def test_p6_inversion_is_exact(target):
    for v in (1.05, 1.1, 1.5):
        epsilon = dp_ucb_int.input_epsilon(target, DELTA, v)
        assert closed_form_epsilon(epsilon, DELTA, v, 10)[1] == pytest.approx(target, rel=1e-9)
