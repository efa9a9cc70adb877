"""The mechanisms' noise has the variance and covariance of the textbook, and the ledger adds up to the promise."""

import math

import numba
import numpy as np
import plain
import pytest
from scipy import stats

from dpbandits import algorithms
from dpbandits.algorithms import interval_ucb
from dpbandits.environments.bernoulli import bernoulli
from dpbandits.privacy.hybrid import hybrid, hybrid_ledger, hybrid_noise, scales
from dpbandits.privacy.ledger import Ledger
from dpbandits.privacy.tree import lowest_bit, tree_ledger, tree_levels, tree_noise
from dpbandits.randomness import stream

DELTA = math.exp(-10)
SPLITS = {"half_log2": 1.0, "full_log2": 2.0, "literal_natlog": 1 + 1 / math.log(2)}


def nodes_of(n):
    """The intervals (first, last) whose noisy sums make up prefix n of a binary tree."""
    parts, start = [], 0
    for level in reversed(range(n.bit_length())):
        if n >> level & 1:
            parts.append((start + 1, start + (1 << level)))
            start += 1 << level
    return set(parts)


def hybrid_parts(n, split, epsilon):
    """Every Laplace variable inside the release of n items: name -> scale."""
    total, node = scales(split, epsilon)
    k = n.bit_length() - 1
    parts = {("total", i): total for i in range(k + 1)}
    parts |= {(k, interval): k * node for interval in nodes_of(n - (1 << k))}
    return parts


def test_lowest_bit():
    assert [lowest_bit(n) for n in (1, 2, 3, 4, 6, 8, 12, 1 << 40)] == [0, 1, 0, 2, 1, 3, 2, 40]


@numba.njit
def noises_of_trees(rng, runs, leaves, scale):
    """The noise of every prefix, in many trees."""
    noise = np.empty((runs, leaves))
    for run in range(runs):
        memory = np.zeros(8)
        for n in range(1, leaves + 1):
            noise[run, n - 1] = tree_noise(rng, n, memory, scale)
    return noise


def test_tree_noise_has_the_covariance_of_shared_nodes():
    """Two prefixes share the noise of the nodes that they share, 2 scale^2 for each: all pairs of 1..15, 40,000 streams."""
    runs, leaves, scale = 40_000, 15, 1.7
    noise = noises_of_trees(stream(11), runs, leaves, scale)
    expected = np.array(
        [[2 * scale**2 * len(nodes_of(n) & nodes_of(m)) for m in range(1, leaves + 1)] for n in range(1, leaves + 1)]
    )
    products = noise[:, :, None] * noise[:, None, :]
    error = products.std(axis=0) / math.sqrt(runs)
    assert np.abs((products.mean(axis=0) - expected) / error).max() < 4.5  # the largest of 225 standard normals
    assert stats.kstest(noise[:, 0], "laplace", args=(0, scale)).pvalue > 1e-3


@numba.njit
def noises_of_hybrids(rng, mechanism, runs, items):
    """The noise of every release, in as many streams of one mechanism."""
    noise = np.empty((runs, items))
    for run in range(runs):
        for n in range(1, items + 1):
            noise[run, n - 1] = hybrid_noise(rng, mechanism, run, n)
    return noise


@pytest.mark.parametrize("split", SPLITS)
def test_hybrid_noise_has_the_covariance_of_shared_parts(split):
    runs, items, epsilon = 20_000, 17, 0.8
    noise = noises_of_hybrids(stream(12, split), hybrid(runs, split, epsilon), runs, items)
    parts = [hybrid_parts(n, split, epsilon) for n in range(1, items + 1)]
    expected = np.array([[sum(2 * p[name] ** 2 for name in p.keys() & q.keys()) for q in parts] for p in parts])
    products = noise[:, :, None] * noise[:, None, :]
    error = products.std(axis=0) / math.sqrt(runs)
    assert np.abs((products.mean(axis=0) - expected) / error).max() < 4.5


@pytest.mark.parametrize("split", SPLITS)
def test_hybrid_noise_is_the_noise_of_the_plain_mechanism(split):
    """Fed with the same generator, count by count, on a stream of ones."""
    mechanism, twin = hybrid(1, split, 0.5), plain.HybridMechanism(0.5, split)
    ours, theirs = stream(13), stream(13)
    for n in range(1, 3000):
        assert n + hybrid_noise(ours, mechanism, 0, n) == pytest.approx(twin.insert(1.0, theirs), abs=1e-8)


def test_hybrid_streams_are_separate():
    mechanism, rng = hybrid(2, "half_log2", 1.0), stream(14)
    for n in range(1, 50):
        hybrid_noise(rng, mechanism, 0, n)
    assert mechanism.level.tolist() == [5, -1]
    assert mechanism.total[1] == 0
    assert not mechanism.memory[1].any()


# The ledger itself.


def test_ledger_by_hand():
    ledger = Ledger(4)
    ledger.release(1, 2, sensitivity=1.0, scale=2.0)
    ledger.release(2, 4, sensitivity=1.0, scale=4.0)
    assert ledger.touched().tolist() == [1, 2, 1, 1]
    assert ledger.basic() == 0.75
    squares, excess = 0.5**2 + 0.25**2, 0.5 * math.expm1(0.5) + 0.25 * math.expm1(0.25)
    assert ledger.advanced(0.01) == pytest.approx(math.sqrt(2 * math.log(100) * squares) + excess)
    assert ledger.spent(0.01) == 0.75
    ledger.release(3, 3, sensitivity=1.0, scale=1.0, times=5)
    assert ledger.basic() == 5.25
    assert ledger.releases == 7


def test_ledger_prefers_advanced_composition_for_many_small_losses():
    ledger = Ledger(1)
    ledger.release(1, 1, sensitivity=1.0, scale=1000.0, times=10_000)
    assert ledger.basic() == pytest.approx(10)
    assert ledger.spent(1e-5) == pytest.approx(math.sqrt(2 * math.log(1e5) * 1e-2) + 10 * math.expm1(1e-3))


# P1 to P6 of the specification.


@pytest.mark.parametrize(("split", "factor"), SPLITS.items())
def test_p1_hybrid_stream(split, factor):
    """Counted release by release on 2^12 items, against a count of nodes made by other means."""
    items, epsilon = 4096, 0.3
    ledger = hybrid_ledger(items, split, epsilon)
    touched = np.zeros(items + 1, int)
    seen = set()
    for n in range(1, items + 1):
        k = n.bit_length() - 1
        if n == 1 << k:
            touched[n // 2 + 1 : n + 1] += 1
        for first, last in nodes_of(n - (1 << k)):
            if (k, first, last) not in seen:
                seen.add((k, first, last))
                touched[(1 << k) + first : (1 << k) + last + 1] += 1
    assert ledger.touched().tolist() == touched[1:].tolist()
    assert ledger.basic() == pytest.approx(factor * epsilon, rel=1e-9)


def test_p1_one_release_more_would_break_the_promise():
    """The promise of half_log2 is spent to the last bit."""
    ledger = hybrid_ledger(1024, "half_log2", 1.0)
    assert ledger.basic() == pytest.approx(1.0)
    ledger.release(513, 514, sensitivity=1.0, scale=10.0)
    assert ledger.basic() > 1.05


def test_p1_fresh_totals_have_no_bounded_budget():
    """Noise redrawn for the whole prefix at each power of two: the first item pays eps/2 with every doubling."""
    spent = [hybrid_ledger(2**k, "half_log2", 1.0, fresh_totals=True).basic() for k in (4, 8, 12)]
    assert spent == pytest.approx([2.5, 4.5, 6.5])


@pytest.mark.parametrize("name", ["dp_ucb", "dp_ucb_bound"])
@pytest.mark.parametrize(("split", "kept"), [("half_log2", True), ("full_log2", False), ("literal_natlog", False)])
def test_p2_dp_ucb_and_bound(name, split, kept):
    account = algorithms.find(name).privacy(100_000, 2, epsilon=0.1, hybrid_split=split)
    assert (account.epsilon, account.delta) == (0.1, 0.0)
    assert account.spent == pytest.approx(SPLITS[split] * 0.1, rel=1e-9)
    assert account.kept is kept


def test_p3_private_ucb_spends_a_kth_of_what_it_may():
    split = algorithms.find("private_ucb").privacy(100_000, 10, epsilon=1.0)
    assert split.spent == pytest.approx(0.1)
    parallel = algorithms.find("private_ucb").privacy(100_000, 10, epsilon=1.0, budget="parallel")
    assert parallel.spent == pytest.approx(1.0)
    assert split.kept
    assert parallel.kept


def test_p3_a_leaf_is_in_as_many_nodes_as_there_are_levels():
    for leaves in (1, 2, 3, 1000, 1024):
        assert tree_ledger(leaves, 1.0).touched().max() == tree_levels(leaves)


@pytest.mark.parametrize(
    ("target", "schedule", "basic", "advanced"),
    [
        (0.1, "series_y", 0.0354, 0.0832),
        (1.0, "series_y", 1.676, 0.795),
        (0.1, "simple", 0.0111, 0.0261),
        (1.0, "simple", 1.482, 0.493),
    ],
)
def test_p4_interval(target, schedule, basic, advanced):
    given = {"epsilon": target, "delta": DELTA, "v": 1.1, "schedule": schedule}
    account = algorithms.find("interval_ucb").privacy(100_000, 2, **given)
    assert account.ledger.basic() == pytest.approx(basic, rel=5e-3)
    assert account.ledger.advanced(DELTA) == pytest.approx(advanced, rel=5e-3)
    assert account.spent == min(account.ledger.basic(), account.ledger.advanced(DELTA))
    assert account.kept


def test_p4_redrawn_noise_breaks_the_promise():
    given = {"epsilon": 1.0, "delta": DELTA, "v": 1.1}
    account = algorithms.find("interval_ucb").privacy(100_000, 2, redraw_noise=True, **given)
    assert account.spent > 10
    assert not account.kept


def test_p5_the_closed_form_covers_simple_and_series_x():
    for target in (0.1, 1.0):
        epsilon = interval_ucb.input_epsilon(target, DELTA, 1.1)
        first_term = interval_ucb.closed_form_epsilon(epsilon, DELTA, 1.1, 100_000)[0]
        for schedule in ("simple", "series_x"):
            given = {"epsilon": target, "delta": DELTA, "v": 1.1, "schedule": schedule}
            assert algorithms.find("interval_ucb").privacy(100_000, 2, **given).ledger.basic() <= first_term


def test_p6_inversion_is_exact():
    for target in (0.01, 0.1, 1.0, 3.0):
        for v in (1.05, 1.1, 1.5):
            epsilon = interval_ucb.input_epsilon(target, DELTA, v)
            assert interval_ucb.closed_form_epsilon(epsilon, DELTA, v, 10)[1] == pytest.approx(target, rel=1e-9)


def test_noise_of_dp_ucb_int_release_has_scale_n_to_the_v_half_minus_1():
    """The first release of an arm with mean 1 is 1 + Lap(W_1^(v/2-1)) + bonus; its sign tells which arm is played first."""
    # Two arms with certain rewards 1 and 1 - gap: arm 1 is played first when Lap_1 - Lap_0 > gap.
    environment = bernoulli(means=[1.0, 0.0])
    given = {"epsilon": 3.0, "delta": DELTA, "v": 1.1}
    first = interval_ucb.first_update("series_y", interval_ucb.input_epsilon(3.0, DELTA, 1.1), 1.1)
    scale = first ** (1.1 / 2 - 1)
    runs, wrong = 20_000, 0
    for run in range(runs):
        arms, journal = environment.begin(None, 2 * first + 1, np.array([2 * first, 2 * first + 1]))
        algorithms.find("interval_ucb").play(stream(15, run), arms, 2 * first + 1, journal, **given)
        wrong += journal.regret[1] > journal.regret[0]
    x = 1 / scale  # P(difference of two Laplaces of this scale > 1)
    expected = (0.5 + x / 4) * math.exp(-x)
    assert stats.binomtest(int(wrong), runs, expected).pvalue > 1e-3
