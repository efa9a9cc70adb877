"""rr_kl_ucb: what is special to it (the rest is in test_every_algorithm.py)."""

import math

import numpy as np
import pytest
from playing import actions
from scipy import stats

from dpbandits.algorithms.arms import _index, rr_kl_ucb
from dpbandits.environments.arms.bernoulli import bernoulli
from dpbandits.kernels.compiled import kernel
from dpbandits.kernels.streams import stream

RULE = rr_kl_ucb.RandomisedKLUCB(0.75, 0.0)  # epsilon = ln 3


def test_the_index_by_hand():
    """.5 ln(1/(4 p (1 - p))) = kl(1/2, p): of 100 reports with mean 1/2 and budget ln 100, 4 p (1 - p) = e^(-.0921)."""
    budget = math.log(100)
    assert RULE.growth(100) == budget
    assert rr_kl_ucb.RandomisedKLUCB(0.75, 3.0).growth(100) == pytest.approx(budget + 3 * math.log(budget))
    p = 0.5 + 0.5 * math.sqrt(1 - math.exp(-2 * budget / 100))
    assert RULE.index((0.5, 100), budget) == pytest.approx(p, abs=1e-9)
    assert RULE.index((0.5, 10), budget) == 0.75  # q = 1, although kl(1/2, p) = .46 would allow p = .89
    assert RULE.index((0.1, 1000), budget) == 0.25  # q = 0: fewer reports are 1 than any mean explains
    for level in (0.1, 0.25, 0.5, p - 1e-6, p + 1e-6, 0.75):
        assert RULE.exceeds((0.5, 100), budget, level) == (RULE.index((0.5, 100), budget) > level)


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


@pytest.mark.parametrize("epsilon", [0.1, 2.0])
def test_it_spends_what_it_promises(epsilon):
    account = rr_kl_ucb.privacy(10_000, 5, epsilon=epsilon)
    assert (account.epsilon, account.delta, account.trust) == (epsilon, 0.0, "local")
    assert account.spent == epsilon


def test_leads_are_the_rounds_of_the_definition():
    """Both drivers, with indices at their limits in the first thousand rounds."""
    for epsilon in (0.3, 1.0, 4.0):
        rule = rr_kl_ucb.RandomisedKLUCB(1 / (1 + math.exp(-epsilon)), 3.0)
        means, T = [0.8, 0.5, 0.3], 4000
        arms, journal = bernoulli(means=means).begin(None, T, np.arange(1, T + 1))
        _index.play_round_by_round(stream(2, "leads"), arms, T, journal, rule)
        steps = np.diff(journal.regret, prepend=0.0)
        plain = np.abs(steps[:, None] - journal.gaps[None, :]).argmin(axis=1).tolist()
        assert actions("rr_kl_ucb", stream(2, "leads"), means, T, epsilon=epsilon) == plain
