"""uniform and explore_then_commit: by hand, beside their plain twins, and against what theory says of them."""

import math

import numpy as np
import pytest
from plain import baselines
from playing import actions, final_regret
from scipy import stats
from twins import for_twin

from dpbandits import algorithms
from dpbandits.algorithms.arms.explore_then_commit import pulls_of_each
from dpbandits.environments.arms.bernoulli import bernoulli
from dpbandits.kernels.streams import stream

THREE = [0.8, 0.5, 0.3]


def test_uniform_pulls_have_the_law_of_a_fair_die():
    """The regret of uniform play is a sum of gaps times multinomial counts: its mean and variance are known."""
    horizon, gaps = 3000, np.array([0.0, 0.3, 0.5])
    found = [final_regret("uniform", stream(1, "uniform", run), THREE, horizon) for run in range(2000)]
    mean, variance = horizon * gaps.mean(), horizon * gaps.var()
    assert np.mean(found) == pytest.approx(mean, abs=4 * math.sqrt(variance / 2000))
    assert np.var(found) == pytest.approx(variance, rel=4 * math.sqrt(2 / 2000))


def test_uniform_play_between_checkpoints_is_that_of_single_rounds():
    """One multinomial draw up to a checkpoint against a twin that draws every round."""
    horizon, gaps = 60, np.array([0.0, 0.3, 0.5])
    ours = [final_regret("uniform", stream(2, run), THREE, horizon) for run in range(1500)]
    twin = [gaps[baselines.uniform(stream(3, run), THREE, horizon)].sum() for run in range(1500)]
    assert stats.ks_2samp(ours, twin).pvalue > 0.001
    arms, journal = bernoulli(means=THREE).begin(None, horizon, np.array([10, horizon]))
    algorithms.find("uniform").play(stream(4), arms, horizon, journal)
    assert 0 <= journal.regret[0] <= 10 * 0.5
    assert journal.regret[0] <= journal.regret[1]


def test_the_length_of_exploration_by_hand():
    """T = 1000, K = 10: 100^(2/3) ln(1000)^(1/3) = 21.544 x 1.9044 = 41.03; sqrt(100 x 6.9078/0.1) = 83.11."""
    assert pulls_of_each(1000, 10, 10.0) == 42
    assert pulls_of_each(1000, 10, 0.1) == 84
    assert pulls_of_each(1000, 10, 0.001) == 100  # no more than T/K


@pytest.mark.parametrize("epsilon", [0.05, 1.0])
def test_exploring_takes_the_same_actions_as_its_twin(epsilon):
    for run in range(30):
        ours = actions("explore_then_commit", stream(5, run), THREE, 700, epsilon=epsilon)
        assert ours == baselines.explore_then_commit(for_twin(stream(5, run)), THREE, 700, epsilon)


def test_exploring_has_the_law_of_a_twin_that_pulls_one_by_one():
    gaps = np.array([0.0, 0.1])
    given = {"epsilon": 0.05}
    ours = [final_regret("explore_then_commit", stream(6, run), [0.6, 0.5], 400, **given) for run in range(800)]
    twin = [
        gaps[baselines.explore_then_commit(stream(7, run), [0.6, 0.5], 400, **given, one_by_one=True)].sum()
        for run in range(800)
    ]
    wrong = [np.mean(np.array(regrets) > 20) for regrets in (ours, twin)]
    assert 0.02 < wrong[0] < 0.5  # both outcomes occur
    assert abs(wrong[0] - wrong[1]) < 4 * math.sqrt(0.5 / 800)


def test_exploring_misses_the_best_arm_as_often_as_theory_says():
    """The difference of two released means is normal, up to the noise, with variance (.24 + .25)/m + 4/(epsilon m)^2."""
    horizon, epsilon = 20_000, 0.02
    m = pulls_of_each(horizon, 2, epsilon)
    found = [
        final_regret("explore_then_commit", stream(8, run), [0.52, 0.5], horizon, epsilon=epsilon)
        for run in range(3000)
    ]
    deviation = math.sqrt((0.52 * 0.48 + 0.25) / m + 4 / (epsilon * m) ** 2)
    missed = stats.norm.cdf(-0.02 / deviation)
    expected = 0.02 * (m + missed * (horizon - 2 * m))
    assert 0.02 < missed < 0.4
    assert np.mean(found) == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize("epsilon", [0.1, 2.0])
def test_exploring_spends_what_it_promises(epsilon):
    account = algorithms.find("explore_then_commit").privacy(10_000, 5, epsilon=epsilon)
    assert (account.epsilon, account.delta, account.trust) == (epsilon, 0.0, "central")
    assert account.spent == pytest.approx(epsilon, rel=1e-12)
    assert account.ledger.releases == 1
