"""KL-UCB on randomised responses: the index by hand, and the distribution of a report."""

import math

import numpy as np
import pytest
from scipy import stats

from dpbandits.algorithms.arms import rr_kl_ucb
from dpbandits.compiled import kernel
from dpbandits.random import stream

RULE = rr_kl_ucb.RandomisedKLUCB(0.75, 0.0)  # epsilon = ln 3


def test_the_index_by_hand():
    """.5 ln(1/(4 p (1 - p))) = kl(1/2, p): of 100 reports with mean 1/2 and budget ln 100, 4 p (1 - p) = e^(-.0921)."""
    budget = math.log(100)
    assert RULE.growth(100) == budget
    assert rr_kl_ucb.RandomisedKLUCB(0.75, 3.0).growth(100) == pytest.approx(budget + 3 * math.log(budget))
    early = [rr_kl_ucb.RandomisedKLUCB(0.75, 3.0).growth(t) for t in (2, 3)]  # ln ln 2 is below 0, and left out
    assert early == pytest.approx([math.log(2), math.log(3) + 3 * math.log(math.log(3))])
    p = 0.5 + 0.5 * math.sqrt(1 - math.exp(-2 * budget / 100))
    assert RULE.score((0.5, 100), budget) == pytest.approx(p, abs=1e-9)
    assert RULE.score((0.5, 10), budget) == 0.75  # q = 1, although kl(1/2, p) = .46 would allow p = .89
    assert RULE.score((0.1, 1000), budget) == 0.25  # q = 0: fewer reports are 1 than any mean explains
    for level in (0.1, 0.25, 0.5, p - 1e-6, p + 1e-6, 0.75):
        assert RULE.exceeds((0.5, 100), budget, level) == (RULE.score((0.5, 100), budget) > level)


@kernel
def reports(rng, rule, reward, found):
    for i in range(found.size):
        found[i] = rule.report(rng, reward)


@pytest.mark.parametrize("reward", [0.0, 0.3, 1.0])
def test_the_law_of_a_report(reward):
    """epsilon = ln 3: 1 with probability (1 + 2 reward)/4; of any two rewards the odds differ by a factor of 3 at
    most."""
    found = np.zeros(200_000)
    reports(stream(1, "reports"), RULE, reward, found)
    assert set(found) == {0.0, 1.0}
    assert stats.binomtest(int(found.sum()), found.size, (1 + 2 * reward) / 4).pvalue > 1e-3
