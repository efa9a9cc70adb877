"""anytime_gdp_ncb: by hand, beside its plain twin, and what it promises and spends."""

import math

import numpy as np
import pytest
from plain import sarkar2025
from playing import actions

from dpbandits import algorithms, parameters
from dpbandits.algorithms.arms import _nash, anytime_gdp_ncb, anytime_ldp_ncb, gdp_ncb
from dpbandits.environments.arms import Arms
from dpbandits.environments.arms.drawn_arms import drawn_arms
from dpbandits.errors import InputError
from dpbandits.randomness import stream

FIFTY = {"number_of_arms": 50, "lowest": 0.005, "highest": 1.0, "draw": 42}


LABELS = drawn_arms(**FIFTY).labels.tolist()


THREE = [0.8, 0.5, 0.3]


@pytest.mark.parametrize(("name", "given"), [("anytime_gdp_ncb", {"epsilon": 2.0})], ids=str)
@pytest.mark.parametrize("means", [THREE, LABELS], ids=["three arms", "fifty arms"])
def test_kernel_takes_the_same_actions_as_its_twin(name, given, means):
    """Leads, windows and indices at rest are short cuts that change no action."""
    horizon = 20_000 if len(means) == 3 else 6000
    for run in range(2):
        ours = actions(name, stream(12, name, run), means, horizon, **given)
        assert ours == list(getattr(sarkar2025, name)(stream(12, name, run), means, horizon, **given))


@pytest.mark.parametrize(("name", "given"), [("anytime_gdp_ncb", {"epsilon": 2.0})], ids=str)
def test_many_short_games_take_the_same_actions_as_their_twins(name, given):
    """A hundred games of 60 rounds: in the first rounds the smallest terms of an index decide, one round more or less in ln t."""
    for run in range(100):
        ours = actions(name, stream(12, "short", name, run), THREE, 60, **given)
        assert ours == list(getattr(sarkar2025, name)(stream(12, "short", name, run), THREE, 60, **given))


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


@pytest.mark.parametrize(
    ("name", "given", "part"), [("anytime_gdp_ncb", {"epsilon": 0}, "epsilon: 0 should be a number above 0")], ids=str
)
def test_wrong_parameters_are_refused(name, given, part):
    with pytest.raises(InputError) as refusal:
        parameters.check(algorithms.find(name).play, given, "parameters")
    assert part in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("epsilon", [0.2, 2.0])
def test_p5_every_epoch_keeps_the_promise(epsilon):
    assert anytime_gdp_ncb.privacy(10**8, 50, epsilon=epsilon).kept
    assert anytime_ldp_ncb.privacy(10**8, 50, epsilon=epsilon).kept
    assert not anytime_gdp_ncb.privacy(10**8, 50, epsilon=epsilon, noise_log="ln").kept
    ends = [start + W for start, W in _nash.epochs(1000)]
    assert [start for start, _ in _nash.epochs(1000)][1:] == ends[:-1]  # nobody is in two epochs
