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
from dpbandits.algorithms.arms._posterior import no_pulls
from dpbandits.environments.arms.bernoulli import bernoulli
from dpbandits.randomness import stream


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("private_thompson", {"epsilon": 10.0, "explore_c": 0.0}),
        ("private_thompson", {"epsilon": 20.0}),
        ("private_thompson", {"epsilon": 0.1}),
        ("private_thompson", {"epsilon": 5.0, "budget": "parallel", "ts_budget": "full", "explore_c": 2.0}),
        ("private_thompson", {"epsilon": 5.0, "explore_c": 1.0}),
    ],
    ids=str,
)
@pytest.mark.parametrize("means", [THREE, [0.2, 0.9, 0.35, 0.6]], ids=["best first", "best second"])
def test_thompson_takes_the_same_actions_as_its_twin(name, given, means, monkeypatch):
    monkeypatch.setattr(algorithms.find(name), "CANDIDATES", 0.0)
    same_actions(mishra2015, 35, name, means, 5000, 3, **given)


@pytest.mark.parametrize(
    ("name", "given", "means"),
    [
        ("private_thompson", {"epsilon": 100.0, "explore_c": 6.0}, FIVE),
        ("private_thompson", {"epsilon": 30.0, "explore_c": 0.0}, FIVE),
        ("private_thompson", {"epsilon": 50.0, "explore_c": 1.0}, FIVE),
    ],
    ids=str,
)
def test_the_short_cut_leaves_the_law_of_the_regret(name, given, means, monkeypatch):
    short_cut_leaves_the_law(name, means, monkeypatch, **given)


@pytest.mark.parametrize(
    ("name", "given", "horizon"),
    [
        ("private_thompson", {"epsilon": 20.0, "explore_c": 6.0}, 1000),
        ("private_thompson", {"epsilon": 10.0, "explore_c": 0.0}, 1000),
    ],
    ids=str,
)
def test_law_agrees_with_a_twin_that_pulls_one_by_one(name, given, horizon):
    same_law_of_thompson(mishra2015, name, horizon, **given)


@numba.njit
def first_noises(rng, scale, found):
    totals = no_pulls(1)
    for i in range(found.size):
        private_thompson.first_totals(rng, _ARMS, 12, totals, scale)
        found[i] = totals.noise[0]
    return totals


_ARMS = bernoulli(means=[0.5, 0.4]).arms


def test_the_first_total_is_one_leaf_with_the_noise_of_one_node():
    found, scale = np.zeros(200_000), 3.0
    totals = first_noises(stream(39), scale, found)
    assert (totals.leaf[0], totals.n[0]) == (1, 12)
    assert stats.kstest(found, stats.laplace(scale=scale).cdf).pvalue > 1e-4


@pytest.mark.parametrize(
    ("name", "given", "median"),
    [
        ("private_thompson", {"epsilon": 2.0, "explore_c": 0.0}, 667),
        ("private_thompson", {"epsilon": 10.0, "explore_c": 0.0}, 111),
    ],
    ids=str,
)
def test_medians_of_the_small_table(name, given, median):
    """Of 40 runs the table's medians are off by a tenth or so."""
    assert np.median(regrets(name, "small", 400, 20_000, **given)[:, 1]) == pytest.approx(median, rel=0.2)


def test_split_at_k_epsilon_is_parallel_at_epsilon():
    """Only eps0 matters: the same stream gives the same run."""
    for name in ("private_ucb_tuned", "private_thompson"):
        split = regrets(name, "budget", 3, 5000, epsilon=10.0)
        assert np.array_equal(split, regrets(name, "budget", 3, 5000, epsilon=2.0, budget="parallel"))
    half = regrets("private_thompson", "budget", 3, 5000, epsilon=10.0)
    assert np.array_equal(half, regrets("private_thompson", "budget", 3, 5000, epsilon=5.0, ts_budget="full"))


@pytest.mark.parametrize(
    ("name", "given", "spent", "composed"),
    [
        ("private_thompson", {}, 0.1, 0.5),
        ("private_thompson", {"ts_budget": "full"}, 0.2, 1.0),
        ("private_thompson", {"budget": "parallel", "ts_budget": "full"}, 1.0, 5.0),
    ],
    ids=str,
)
@pytest.mark.parametrize("horizon", [1000, 100_000])
def test_p2_to_p4_what_is_spent_and_what_the_paper_adds_up(name, given, spent, composed, horizon):
    spends_and_composes(name, horizon, spent, composed, **given)


@pytest.mark.parametrize(
    ("name", "given", "part"),
    [
        ("private_thompson", {"epsilon": -2}, "epsilon: -2 should be a number above 0"),
        ("private_thompson", {"epsilon": 1, "explore_c": -0.5}, "explore_c: -0.5 should be a number of at least 0"),
        ("private_thompson", {"epsilon": 1, "ts_budget": "whole"}, "ts_budget: 'whole' is not one of half, full"),
    ],
    ids=str,
)
def test_wrong_parameters_are_refused(name, given, part):
    refused(name, given, part)
