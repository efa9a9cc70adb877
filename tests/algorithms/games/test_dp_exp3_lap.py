"""dp_exp3_lap: without noise, and the rounds that it ignores (its twin is in test_every_algorithm.py)."""

import math

import numpy as np
import pytest
from playing import played

from dpbandits.environments.games._game import IGNORED
from dpbandits.environments.games.stochastic import stochastic
from dpbandits.kernels.streams import stream


def test_dp_exp3_lap_with_a_huge_epsilon_has_no_noise():
    """b = 0: the released gain is the gain, up to rounding, and what is ignored is what the rounding put outside [0, 1]."""
    gains = np.full((50, 3), 0.5)
    journal = played("dp_exp3_lap", stream(0), gains, epsilon=1e12)
    assert journal.diary[IGNORED].sum() == 0
    assert journal.results()["gain"].tolist() == [0.5 * t for t in range(1, 51)]


@pytest.mark.parametrize("epsilon", [0.5, 5.0])
def test_ignored_rounds(epsilon):
    """With gains of 0 and 1 and b = ln T/epsilon the expected number over T rounds is (1 + e^-epsilon)/2."""
    T, runs = 500, 4000
    gains = stochastic(number_of_arms=2, best=0.7, others=0.4).draw(stream(4), T)
    ignored = [
        played("dp_exp3_lap", stream(4, run), gains, epsilon=epsilon).results()["ignored"] for run in range(runs)
    ]
    finals = np.array([curve[-1] for curve in ignored])
    expected = (1 + math.exp(-epsilon)) / 2
    assert finals.mean() == pytest.approx(expected, abs=4 * math.sqrt(expected / runs))
    assert all(np.diff(curve).min() >= 0 for curve in ignored)
