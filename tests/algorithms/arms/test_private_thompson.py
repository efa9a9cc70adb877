"""private_thompson: by hand, beside its plain twin, and what it promises and spends."""

import numba
import numpy as np
import pytest
from plain import mishra2015
from playing import FIVE, regrets
from scipy import stats
from twins import THREE, refused, same_actions, same_law_of_thompson, short_cut_leaves_the_law, spends_and_composes

from dpbandits import algorithms
from dpbandits.algorithms.arms import private_thompson
from dpbandits.environments.arms.bernoulli import bernoulli
from dpbandits.kernels.streams import stream


@pytest.mark.parametrize(
    "given",
    [
        {"epsilon": 10.0, "explore_c": 0.0},
        {"epsilon": 20.0},
        {"epsilon": 0.1},
        {"epsilon": 5.0, "budget": "parallel", "ts_budget": "full", "explore_c": 2.0},
        {"epsilon": 5.0, "explore_c": 1.0},
    ],
    ids=str,
)
@pytest.mark.parametrize("means", [THREE, [0.2, 0.9, 0.35, 0.6]], ids=["best first", "best second"])
def test_thompson_takes_the_same_actions_as_its_twin(given, means, monkeypatch):
    monkeypatch.setattr(algorithms.find("private_thompson"), "CANDIDATES", 0.0)
    same_actions(mishra2015, 35, "private_thompson", means, 5000, 3, **given)


@pytest.mark.parametrize(
    ("given", "means"),
    [
        ({"epsilon": 100.0, "explore_c": 6.0}, FIVE),
        ({"epsilon": 30.0, "explore_c": 0.0}, FIVE),
        ({"epsilon": 50.0, "explore_c": 1.0}, FIVE),
    ],
    ids=str,
)
def test_the_short_cut_leaves_the_law_of_the_regret(given, means, monkeypatch):
    short_cut_leaves_the_law("private_thompson", means, monkeypatch, **given)


@pytest.mark.parametrize(
    ("given", "horizon"),
    [
        ({"epsilon": 20.0, "explore_c": 6.0}, 1000),
        ({"epsilon": 10.0, "explore_c": 0.0}, 1000),
    ],
    ids=str,
)
def test_law_agrees_with_a_twin_that_pulls_one_by_one(given, horizon):
    same_law_of_thompson(mishra2015, "private_thompson", horizon, **given)


@numba.njit
def first_noises(rng, scale, found):
    for i in range(found.size):
        totals = private_thompson.no_pulls(1)
        private_thompson.first_totals(rng, _ARMS, 12, totals, scale)
        found[i] = totals.released[0] - totals.s[0]
    return totals


_ARMS = bernoulli(means=[0.5, 0.4]).arms


def test_the_first_total_is_one_leaf_with_the_noise_of_one_node():
    found, scale = np.zeros(200_000), 3.0
    totals = first_noises(stream(39), scale, found)
    assert (totals.leaf[0], totals.n[0]) == (1, 12)
    assert stats.kstest(found, stats.laplace(scale=scale).cdf).pvalue > 1e-4


@pytest.mark.parametrize(
    ("given", "median"),
    [
        ({"epsilon": 2.0, "explore_c": 0.0}, 667),
        ({"epsilon": 10.0, "explore_c": 0.0}, 111),
    ],
    ids=str,
)
def test_medians_of_the_small_table(given, median):
    """Of 40 runs the table's medians are off by a tenth or so."""
    assert np.median(regrets("private_thompson", "small", 400, 20_000, **given)[:, 1]) == pytest.approx(median, rel=0.2)


def test_split_at_k_epsilon_is_parallel_at_epsilon():
    """Only eps0 matters: the same stream gives the same run."""
    for name in ("private_ucb_tuned", "private_thompson"):
        split = regrets(name, "budget", 3, 5000, epsilon=10.0)
        assert np.array_equal(split, regrets(name, "budget", 3, 5000, epsilon=2.0, budget="parallel"))
    half = regrets("private_thompson", "budget", 3, 5000, epsilon=10.0)
    assert np.array_equal(half, regrets("private_thompson", "budget", 3, 5000, epsilon=5.0, ts_budget="full"))


@pytest.mark.parametrize(
    ("given", "spent", "composed"),
    [
        ({}, 0.1, 0.5),
        ({"ts_budget": "full"}, 0.2, 1.0),
        ({"budget": "parallel", "ts_budget": "full"}, 1.0, 5.0),
    ],
    ids=str,
)
@pytest.mark.parametrize("horizon", [1000, 100_000])
def test_p2_to_p4_what_is_spent_and_what_the_paper_adds_up(given, spent, composed, horizon):
    spends_and_composes("private_thompson", horizon, spent, composed, **given)


@pytest.mark.parametrize(
    ("given", "part"),
    [
        ({"epsilon": -2}, "epsilon: -2 should be a number above 0"),
        ({"epsilon": 1, "explore_c": -0.5}, "explore_c: -0.5 should be a number of at least 0"),
        ({"epsilon": 1, "ts_budget": "whole"}, "ts_budget: 'whole' is not one of half, full"),
    ],
    ids=str,
)
def test_wrong_parameters_are_refused(given, part):
    refused("private_thompson", given, part)
