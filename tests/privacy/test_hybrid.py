"""The hybrid mechanism: its noise has the covariance of shared parts, and its ledger adds up."""

import math

import numba
import numpy as np
import pytest
from plain import tossou2016
from twins import for_twin

from dpbandits.kernels.streams import stream
from dpbandits.privacy.hybrid import hybrid, hybrid_ledger, hybrid_noise, scales

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
    mechanism, twin = hybrid(1, split, 0.5), tossou2016.HybridMechanism(0.5, split)
    ours, theirs = stream(13), for_twin(stream(13))
    for n in range(1, 3000):
        assert n + hybrid_noise(ours, mechanism, 0, n) == pytest.approx(twin.insert(1.0, theirs), abs=1e-8)


def test_hybrid_streams_are_separate():
    mechanism, rng = hybrid(2, "half_log2", 1.0), stream(14)
    for n in range(1, 50):
        hybrid_noise(rng, mechanism, 0, n)
    assert mechanism.level.tolist() == [5, -1]
    assert mechanism.total[1] == 0
    assert not mechanism.memory[1].any()


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
