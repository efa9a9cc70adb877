"""uniform and the plain private baselines: by hand, beside their plain twins, and against what theory says of them."""

import math

import numpy as np
import pytest
from plain import baselines
from playing import actions, final_regret
from scipy import stats
from twins import for_twin

from dpbandits import algorithms
from dpbandits.algorithms.arms import gaussian_explore_then_commit, ldp_explore_then_commit
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


PLAIN = ("gaussian_explore_then_commit", "ldp_explore_then_commit", "ldp_epsilon_greedy")


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 8.0])
@pytest.mark.parametrize("name", PLAIN)
def test_a_plain_private_baseline_takes_the_same_actions_as_its_twin(name, epsilon):
    for run in range(15):
        ours = actions(name, stream(9, name, run), THREE, 700, epsilon=epsilon)
        assert ours == getattr(baselines, name)(for_twin(stream(9, name, run)), THREE, 700, epsilon)


@pytest.mark.parametrize(("name", "epsilon"), [(PLAIN[0], 0.1), (PLAIN[1], 1.0)])
def test_exploring_on_sums_has_the_law_of_a_twin_that_draws_one_by_one(name, epsilon):
    gaps = np.array([0.0, 0.1])
    ours = [final_regret(name, stream(10, run), [0.6, 0.5], 800, epsilon=epsilon) for run in range(1500)]
    twin = [
        gaps[getattr(baselines, name)(stream(11, run), [0.6, 0.5], 800, epsilon, one_by_one=True)].sum()
        for run in range(500)
    ]
    wrong = [np.mean(np.array(regrets) > 40) for regrets in (ours, twin)]
    assert 0.02 < wrong[0] < 0.5  # both outcomes occur
    assert abs(wrong[0] - wrong[1]) < 4 * math.sqrt(0.25 / 500)


def test_greedy_play_has_the_law_of_its_twin():
    ours = [final_regret("ldp_epsilon_greedy", stream(12, run), THREE, 300, epsilon=3.0) for run in range(1500)]
    gaps = np.array([0.0, 0.3, 0.5])
    twin = [gaps[baselines.ldp_epsilon_greedy(stream(13, run), THREE, 300, 3.0)].sum() for run in range(400)]
    assert stats.ks_2samp(np.round(ours, 6), np.round(twin, 6)).pvalue > 0.001


def test_greedy_play_explores_as_often_as_it_says():
    """Two arms that pay 1 and 0, with next to no noise: every second exploration loses 1, and t = 1, 2 lose 1 together."""
    horizon, runs = 3000, 200
    t = np.arange(3, horizon + 1)
    chance = np.minimum((2 * np.log(t) / t) ** (1 / 3), 1)
    mean, variance = 1 + chance.sum() / 2, (chance / 2 * (1 - chance / 2)).sum()
    found = [
        final_regret("ldp_epsilon_greedy", stream(14, run), [1.0, 0.0], horizon, epsilon=1e6) for run in range(runs)
    ]
    assert np.mean(found) == pytest.approx(mean, abs=4 * math.sqrt(variance / runs))


def test_the_lengths_of_noisy_explorations_by_hand():
    """T = 1000, K = 10. Local at epsilon = 2, v = 3: 21.544 x (3 x 6.9078)^(1/3) = 21.544 x 2.7466 = 59.17. Gaussian with
    deviation 20: sqrt(100 x 20 x sqrt(13.8155)) = sqrt(7433.8) = 86.22; with deviation 1 sampling decides, 41.03."""
    assert ldp_explore_then_commit.pulls_of_each(1000, 10, 2.0) == 60
    assert ldp_explore_then_commit.pulls_of_each(1000, 10, 0.1) == 100  # no more than T/K
    assert gaussian_explore_then_commit.pulls_of_each(1000, 10, 20.0) == 87
    assert gaussian_explore_then_commit.pulls_of_each(1000, 10, 1.0) == 42


@pytest.mark.parametrize("epsilon", [0.1, 2.0])
@pytest.mark.parametrize(
    ("name", "delta", "trust"), list(zip(PLAIN, (1e-8, 0, 0), ("central", "local", "local"), strict=True))
)
def test_a_plain_private_baseline_spends_what_it_promises(name, delta, trust, epsilon):
    account = algorithms.find(name).privacy(10_000, 5, epsilon=epsilon)
    assert (account.epsilon, account.delta, account.trust) == (epsilon, delta, trust)
    assert account.spent == pytest.approx(epsilon, rel=1e-9)
    assert account.ledger.releases == 1
