"""Lower bounds on epsilon: the intervals, the choice of events on one half, and what the bound is worth."""

import math

import numpy as np
import pytest
from scipy.stats import binomtest

from dpbandits.audit import estimation
from dpbandits.kernels.streams import stream

ALPHA = 1e-3
UNKNOWN = estimation.Loss(math.inf, 0.0)  # no tape


def samples(*values):
    """What is published on either input, without a tape."""
    return [estimation.Sample(each, None) for each in values]


def responses(epsilon, truth, users, rng):
    """Randomised response: the true bit with probability e^epsilon/(1 + e^epsilon)."""
    return np.where(rng.random(users) < 1 / (1 + math.exp(-epsilon)), truth, 1 - truth)


def test_the_intervals_are_those_of_clopper_and_pearson():
    least = binomtest(812, 1000).proportion_ci(1 - ALPHA, "exact").low
    most = binomtest(300, 1000).proportion_ci(1 - ALPHA, "exact").high
    assert estimation.bounds(812, 300, 1000, ALPHA, 0.0) == pytest.approx(math.log(least / most), rel=1e-9)
    assert estimation.bounds(812, 300, 1000, ALPHA, 0.2) == pytest.approx(math.log((least - 0.2) / most), rel=1e-9)
    assert estimation.bounds(0, 0, 1000, ALPHA, 0.0) == 0.0  # an event that never happened shows nothing


@pytest.mark.parametrize("epsilon", [0.1, 0.2, 1.0, 2.0])
def test_randomised_response_is_measured_within_a_tenth(epsilon):
    users = 2 * (8_000 if epsilon >= 1 else math.ceil(8_000 / epsilon**2))
    rng = stream(1, "responses", str(epsilon))
    bound, _ = estimation.bound_of(
        estimation.best_set, *samples(*(responses(epsilon, bit, users, rng) for bit in (1, 0))), ALPHA, UNKNOWN
    )
    assert 0.9 * epsilon <= bound.epsilon <= epsilon


def test_a_bound_is_too_large_as_rarely_as_it_says():
    """With alpha = 0.2 each of 2,000 bounds on an exact epsilon = 1 may be too large with probability 0.2 at most; as both
    sides must err together, it is rarer."""
    rng = stream(2, "responses")
    hits = rng.binomial(400, 1 / (1 + math.exp(-1.0)), 2000)
    other = rng.binomial(400, 1 / (1 + math.exp(1.0)), 2000)
    found = estimation.bounds(hits, other, 400, 0.2, 0.0)
    assert 0 < (found > 1.0).mean() < 0.2


@pytest.mark.parametrize("games", [50, 9_000])
def test_no_event_shows_more_than_one_that_is_just_seen(games):
    """A bound is at most ln((p - delta)/q) with a q that is never below what is unseen: so `exact` supposes."""
    unseen = estimation.unseen(games, ALPHA)
    assert unseen == pytest.approx(binomtest(0, games).proportion_ci(1 - ALPHA, "exact").high)
    hits = np.arange(games + 1)
    for other in range(0, games, games // 10):
        assert (estimation.bounds(hits, np.full_like(hits, other), games, ALPHA, 0.0) <= -math.log(unseen)).all()


def test_equal_laws_show_no_loss_however_many_values_there_are():
    """Each value appears about once: the best of them on some games say nothing about others, neither where the event is chosen
    nor where it is measured."""
    rng = stream(3, "equal")
    ours, theirs = rng.integers(0, 20_000, (2, 20_000))
    both = samples(ours, theirs)
    first, second = ours[::2], theirs[::2]
    own, other = (np.isin(each, np.setdiff1d(first, second)).sum() for each in (first, second))
    assert estimation.bounds(own, other, first.size, 0.5, 0.0) > 5  # the values of one input alone, in the same games
    assert estimation.best_set(*both, 0.5, UNKNOWN, ours.size).score < 0.1
    assert estimation.bound_of(estimation.best_set, *both, 0.5, UNKNOWN)[0].epsilon < 0.1


def test_an_infinite_log_ratio_is_an_event():
    both = samples(np.full(1000, np.inf), np.full(1000, -np.inf))
    bound, level = estimation.bound_of(estimation.best_level, *both, ALPHA, UNKNOWN)
    assert level == np.inf
    assert bound.hits == (750, 0)


def test_what_a_number_of_games_resolves():
    """For events of probability 1/2 the interval of ln p has the half-width 3.29/sqrt(n) at 99.9%, and there are two:
    (2 * 3.29/0.1)^2/epsilon^2 games on either side are enough for nine tenths of a small epsilon."""
    assert estimation.resolvable(0.1, 433_000, ALPHA, 0.0) == pytest.approx(0.09, abs=0.001)
    assert estimation.resolvable(0.1, 1_000, ALPHA, 0.0) == 0.0


# ---- by the tape


def laplace_games(shift, games, rng):
    """Whether a sum with noise of scale 1 is above 1, for a sum that is `shift` or 0, and the log-ratio of the noise."""
    noise = rng.laplace(size=games)
    other = noise - 1 if shift == 0 else noise + 1
    return estimation.Sample((shift + noise > 1).astype(np.int64), np.abs(other) - np.abs(noise))


def test_the_bound_by_the_tape_is_below_the_loss_and_near_it():
    """P(X > 0)/P(X > 1) = e: the loss is 1. Every game in the event has the ratio e, so that few games show it."""
    rng, loss = stream(4, "tape"), estimation.Loss(1.0, 0.0)
    ours, theirs = (laplace_games(shift, 4000, rng) for shift in (1, 0))
    bound, event = estimation.bound_of(estimation.best_set, ours, theirs, ALPHA, loss)
    assert event.tolist() == [1]
    assert 0.9 < bound.tape <= 1.0
    assert bound.epsilon < bound.tape
    assert bound.disagreement < 4


def test_a_bound_by_the_tape_is_too_large_as_rarely_as_it_says():
    """q/p = E[e^-L | E] of the event that a sum is above a half: the loss is ln(P(X > -1/2)/P(X > 1/2)) = ln(2 e^0.5 - 1)."""
    rng, truth = stream(5, "tape"), math.exp(-math.log(2 * math.exp(0.5) - 1))
    wrong = 0
    for _ in range(500):
        noise = rng.laplace(size=200)
        weights = np.exp(np.abs(noise) - np.abs(noise + 1))[noise > -0.5]
        share = estimation.largest_share(weights.size, weights.sum(), (weights**2).sum(), 0.2, 1.0)
        wrong += share < truth
        assert weights.mean() == pytest.approx(truth, abs=0.5)
    assert wrong <= 100


def test_rare_games_of_large_weight_are_no_disagreement():
    """A loss of 5 in a mechanism that is as declared: of the games of the other input few are seen under this one."""
    rng = stream(7, "tape")
    for _ in range(20):
        noise = rng.laplace(size=(2, 9000))
        ours = estimation.Sample((5 + noise[0] > 2.5).astype(np.int64), np.abs(noise[0] + 5) - np.abs(noise[0]))
        theirs = estimation.Sample((noise[1] > 2.5).astype(np.int64), None)
        found = estimation.disagreement(ours, theirs, np.exp(-ours.ratios), 5.0)
        assert not found > 4


def test_rare_values_are_no_evidence_against_the_tape():
    """Each value is in about one game, of one input or the other, so that the counts alone seem to show much."""
    rng = stream(8, "rare")
    ours, theirs = (laplace_games(shift, 1000, rng) for shift in (1, 0))
    ours, theirs = (each._replace(values=each.values + 2 * rng.integers(0, 10_000, 1000)) for each in (ours, theirs))
    choice = estimation.best_set(ours, theirs, ALPHA, estimation.Loss(1.0, 0.0), 100_000)
    assert choice.guess <= 1


def test_counts_that_no_tape_explains_disagree_with_it():
    """The sum is published without its noise: the tape says that a game loses 1 at most."""
    rng = stream(6, "tape")
    games = {shift: laplace_games(shift, 4000, rng)._replace(values=np.full(4000, shift)) for shift in (0, 1)}
    bound, _ = estimation.bound_of(estimation.best_set, games[1], games[0], ALPHA, estimation.Loss(1.0, 0.0))
    assert bound.epsilon > 2
    assert bound.disagreement > 20
