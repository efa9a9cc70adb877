"""anytime_gdp_ncb: what is special to it (the rest is in test_every_algorithm.py)."""

import math

import numpy as np
import pytest
from playing import actions
from twins import THREE

from dpbandits import algorithms
from dpbandits.algorithms.arms import _nash, anytime_gdp_ncb, anytime_ldp_ncb, gdp_ncb
from dpbandits.environments.arms import Arms
from dpbandits.kernels.streams import stream


def test_epochs_double_and_fill_the_game():
    assert _nash.epochs(1) == [(0, 1)]
    assert _nash.epochs(8) == [(0, 1), (1, 2), (3, 4), (7, 8)]
    for T in (5, 7, 1000):
        assert len(actions("anytime_gdp_ncb", stream(16), THREE, T, epsilon=1.0)) == T


def test_four_thirds_of_the_epochs_are_uniform_in_expectation(monkeypatch):
    uniform = []
    monkeypatch.setattr(_nash, "uniform_rounds", lambda *_: uniform.append(1))
    monkeypatch.setattr(gdp_ncb, "gdp_ncb", lambda *_: None)
    runs = 20_000
    for run in range(runs):
        algorithms.find("anytime_gdp_ncb").play(stream(17, run), Arms(np.array(THREE)), 1 << 12, None, epsilon=1.0)
    deviation = math.sqrt(sum(4.0**-j * (1 - 4.0**-j) for j in range(1, 13)) / runs)
    assert len(uniform) / runs == pytest.approx(4 / 3, abs=4 * deviation)


@pytest.mark.parametrize("epsilon", [0.2, 2.0])
def test_p5_every_epoch_keeps_the_promise(epsilon):
    assert anytime_gdp_ncb.privacy(10**8, 50, epsilon=epsilon).kept
    assert anytime_ldp_ncb.privacy(10**8, 50, epsilon=epsilon).kept
    worst = _nash.worst_epoch(10**8, lambda W: gdp_ncb.privacy(W, 50, epsilon=epsilon, noise_log="ln"))
    assert not worst.kept
    ends = [start + W for start, W in _nash.epochs(1000)]
    assert [start for start, _ in _nash.epochs(1000)][1:] == ends[:-1]  # nobody is in two epochs
