"""Lower bounds on epsilon: the intervals and the choice of events."""

import math

import numpy as np
import pytest
from scipy.stats import binomtest

from dpbandits.audit.clopper_pearson import Event, best_event, log_bounds

ALPHA = 1e-3
RNG = np.random.default_rng(1)


def test_the_intervals_are_those_of_clopper_and_pearson():
    least = binomtest(812, 1000).proportion_ci(1 - ALPHA, "exact").low
    most = binomtest(300, 1000).proportion_ci(1 - ALPHA, "exact").high
    for delta in (0.0, 0.2):
        bound = log_bounds(812, 300, 1000, ALPHA, delta)
        assert bound == pytest.approx(math.log((least - delta) / most), rel=1e-9)
    # An event that never happened shows nothing.
    assert log_bounds(0, 0, 1000, ALPHA, 0.0) == -math.inf
    assert log_bounds(1000, 1000, 1000, ALPHA, 0.0) < 0


def test_the_set_holds_the_codes_with_the_largest_ratios_of_frequencies():
    """Codes 7, 2 and 9 are more frequent on one input, by factors of e, e^2 and 1.1."""
    shares = np.array([0.1, 0.05, 0.22]), np.array([0.1 / math.e, 0.05 / math.e**2, 0.2])
    codes = np.array([7, 2, 9, 4], np.uint64)
    ours, theirs = (RNG.choice(codes, 20_000, p=[*each, 1 - each.sum()]) for each in shares)
    score, event = best_event(ours, theirs, 0.0)
    assert event.values.tolist() in ([2], [2, 7])
    assert 0.9 < score < 2.1
    assert event.count(np.array([2, 2, 9, 4], np.uint64)) == 2
    assert str(Event(np.arange(5))) == "5 sequences of actions"


@pytest.mark.parametrize(("shift", "sign"), [(1.0, 1), (-1.0, -1)])
def test_a_level_is_one_beyond_which_the_odds_are_those_of_the_noise(shift, sign):
    """Beyond both locations the ratio of two Laplace densities is e, and every level shows it."""
    ours, theirs = RNG.laplace(shift, size=40_000), RNG.laplace(0.0, size=40_000)
    score, event = best_event(ours, theirs, 0.0)
    assert (event.sign, event.count(np.array([9.0, -9.0]))) == (sign, 1)
    assert 0.9 < score < 1.05
    assert str(event) == f"a report of at {'least' if sign > 0 else 'most'} {event.values[0]:.4g}"


def test_equal_distributions_show_no_loss_however_many_codes_there_are():
    """Each code appears about once: those of one input alone say nothing about other games."""
    ours, theirs = RNG.integers(0, 20_000, (2, 20_000), np.uint64)
    score, event = best_event(ours[:10_000], theirs[:10_000], 0.0)
    alone = Event(np.setdiff1d(ours[:10_000], theirs[:10_000]))
    hits = alone.count(ours[:10_000]), alone.count(theirs[:10_000])
    assert log_bounds(*hits, 10_000, 0.5, 0.0) > 5  # chosen and counted on the same games
    assert score < 0.1
    assert (
        log_bounds(event.count(ours[10_000:]), event.count(theirs[10_000:]), 10_000, 0.5, 0.0) < 0.1
    )
