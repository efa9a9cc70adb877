"""private_thompson_gap: what is special to it (the rest is in test_every_algorithm.py)."""

import math

import numpy as np
import pytest
from playing import FIVE, regrets

from dpbandits.algorithms.arms import private_thompson_gap
from dpbandits.environments.arms.bernoulli import bernoulli
from dpbandits.kernels.streams import stream
from dpbandits.privacy.tree import tree_levels


@pytest.mark.parametrize("T", [10**5, 10**8])
def test_lemma_9_the_gap_estimate(T):
    """A quarter in 86% and a half in 14% of the runs; always between a third and twice the gap."""
    arms, rng = bernoulli(means=FIVE).arms, stream(41, T)
    found = np.array([private_thompson_gap.estimate_gap(rng, arms, 1.0, T, 2**62)[0] for _ in range(4000)])
    assert set(found) == {0.25, 0.5}
    assert np.mean(found == 0.25) == pytest.approx(0.86, abs=4 * math.sqrt(2 * 0.86 * 0.14 / 4000))
    assert np.all((found >= 0.5 / 3) & (found <= 1.0))


def test_forced_pulls_of_algorithm_2():
    """epsilon = 1, T = 1e5: 5.9e6 (D = 1/2) or 2.37e7 (1/4) rounds, so that a run is plain round robin."""
    T = 10**5
    G = 192 * math.log(T) ** 3
    m = [private_thompson_gap.batch_length(5, 1.0, T, D) for D in (1.0, 0.5)]
    assert m[0] == 11053
    assert 5 * (m[0] + math.ceil(4 * G)) == pytest.approx(5.9e6, rel=0.01)
    assert 5 * (sum(m) + math.ceil(16 * G)) == pytest.approx(2.37e7, rel=0.01)
    found = regrets("private_thompson_gap", "forced", 5, T, epsilon=1.0)
    assert found.tolist() == [[20_000.0, 40_000.0]] * 5


def test_levels_in_a_kernel_are_those_of_the_tree():
    for leaves in (1, 2, 3, 4, 1000, 1023, 1024, 10**7):
        assert private_thompson_gap.levels(leaves) == tree_levels(leaves)


def test_p3_both_steps_have_half():
    parts = private_thompson_gap.composition(10**6, 5, epsilon=2.0)
    assert parts == {"gap estimation": pytest.approx(1.0), "trees": pytest.approx(1.0)}
