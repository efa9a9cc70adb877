"""The privacy of azize2022's algorithms: the ledger's account, the number of releases, and a Monte Carlo of the promise."""

import itertools
import math

import numpy as np
import pytest

from dpbandits import algorithms
from dpbandits.algorithms.arms import _adaptive_episodes as episodes
from dpbandits.algorithms.arms.adap_ucb import adap_ucb
from dpbandits.compiled import kernel
from dpbandits.environments.arms import Arms
from dpbandits.environments.arms._journal import blank_journal
from dpbandits.randomness import stream

HORIZONS = [2, 3, 7, 8, 1000, 1024, 100_003]


@pytest.mark.parametrize("horizon", HORIZONS)
@pytest.mark.parametrize("name", ["adap_ucb", "adap_klucb", "klucb_keeping_all", "elimination"])
def test_p1_to_p3_every_reward_is_in_one_release(name, horizon):
    """The first reward (P2) and the rewards of the truncated episode (P3) too; each pays epsilon."""
    given = {"epsilon": 0.3} | ({} if name == "elimination" else {"alpha": 3.1})
    account = algorithms.find(name).privacy(horizon, 5, **given)
    assert account.ledger.touched().tolist() == [1] * horizon
    assert account.spent == pytest.approx(0.3, rel=1e-9)
    assert account.kept


@pytest.mark.parametrize("name", ["adap_ucb", "adap_klucb"])
def test_p2_without_noise_on_the_first_rewards_there_is_no_privacy(name):
    account = algorithms.find(name).privacy(1000, 5, epsilon=0.3, alpha=3.1, init_noise=False)
    assert account.spent == math.inf
    assert not account.kept


def test_p4_number_of_private_means():
    """At most K (log2 T + 1) = 121 at T = 1e7, K = 5; one arm's stream has 24 whole episodes and a truncated one."""
    account = algorithms.find("adap_ucb").privacy(10**7, 5, epsilon=1.0, alpha=3.1)
    assert account.ledger.releases == 25
    assert int(5 * (math.log2(10**7) + 1)) == 121
    epochs = algorithms.find("elimination").privacy(10**7, 5, epsilon=1.0).ledger.releases
    assert 5 <= epochs <= math.log2(10**7)


@pytest.mark.parametrize(
    ("given", "share"), [({}, 1 / 5), ({"planned_for": "pow2"}, 10 / 11 / 5), ({"budget": "parallel"}, 1)]
)
def test_p5_dp_ucb_spends_a_fifth_of_what_it_may(given, share):
    """T = 1000 has 10 levels, 1024 has 11."""
    account = algorithms.find("private_ucb").privacy(1000, 5, epsilon=0.7, failure_prob=0.1, **given)
    assert account.spent == pytest.approx(0.7 * share)


# P6: two arms, six rounds, rewards fixed by the round. adap_ucb itself pulls arms whose means are 0 or 1 and so cannot be
# given such a table; here its loop runs on the table, and the first test says that it is the same loop.


@kernel
def frequencies(rng, table, epsilon, alpha, init_noise, runs):
    """How often each sequence of the six actions comes up."""
    counts = np.zeros(64, np.int64)
    for _ in range(runs):
        pulls, h, mu, code = np.ones(2, np.int64), np.ones(2), np.zeros(2), 0
        for a in range(2):
            mu[a] = table[a]
            if init_noise:
                mu[a] += rng.laplace(0.0, 1 / epsilon)
            code = 2 * code + a
        t = 2
        while t < 6:
            L = alpha * math.log(t + 1)
            first = mu[0] + math.sqrt(L / (2 * h[0])) + L / (epsilon * h[0])
            second = mu[1] + math.sqrt(L / (2 * h[1])) + L / (epsilon * h[1])
            a = 1 if second > first else 0
            m = min(pulls[a], 6 - t)
            mu[a] = table[t : t + m].mean() + rng.laplace(0.0, 1 / (epsilon * m))
            h[a] = m
            pulls[a] += m
            for _ in range(m):
                code = 2 * code + a
            t += m
        counts[code] += 1
    return counts


def test_p6_the_loop_on_a_table_is_adap_ucb():
    """On a table of ones and the arms of mean 1 the rewards are the same, and so are the frequencies, up to chance."""
    runs, ones, frame = 3000, np.ones(6), episodes.frame(0.5, True, "one", "all")
    counts = np.zeros(64, np.int64)
    for run in range(runs):
        # a gap in the journal alone tells the arms apart
        journal = blank_journal(np.array([0.0, 1.0]), np.arange(1, 7))
        adap_ucb(stream(21, run), Arms(np.ones(2)), 6, journal, frame, 0.3)
        code = 0
        for a in np.diff(journal.regret, prepend=0.0).astype(int):
            code = 2 * code + int(a)
        counts[code] += 1
    ours = sum(frequencies(stream(21, run), ones, 0.5, 0.3, True, 1) for run in range(runs))
    assert np.abs(counts - ours).max() <= 6 * math.sqrt(runs) / 2
    assert counts.sum() == ours.sum() == runs


def worst_ratio(epsilon, init_noise, runs=1_000_000):
    """The largest |ln ratio| of a sequence's frequencies over the six tables that differ in one reward, minus 4 s.e.,
    and without."""
    table = np.array([1.0, 0.0, 1.0, 0.0, 1.0, 1.0])
    base = frequencies(stream(22, "base"), table, epsilon, 0.3, init_noise, runs)
    careful, plain = 0.0, 0.0
    for i in range(6):
        other = table.copy()
        other[i] = 1 - other[i]
        counts = frequencies(stream(22, i), other, epsilon, 0.3, init_noise, runs)
        for n, m in itertools.compress(zip(base, counts, strict=True), (base >= 500) & (counts >= 500)):
            ratio, error = abs(math.log(n / m)), math.sqrt(1 / n + 1 / m)
            careful, plain = max(careful, ratio - 4 * error), max(plain, ratio)
    return careful, plain


@pytest.mark.parametrize(("epsilon", "measured"), [(0.5, 0.468), (2.0, 1.887)])
def test_p6_monte_carlo(epsilon, measured):
    careful, plain = worst_ratio(epsilon, True)
    assert careful <= epsilon
    assert plain == pytest.approx(measured, abs=0.06)


@pytest.mark.parametrize(("epsilon", "measured"), [(0.5, 1.33), (2.0, 4.2)])
def test_p6_monte_carlo_fails_without_noise_on_the_first_rewards(epsilon, measured):
    careful, plain = worst_ratio(epsilon, False)
    assert careful > epsilon
    assert plain > 0.9 * measured
