"""The bounds against numbers that were computed independently, T = 1e5."""

import math

import numpy as np
import pytest

from dpbandits.theory import tossou2016

T, DELTA = 100_000, math.exp(-10)
TWO = np.array([0.0, 0.3])
TEN = np.array([0.45] * 8 + [0.35, 0.0])
PANELS = {"a": (TWO, 1.0), "b": (TWO, 0.1), "c": (TEN, 1.0), "d": (TEN, 0.1)}


@pytest.mark.parametrize(("panel", "value"), [("a", 2751), ("b", 23686), ("c", 22873), ("d", 205517)])
def test_theorem_3_2(panel, value):
    """The independent values come from a grid of lambda; the true minimum is at most that, and near it."""
    gaps, epsilon = PANELS[panel]
    ours = tossou2016.tossou2016_dp_ucb_bound(gaps, T, epsilon)
    assert 0.99 * value < ours <= value + 0.5

    def at(free):
        B = math.sqrt(8) * math.log(4 * T**4) / (epsilon * (1 - free))
        return sum(
            max(B * (math.log(B / gap) + 7), 8 * math.log(T) / (free**2 * gap)) + gap * (1 + 2 * math.pi**2 / 3)
            for gap in gaps
            if gap
        )

    assert ours == pytest.approx(min(at(free) for free in np.linspace(0.001, 0.999, 20_001)), rel=1e-3)


@pytest.mark.parametrize(("panel", "vacuous"), [("a", False), ("b", False), ("c", False), ("d", True)])
def test_where_theorem_3_2_says_anything(panel, vacuous):
    """In panel d its bound exceeds every possible regret, so that no run could contradict it."""
    gaps, epsilon = PANELS[panel]
    assert (tossou2016.tossou2016_dp_ucb_bound(gaps, T, epsilon) > T * gaps.max()) == vacuous


@pytest.mark.parametrize(
    ("panel", "low", "high"),
    [("a", 2.9e7, 3.1e7), ("b", 4.0e9, 4.2e9), ("c", 3.9e8, 4.0e8), ("d", 5.3e10, 5.5e10)],
)
def test_theorem_3_3_is_vacuous(panel, low, high):
    gaps, epsilon = PANELS[panel]
    value = tossou2016.tossou2016_dp_ucb(gaps, T, epsilon)
    assert low < value < high
    assert value > T * gaps.max()


def test_ucb1_by_hand():
    """8 ln T / 0.3 + (1 + pi^2/3) 0.3."""
    assert tossou2016.ucb1(TWO, T) == pytest.approx(307.0113 + 1.28696, abs=1e-3)
    assert tossou2016.ucb1(np.array([0.0, 0.0, 0.3]), T) == tossou2016.ucb1(TWO, T)
