"""anytime_gdp_ncb: by hand, beside its plain twin, and what it promises and spends."""

import math

import numpy as np
import pytest
from plain import sarkar2025
from playing import actions
from twins import FIFTY, THREE, refused, same_actions, same_actions_in_short_games

from dpbandits import algorithms
from dpbandits.algorithms.arms import _nash, anytime_gdp_ncb, anytime_ldp_ncb, gdp_ncb
from dpbandits.environments.arms import Arms
from dpbandits.kernels.streams import stream

GIVEN = pytest.mark.parametrize("given", [{"epsilon": 2.0}], ids=str)


@GIVEN
@pytest.mark.parametrize("means", [THREE, FIFTY], ids=["three arms", "fifty arms"])
def test_kernel_takes_the_same_actions_as_its_twin(given, means):
    same_actions(sarkar2025, 12, "anytime_gdp_ncb", means, 20_000 if len(means) == 3 else 6000, 2, **given)


@GIVEN
def test_many_short_games_take_the_same_actions_as_their_twins(given):
    same_actions_in_short_games(sarkar2025, 12, "anytime_gdp_ncb", **given)


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


@pytest.mark.parametrize(("given", "part"), [({"epsilon": 0}, "epsilon: 0 should be a number above 0")], ids=str)
def test_wrong_parameters_are_refused(given, part):
    refused("anytime_gdp_ncb", given, part)


@pytest.mark.parametrize("epsilon", [0.2, 2.0])
def test_p5_every_epoch_keeps_the_promise(epsilon):
    assert anytime_gdp_ncb.privacy(10**8, 50, epsilon=epsilon).kept
    assert anytime_ldp_ncb.privacy(10**8, 50, epsilon=epsilon).kept
    worst = _nash.worst_epoch(10**8, lambda W: gdp_ncb.privacy(W, 50, epsilon=epsilon, noise_log="ln"))
    assert not worst.kept
    ends = [start + W for start, W in _nash.epochs(1000)]
    assert [start for start, _ in _nash.epochs(1000)][1:] == ends[:-1]  # nobody is in two epochs
