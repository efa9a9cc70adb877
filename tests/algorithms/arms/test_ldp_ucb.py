"""ldp_ucb: by hand, beside its plain twin, and what it promises and spends."""

import pytest
from plain import sarkar2025
from playing import actions

from dpbandits import algorithms, parameters
from dpbandits.environments.arms.drawn_arms import drawn_arms
from dpbandits.errors import InputError
from dpbandits.randomness import stream

FIFTY = {"number_of_arms": 50, "lowest": 0.005, "highest": 1.0, "draw": 42}


LABELS = drawn_arms(**FIFTY).labels.tolist()


THREE = [0.8, 0.5, 0.3]


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("ldp_ucb", {"epsilon": 0.2}),
        ("ldp_ucb", {"epsilon": 2.0}),
        ("ldp_ucb_clipped", {"epsilon": 0.2}),
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
        ("ldp_ucb", {"epsilon": 0.2}),
        ("ldp_ucb", {"epsilon": 2.0}),
        ("ldp_ucb_clipped", {"epsilon": 0.2}),
    ],
    ids=str,
)
def test_many_short_games_take_the_same_actions_as_their_twins(name, given):
    """A hundred games of 60 rounds: in the first rounds the smallest terms of an index decide, one round more or less in ln t."""
    for run in range(100):
        ours = actions(name, stream(12, "short", name, run), THREE, 60, **given)
        assert ours == list(getattr(sarkar2025, name)(stream(12, "short", name, run), THREE, 60, **given))


@pytest.mark.parametrize(
    ("name", "given", "part"), [("ldp_ucb", {"epsilon": "0.2"}, "epsilon: '0.2' should be a number")], ids=str
)
def test_wrong_parameters_are_refused(name, given, part):
    with pytest.raises(InputError) as refusal:
        parameters.check(algorithms.find(name).play, given, "parameters")
    assert part in str(refusal.value)
    assert "\n" not in str(refusal.value)
