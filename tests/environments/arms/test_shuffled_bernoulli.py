"""Arms in another order in every run."""

import numpy as np
import pytest
from playing import FIVE
from scipy import stats

from dpbandits.environments.arms.shuffled_bernoulli import shuffled_bernoulli
from dpbandits.kernels.streams import stream

THREE = [0.8, 0.5, 0.3]


def test_every_order_of_the_arms_is_equally_likely_and_the_gaps_go_along():
    environment, counts = shuffled_bernoulli(means=THREE), {}
    for run in range(3000):
        arms, journal = environment.begin(stream(32, run), 10, np.array([10]))
        assert journal.gaps == pytest.approx(0.8 - arms.means)
        counts[tuple(arms.means)] = counts.get(tuple(arms.means), 0) + 1
    assert len(counts) == 6
    assert stats.chisquare(list(counts.values())).pvalue > 1e-4


def test_an_order_is_the_runs_not_the_policys():
    environment = shuffled_bernoulli(means=FIVE)
    first, second = (environment.begin(stream(33, "environment of", 4), 10, np.array([10]))[0] for _ in range(2))
    assert np.array_equal(first.means, second.means)
