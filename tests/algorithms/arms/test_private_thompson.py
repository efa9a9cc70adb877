"""private_thompson: what is special to it (the rest is in test_every_algorithm.py)."""

import numba
import numpy as np
from playing import regrets
from scipy import stats

from dpbandits.algorithms.arms import private_thompson
from dpbandits.environments.arms.bernoulli import bernoulli
from dpbandits.kernels.streams import stream


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


def test_split_at_k_epsilon_is_parallel_at_epsilon():
    """Only eps0 matters: the same stream gives the same run."""
    for name in ("private_ucb_tuned", "private_thompson"):
        split = regrets(name, "budget", 3, 5000, epsilon=10.0)
        assert np.array_equal(split, regrets(name, "budget", 3, 5000, epsilon=2.0, budget="parallel"))
    half = regrets("private_thompson", "budget", 3, 5000, epsilon=10.0)
    assert np.array_equal(half, regrets("private_thompson", "budget", 3, 5000, epsilon=5.0, ts_budget="full"))
