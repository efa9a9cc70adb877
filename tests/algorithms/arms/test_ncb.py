"""ncb: by hand, beside its plain twin, and what it promises and spends."""

import math

import numpy as np
import pytest
from plain import sarkar2025
from playing import actions
from scipy import stats

from dpbandits import algorithms, parameters
from dpbandits.algorithms.arms import _nash, ncb
from dpbandits.environments.arms.drawn_arms import drawn_arms
from dpbandits.errors import InputError
from dpbandits.randomness import stream


def test_ncb_index_by_hand():
    """mu = 1/4, n = 64, c = 3, T = e^8: 1/4 + 6 sqrt(2 (1/4) 8/64) = 1.75."""
    assert ncb.NCB(0.0, 6 * math.sqrt(2 * 8.0)).terms(16.0, 64) == pytest.approx(1.75)
    assert ncb.NCB(0.0, 24.0).terms(0.0, 5) == 0.0
    assert ncb.NCB(0.0, 24.0).terms(0.0, 0) == math.inf


FIFTY = {"number_of_arms": 50, "lowest": 0.005, "highest": 1.0, "draw": 42}


LABELS = drawn_arms(**FIFTY).labels.tolist()


THREE = [0.8, 0.5, 0.3]


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("ncb", {}),
        ("ncb", {"theta": 5.0, "c": 1.0}),
        ("ncb", {"planned": 10.0}),
    ],
    ids=str,
)
@pytest.mark.parametrize("means", [THREE, LABELS], ids=["three arms", "fifty arms"])
def test_kernel_takes_the_same_actions_as_its_twin(name, given, means):
    """Leads, windows and indices at rest are short cuts that change no action."""
    horizon = 20_000 if len(means) == 3 else 6000
    for run in range(2):
        ours = actions(name, stream(12, name, run), means, horizon, **given)
        assert ours == list(getattr(sarkar2025, name)(stream(12, name, run), means, horizon, **given))


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("ncb", {}),
        ("ncb", {"theta": 5.0, "c": 1.0}),
        ("ncb", {"planned": 10.0}),
    ],
    ids=str,
)
def test_many_short_games_take_the_same_actions_as_their_twins(name, given):
    """A hundred games of 60 rounds: in the first rounds the smallest terms of an index decide, one round more or less in ln t."""
    for run in range(100):
        ours = actions(name, stream(12, "short", name, run), THREE, 60, **given)
        assert ours == list(getattr(sarkar2025, name)(stream(12, "short", name, run), THREE, 60, **given))


def test_a_game_planned_for_longer_is_the_beginning_of_the_longer_game():
    for run in range(3):
        whole = actions("ncb", stream(16, run), LABELS, 40_000)
        assert actions("ncb", stream(16, run), LABELS, 4000, planned=10.0) == whole[:4000]
    assert actions("ncb", stream(16, 0), LABELS, 4000) != actions("ncb", stream(16, 0), LABELS, 4000, planned=10.0)


def test_uniform_arms_are_uniform():
    rng = stream(15)
    counts = np.bincount([_nash.uniform_arm(rng, 50) for _ in range(50_000)], minlength=50)
    assert stats.chisquare(counts).pvalue > 1e-4


@pytest.mark.parametrize(
    ("name", "given", "part"),
    [
        ("ncb", {"c": 0}, "c: 0 should be a number above 0"),
        ("ncb", {"theta": -1}, "theta: -1 should be a number above 0"),
    ],
    ids=str,
)
def test_wrong_parameters_are_refused(name, given, part):
    with pytest.raises(InputError) as refusal:
        parameters.check(algorithms.find(name).play, given, "parameters")
    assert part in str(refusal.value)
    assert "\n" not in str(refusal.value)
