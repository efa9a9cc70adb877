"""DP-UCB-INT: its schedule, the corollaries behind it, and its ledger."""

import itertools
import math
import tracemalloc
import typing

import numpy as np
import pytest
from plain import tossou2016

from dpbandits.errors import InputError
from dpbandits.policies import DPUCBInt
from dpbandits.policies.arms.dp_ucb_int import Schedule

SCHEDULES = pytest.mark.parametrize("schedule", typing.get_args(Schedule))


@pytest.mark.parametrize(
    ("epsilon", "schedule", "message"),
    [
        (1e-3, "series_y", "K W_1 = 2 x at least 100000"),  # at once, though W_1 is above a million
        (1e-3, "simple", "K W_1 = 2 x at least 100000"),
        (1e-200, "series_x", r"is 0, .* numbers in \(0, 1\]; write a larger epsilon"),
        (50.0, "series_y", r"numbers in \(0, 1\]; write a smaller epsilon"),
    ],
)
def test_an_epsilon_for_which_the_game_is_too_short_is_refused(epsilon, schedule, message):
    with pytest.raises(InputError, match=message):
        DPUCBInt(epsilon=epsilon, schedule=schedule).check(100_000, 2)


@SCHEDULES
def test_the_first_update_count_is_the_first_of_all(schedule):
    for epsilon, v, limit in itertools.product(
        np.geomspace(0.03, 2, 9), (1.01, 1.1, 1.5), (math.inf, 10**5, 40)
    ):
        policy = DPUCBInt(epsilon=epsilon, v=v, schedule=schedule)
        most = math.ceil(min(1 / policy.input_epsilon, limit))
        counts = policy.update_counts(most)
        assert policy.first_update(limit) == (counts[0] if counts.size else most)


def test_the_first_update_count_needs_no_memory():
    """It is above four millions here."""
    tracemalloc.start()
    assert DPUCBInt(epsilon=1e-3).first_update() > 4_000_000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4_000_000


@SCHEDULES
@pytest.mark.parametrize("target", [0.1, 1.0])
def test_the_ledger_has_the_mean_of_every_update_count(target, schedule):
    """The mean of n rewards costs (1/n)/n^(v/2 - 1).

    P5: the first term of Corollary 3.1 covers all schedules but series_y.
    """
    policy = DPUCBInt(epsilon=target, schedule=schedule)
    inside = policy.input_epsilon
    counts = np.array(tossou2016.update_counts(inside, 1.1, schedule, 100_000))
    assert policy.update_counts(100_000).tolist() == counts.tolist()
    account, losses = policy.privacy(100_000, 2), counts ** (-1.1 / 2)
    assert account.ledger.spent() == pytest.approx(losses.sum())
    assert account.ledger.rho() == pytest.approx((losses**2).sum() / 2)
    assert account.kept()
    pure = inside * (100_000 ** (1 - 1.1 / 2) - 1.1 / 2) / (1 - 1.1 / 2)
    assert schedule == "series_y" or losses.sum() <= pure
