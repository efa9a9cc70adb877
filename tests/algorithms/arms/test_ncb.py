"""ncb: what is special to it (the rest is in test_every_algorithm.py)."""

import math

import numpy as np
import pytest
from playing import actions
from scipy import stats
from twins import FIFTY

from dpbandits.algorithms.arms import _nash, ncb
from dpbandits.kernels.streams import stream


def test_ncb_index_by_hand():
    """mu = 1/4, n = 64, c = 3, T = e^8: 1/4 + 6 sqrt(2 (1/4) 8/64) = 1.75."""
    assert ncb.NCB(0.0, 6 * math.sqrt(2 * 8.0)).terms(16.0, 64) == pytest.approx(1.75)
    assert ncb.NCB(0.0, 24.0).terms(0.0, 5) == 0.0
    assert ncb.NCB(0.0, 24.0).terms(0.0, 0) == math.inf


def test_a_game_planned_for_longer_is_the_beginning_of_the_longer_game():
    for run in range(3):
        whole = actions("ncb", stream(16, run), FIFTY, 40_000)
        assert actions("ncb", stream(16, run), FIFTY, 4000, planned=10.0) == whole[:4000]
    assert actions("ncb", stream(16, 0), FIFTY, 4000) != actions("ncb", stream(16, 0), FIFTY, 4000, planned=10.0)


def test_uniform_arms_are_uniform():
    rng = stream(15)
    counts = np.bincount([_nash.uniform_arm(rng, 50) for _ in range(50_000)], minlength=50)
    assert stats.chisquare(counts).pvalue > 1e-4
