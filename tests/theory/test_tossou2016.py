"""The bounds of tossou2016 against numbers that were computed independently, T = 1e5."""

import math

import numpy as np
import pytest

from dpbandits.theory import tossou2016

T = 100_000
TWO, TEN = np.array([0.0, 0.3]), np.array([0.45] * 8 + [0.35, 0.0])


def theorem_3_2(gaps, epsilon, free):
    """The bound of Theorem 3.2 at one lambda."""
    B = math.sqrt(8) * math.log(4 * T**4) / (epsilon * (1 - free))
    return sum(
        max(B * (math.log(B / gap) + 7), 8 * math.log(T) / (free**2 * gap)) + gap * (1 + 2 * math.pi**2 / 3)
        for gap in gaps
        if gap
    )


@pytest.mark.parametrize(
    ("gaps", "epsilon", "of_3_2", "of_3_3"),
    [(TWO, 1.0, 2751, 3.0e7), (TWO, 0.1, 23_686, 4.1e9), (TEN, 1.0, 22_873, 3.95e8), (TEN, 0.1, 205_517, 5.4e10)],
    ids="abcd",
)
def test_theorems_3_2_and_3_3_in_the_panels_of_figure_2(gaps, epsilon, of_3_2, of_3_3):
    """The value of Theorem 3.2 is from a grid of lambda; the true minimum is at most that, and near it. In panel d it exceeds every
    possible regret, so that no run could contradict it; Theorem 3.3 does so everywhere."""
    bound = tossou2016.tossou2016_dp_ucb_bound(gaps, T, epsilon)
    assert 0.99 * of_3_2 < bound <= of_3_2 + 0.5
    assert bound == pytest.approx(
        min(theorem_3_2(gaps, epsilon, x) for x in np.linspace(0.001, 0.999, 20_001)), rel=1e-3
    )
    assert (bound > T * gaps.max()) == (of_3_2 == 205_517)
    assert tossou2016.tossou2016_dp_ucb(gaps, T, epsilon) == pytest.approx(of_3_3, rel=0.04)
    assert of_3_3 > 2 * T * gaps.max()


def test_ucb1_by_hand():
    """8 ln T / 0.3 + (1 + pi^2/3) 0.3."""
    assert tossou2016.ucb1(TWO, T) == pytest.approx(307.0113 + 1.28696, abs=1e-3)
    assert tossou2016.ucb1(np.array([0.0, 0.0, 0.3]), T) == tossou2016.ucb1(TWO, T)
