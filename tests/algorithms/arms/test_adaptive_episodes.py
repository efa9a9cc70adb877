"""The episodes of azize2022 with their indices: by hand, and against the specification's numbers."""

import math
import types

import numpy as np
import pytest
from plain import azize2022
from playing import actions, final_regret
from scipy import stats

from dpbandits import algorithms
from dpbandits.algorithms.arms import _adaptive_episodes as episodes
from dpbandits.algorithms.arms import adap_klucb, adap_ucb
from dpbandits.algorithms.arms._bernoulli_kl import kl_index
from dpbandits.environments.arms import Arms
from dpbandits.environments.arms._journal import doublings
from dpbandits.environments.arms.bernoulli import bernoulli
from dpbandits.kernels.streams import stream


def wins(kernel, extra, mean, h, t, epsilon, worth):
    """Whether the kernel plays, in round t, the arm with this mean of h rewards or one of so many that only its mean counts."""
    means = episodes.Means(np.ones(t - 1, np.int64), np.full(t - 1, 1e18), np.full(t - 1, -1e9))
    means.mu[0], means.h[0], means.mu[1] = mean, h, worth
    chosen = []

    def play_episode(rng, arms, horizon, journal, frame, means, t, a):
        chosen.append(a)
        return horizon

    names = {"first_pulls": lambda *_: means, "play_episode": play_episode}
    names = {**kernel.py_func.__globals__, **names}
    loop = types.FunctionType(kernel.py_func.__code__, names)
    loop(None, Arms(np.zeros(t - 1)), t, None, episodes.frame(epsilon, True, "one"), *extra)
    return chosen == [0]


@pytest.mark.parametrize(
    ("mean", "h", "t", "epsilon", "ucb", "klucb"),
    [
        (0.5, 64, 1000, 1, 1.243614, 0.990794),
        (0.5, 1024, 1e5, 0.1, 0.980546, 0.926433),
        (-0.2, 8, 50, 1, 2.186515, 1.0),
    ],
)
def test_index_values_of_the_specification(mean, h, t, epsilon, ucb, klucb):
    """Of the kernels themselves: an arm with this index wins against one that is worth a millionth less, not against one
    that is worth a millionth more; and of the twins that they are held against below.
    """
    for kernel, extra, twin, value in (
        (adap_ucb.adap_ucb, (3.1,), azize2022.adap_ucb_index, ucb),
        (adap_klucb.adap_klucb, (3.1 / epsilon, 3.1), azize2022.adap_klucb_index, klucb),
    ):
        assert twin(mean, h, math.log(t), epsilon, 3.1) == pytest.approx(value, abs=6e-7)
        assert wins(kernel, extra, mean, h, int(t), epsilon, value - 1.5e-6)
        if value < 1:  # an index of 1 is the largest: nothing is worth more
            assert not wins(kernel, extra, mean, h, int(t), epsilon, value + 1.5e-6)


@pytest.mark.parametrize("form", ["Lemma 3", "Lemma 4"])
def test_optimism(form):
    """P(index <= mean) <= 3 delta/2, n = 64, epsilon = .5, delta = .05."""
    rng, n, epsilon, delta, mean, runs = np.random.default_rng(4), 64, 0.5, 0.05, 0.4, 20_000
    log = math.log(1 / delta)
    private = rng.binomial(n, mean, runs) / n + rng.laplace(0, 1 / (n * epsilon), runs) + log / (n * epsilon)
    if form == "Lemma 3":
        missed = private + math.sqrt(log / (2 * n)) <= mean
    else:
        missed = np.array([kl_index(x, log / n) <= mean for x in np.clip(private, 0, 1)])
    assert missed.sum() > 0
    assert stats.binomtest(int(missed.sum()), runs, 1.5 * delta, alternative="greater").pvalue > 1e-3


THREE, TWO = [0.8, 0.5, 0.3], [0.6, 0.5]


def log_of(choices, horizon, number=2):
    arms, journal = bernoulli(means=TWO if number == 2 else THREE).begin(None, horizon, np.array([horizon]))
    frame = episodes.frame(1.0, True, "one")
    return episodes.episode_log(stream(5), arms, horizon, journal, frame, choices)


def test_the_worked_example_of_figure_1():
    assert log_of([0, 0, 1, 0], 10) == [(1, 0, 1), (2, 1, 1), (3, 0, 1), (4, 0, 2), (6, 1, 1), (7, 0, 4)]


def test_the_start_of_the_episode_is_at_least_half_the_round():
    """phi(t) <= t <= 2 phi(t); in the example phi(5) = 4 and phi(9) = 7."""
    rng = np.random.default_rng(6)
    for _ in range(50):
        start = {t: first for first, _, m in log_of(rng.integers(0, 3, 9), 10**6, 3) for t in range(first, first + m)}
        assert all(first <= t <= 2 * first for t, first in start.items())
    start = {t: first for first, _, m in log_of([0, 0, 1, 0], 10) for t in range(first, first + m)}
    assert (start[5], start[9]) == (4, 7)


def test_the_horizon_cuts_the_last_episode():
    assert log_of([0, 0, 1, 0], 8)[-1] == (7, 0, 2)
    assert final_regret("adap_ucb", stream(7), TWO, 2, epsilon=1.0, alpha=3.1) == pytest.approx(0.1)


@pytest.mark.parametrize("name", ["adap_ucb", "adap_klucb", "klucb_keeping_all"])
def test_pull_counts_are_powers_of_two_until_the_cut(name):
    for run in range(20):
        chosen = actions(name, stream(8, run), THREE, 5000, epsilon=0.5, alpha=3.1)
        switches = np.flatnonzero(np.diff(chosen)) + 1
        for end in switches[switches >= 3]:
            counts = np.bincount(chosen[:end], minlength=3)
            assert all(n & (n - 1) == 0 for n in counts.tolist())


def test_a_regret_may_leave_out_one_round_of_each_episode():
    """An arm with 2^k pulls has had k episodes after its first pull: 2^k - k count. The first round of an episode does not."""
    environment = bernoulli(means=[0.6, 0.5])
    arms, journal = environment.begin(None, 34, np.array([2, 10, 33, 34]))
    journal = environment.count_regret(journal, leaving_out="one_round_per_doubling")
    episodes.episode_log(stream(12), arms, 34, journal, episodes.frame(1.0, True, "one"), [1, 1, 1, 1, 1])
    assert journal.regret[:3] == pytest.approx([0.1, 0.1 * (9 - 4), 0.1 * (32 - 5)])


def test_the_doublings_of_a_number_of_pulls():
    assert [doublings(n) for n in (0, 1, 2, 3, 4, 5, 8, 9, 1024, 1025)] == [0, 0, 1, 2, 2, 3, 3, 4, 10, 11]


@pytest.mark.parametrize("name", ["adap_ucb", "adap_klucb"])
def test_a_shorter_run_is_a_prefix(name):
    for run in range(5):
        long = actions(name, stream(13, run), THREE, 20_000, epsilon=0.5, alpha=3.1)
        assert long[:7000] == actions(name, stream(13, run), THREE, 7000, epsilon=0.5, alpha=3.1)


def test_p4_number_of_private_means():
    """At most K (log2 T + 1) = 121 at T = 1e7, K = 5; one arm's stream has 24 whole episodes and a truncated one."""
    account = algorithms.find("adap_ucb").privacy(10**7, 5, epsilon=1.0, alpha=3.1)
    assert account.ledger.releases == 25
    assert int(5 * (math.log2(10**7) + 1)) == 121
    epochs = algorithms.find("dp_se").privacy(10**7, 5, epsilon=1.0).ledger.releases
    assert 5 <= epochs <= math.log2(10**7)
