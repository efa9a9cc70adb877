"""Parameters of classes: what is valid, what messages say, and which objects are equal."""

import math
from collections.abc import Sequence
from dataclasses import FrozenInstanceError
from typing import Literal

import numpy as np
import pytest
from project import ROOT

from dpbandits import bandits, parameters
from dpbandits.errors import InputError
from dpbandits.parameters import Finite, Mean, Natural, Parameters, Positive, Probability
from dpbandits.policies import DPSE, POLICIES, PrivateLinUCB
from dpbandits.studies import strict_yaml
from dpbandits.studies.settings import Settings


class Some(Parameters):
    epsilon: Positive
    count: Natural | None = None
    mode: Literal["all", "some"] = "all"
    sizes: Sequence[Mean] = ()  # a default need not be a valid value


class More(Some):
    play: bool = False  # a method of other classes


def test_values_get_the_types_of_their_fields():
    some = Some(epsilon=np.float64(1), count=np.int64(3), sizes=np.array([0, 0.5]))
    assert some.parameters == {"epsilon": 1.0, "count": 3, "mode": "all", "sizes": (0.0, 0.5)}
    assert (type(some.epsilon), type(some.count)) == (float, int)
    policy = PrivateLinUCB(eps0=1, lam=1)
    assert [type(each) for each in (policy.eps0, policy.lam, policy.delay)] == [float, float, int]


class Chosen(Some):
    chance: Literal["t", "T"] | Probability = "t"
    power: Literal["2c", "4"] = "4"
    match: Sequence[Sequence[Finite]] = ()


MISTAKES = [
    ({"epsilon": 0}, "epsilon: 0 should be a number above 0"),
    ({"epsilon": True}, "epsilon: True should be a number above 0"),
    ({"epsilon": "1e-1"}, "epsilon: 1e-1 is read as a string; write 0.1"),
    ({"epsilon": "0,5"}, "epsilon: 0,5 is read as a string; write 0.5"),
    ({"count": 0}, "count: 0 should be an integer of at least 1"),
    ({"mode": "al"}, "mode: 'al' should be one of all, some; did you mean 'all'?"),
    ({"sizes": []}, "sizes: [] should be of length 1 or more"),
    ({"sizes": [0.5, 2]}, "sizes[1]: 2 should be a mean in [0, 1]"),
    ({"chance": 2}, "chance: 2 should be one of t, T, or a number in (0, 1)"),
    (
        {"chance": "tt"},
        "chance: 'tt' should be one of t, T, or a number in (0, 1); did you mean 't'?",
    ),
    ({"power": 4}, "power: 4 should be the string '4'"),
    ({"match": [[1], [0, math.nan]]}, "match[1][1]: nan should be a finite number"),
    ({"match": [1]}, "match[0]: 1 should be a list, such as [a, b]"),
]


@pytest.mark.parametrize(("values", "message"), MISTAKES)
def test_a_value_that_is_not_valid_is_refused_with_its_place_and_the_alternatives(values, message):
    with pytest.raises(InputError) as refusal:
        Chosen(**{"epsilon": 1} | values)
    assert str(refusal.value) == message


def test_a_file_and_a_class_refuse_a_value_in_the_same_words():
    content = strict_yaml.read_yaml(ROOT / "config/config.yaml")
    says = "[1]: 0 should be a number above 0"
    with pytest.raises(InputError) as of_class:
        parameters.validated(list[Positive], [1, 0], "epsilons")
    content["audit"]["smoke"]["epsilons"] = [1, 0]
    with pytest.raises(InputError) as of_file:
        parameters.validated(Settings, content)
    assert str(of_class.value) == f"epsilons{says}"
    assert str(of_file.value) == f"audit.smoke.epsilons{says}"


def test_names_are_checked_where_a_person_types_them():
    with pytest.raises(InputError, match=r"^here: 'epsilon' is missing; write epsilon: a number"):
        POLICIES.make("dp_se", {}, "here")
    with pytest.raises(InputError, match=r"^here: unknown key 'epsilom'; did you mean 'epsilon'"):
        POLICIES.make("dp_se", {"epsilom": 1}, "here")
    with pytest.raises(InputError, match=r"^unknown kind of environment ''; known: bern"):
        bandits.make({"means": [0.9, 0.6]})
    with pytest.raises(InputError, match=r"^draw: 4294967296 should be an integer from 0 to 2"):
        bandits.DrawnArms(3, lowest=0.1, highest=0.9, draw=2**32)


def test_declared_parameters_are_those_of_a_class_and_its_base():
    known = parameters.declared(More)
    assert list(known) == ["epsilon", "count", "mode", "sizes", "play"]
    assert [name for name, each in known.items() if each.is_required] == ["epsilon"]
    assert [name for name, each in known.items() if each.is_number] == ["epsilon", "play"]


def test_objects_are_values():
    """Equal, hashed and printed by their parameters, which nothing changes."""
    assert {Some(epsilon=1), Some(epsilon=1.0, mode="all")} == {Some(epsilon=1)}
    assert Some(epsilon=1) != More(epsilon=1)
    assert repr(Some(epsilon=1, sizes=[0.5])) == "Some(epsilon=1.0, sizes=(0.5,))"
    assert eval(repr(More(epsilon=0.1, play=True))) == More(epsilon=0.1, play=True)
    with pytest.raises(FrozenInstanceError):
        Some(epsilon=1).epsilon = 2
    with pytest.raises(TypeError, match="positional"):
        Some(1)


def test_labels_are_those_of_the_class_and_the_changed_parameters():
    """They name the random numbers of `compare`: no label may change, and none comes twice."""
    grid = DPSE.grid(elimination=["all", "skip_next"], epsilon=[0.1, 1, 1e-7])
    assert list(map(repr, grid)) == [
        "DPSE(epsilon=0.1)",
        "DPSE(epsilon=1.0)",
        "DPSE(epsilon=1e-07)",
        "DPSE(epsilon=0.1, elimination='skip_next')",
        "DPSE(epsilon=1.0, elimination='skip_next')",
        "DPSE(epsilon=1e-07, elimination='skip_next')",
    ]
    for value in (0.1, "all"):
        with pytest.raises(InputError, match=r"^epsilon: .* should be a list of values: \["):
            DPSE.grid(epsilon=value)
