"""Private Thompson sampling, in the experiments' and in the analysed form: the first steps by hand."""

import math

import numpy as np
import pytest
from playing import regrets

from dpbandits.algorithms.arms import private_thompson_gap
from dpbandits.environments.arms._rewards import bernoulli_arms
from dpbandits.random import Stream, stream


def test_half_the_budget_is_all_of_half_of_it():
    """Only eps0 matters: the same stream gives the same run."""
    half = regrets("private_thompson", "budget", 3, 5000, epsilon=10.0)
    assert np.array_equal(half, regrets("private_thompson", "budget", 3, 5000, epsilon=5.0, ts_budget="full"))


def test_the_gap_estimate_halves_until_two_means_are_as_far_apart():
    """Without noise and with certain rewards of 1 and 0: 1/2 is below the gap of 1. T = 1e5: m = 192 x 2 ln T = 4420.9 pulls."""
    arms, rng = bernoulli_arms(np.array([1.0, 0.0])), Stream(stream(40).words, 0.0)
    assert private_thompson_gap.estimate_gap(rng, arms, 1.0, 10**5, 2**62) == (0.5, 2 * 4421)
    arms = bernoulli_arms(np.array([1.0, 1.0, 0.0]))  # no gap: on to the limit, by factors of four
    D, tau = private_thompson_gap.estimate_gap(rng, arms, 1.0, 10**5, 10**6)
    assert (D, tau) == (1 / 16, 3 * sum(math.ceil(576 * math.log(10**5) * 4**k) for k in range(4)))


def test_forced_pulls_of_algorithm_2():
    """epsilon = 1, T = 1e5: 5.9e6 (D = 1/2) or 2.37e7 (1/4) rounds, so that a run is plain round robin."""
    T = 10**5
    G = 192 * math.log(T) ** 3
    m = [private_thompson_gap.batch_length(5, 1.0, T, D) for D in (1.0, 0.5)]
    assert m[0] == 11053
    assert 5 * (m[0] + math.ceil(4 * G)) == pytest.approx(5.9e6, rel=0.01)
    assert 5 * (sum(m) + math.ceil(16 * G)) == pytest.approx(2.37e7, rel=0.01)
    found = regrets("private_thompson_gap", "forced", 5, T, epsilon=1.0)
    assert found.tolist() == [[20_000.0, 40_000.0]] * 5
