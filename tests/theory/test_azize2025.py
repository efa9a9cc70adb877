"""The bounds of azize2025: by hand, and beside the older ones that they sharpen."""

import math

import numpy as np
import pytest
from twins import C2

from dpbandits.theory.azize2022 import azize2022_theorem_3, azize2022_theorem_3_no_privacy
from dpbandits.theory.azize2025 import azize2025_lower_bound, azize2025_upper_bound

MEANS, T = np.array(C2), 10**6


def test_the_lower_bound_by_hand():
    """Means 1/2 and 1/4, epsilon = ln 2: d(1/4, 1/2) = ln(4/3) - ln(2)/4."""
    bound = azize2025_lower_bound(np.array([0.5, 0.25]), T, math.log(2))
    assert bound == pytest.approx(math.log(T) * 0.25 / (math.log(4 / 3) - math.log(2) / 4))
    assert azize2025_upper_bound(np.array([0.5, 0.25]), T, math.log(2), growth=1.5) == pytest.approx(1.5 * bound)


@pytest.mark.parametrize("epsilon", [0.001, 0.1, 1.0, 10.0])
def test_it_is_never_below_those_without_privacy_and_of_azize2022(epsilon):
    bound = azize2025_lower_bound(MEANS, T, epsilon)
    assert bound >= azize2022_theorem_3_no_privacy(MEANS, T) * (1 - 1e-12)
    assert bound > azize2022_theorem_3(MEANS, T, epsilon) or epsilon == 10


def test_at_its_ends_it_is_that_of_lai_and_robbins_or_one_over_epsilon():
    assert azize2025_lower_bound(MEANS, T, 20.0) == pytest.approx(azize2022_theorem_3_no_privacy(MEANS, T))
    assert azize2025_lower_bound(MEANS, T, 1e-4) == pytest.approx(4 * math.log(T) / 1e-4, rel=1e-3)
