"""The lower bound on randomised responses: by hand, and without privacy."""

import math

import numpy as np
import pytest
from twins import C2

from dpbandits.theory.azize2022 import azize2022_theorem_3_no_privacy
from dpbandits.theory.gajane2018 import gajane2018_lower_bound

T = 10**6


def test_by_hand():
    """epsilon = ln 3: a report is honest with probability 3/4, so means 1 and 0 are reported as 3/4 and 1/4."""
    bound = gajane2018_lower_bound(np.array([1.0, 0.0]), T, math.log(3))
    assert bound == pytest.approx(math.log(T) / (0.5 * math.log(3)))


def test_without_privacy_it_is_that_of_lai_and_robbins_and_with_it_one_over_epsilon_squared():
    means = np.array(C2)
    assert gajane2018_lower_bound(means, T, 30.0) == pytest.approx(azize2022_theorem_3_no_privacy(means, T))
    gaps = 0.75 - means[1:]
    assert gajane2018_lower_bound(means, T, 0.01) == pytest.approx(math.log(T) * sum(2 / gaps) / 1e-4, rel=0.01)
