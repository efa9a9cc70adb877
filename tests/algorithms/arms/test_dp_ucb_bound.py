"""dp_ucb_bound: by hand, beside its plain twin, and what it promises and spends."""

import math

import pytest
from plain import tossou2016
from playing import actions
from twins import TEN, TWO, same_actions, same_law

from dpbandits import algorithms
from dpbandits.kernels.streams import stream


def test_dp_ucb_bound_by_hand():
    """With a huge epsilon there is no noise and hardly any error bound: it is UCB."""
    chosen = actions("dp_ucb_bound", stream(0, "hand"), [1.0, 0.0], 8, epsilon=1e9)
    assert chosen == [0, 1, 0, 0, 0, 0, 1, 0]


def test_dp_ucb_bound_starves_an_arm_at_a_power_of_two():
    """At epsilon = 1 the error bound is all: round 3, both arms have n = 1; arm 0 wins the tie or by its reward."""
    # c_t/n is sqrt(8) ln(4 t^4)/n. At n = (2, 1) (t = 4) arm 1 has c, arm 0 c/2: arm 1. At n = (2, 2) (t = 5): by the
    # counts, some arm a goes to 3 and then has factor (ln 3 + 1)/3 = 0.6995 against 1/2: it is played again to 4, where
    # its factor is 1/4 against 1/2: the other arm follows to 3 and 4.
    chosen = actions("dp_ucb_bound", stream(0, "hand"), [1.0, 0.0], 8, epsilon=0.01)
    first = chosen[4]
    assert sorted(chosen[:4]) == [0, 0, 1, 1]
    assert chosen[4:] == [first, first, 1 - first, 1 - first]


@pytest.mark.parametrize("means", [TWO, TEN], ids=["two arms", "ten arms"])
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("dp_ucb_bound", {"epsilon": 1.0}),
        ("dp_ucb_bound", {"epsilon": 0.1, "hybrid_split": "full_log2"}),
        ("dp_ucb_bound", {"epsilon": 5.0, "hybrid_split": "literal_natlog", "power_of_two_rule": False}),
    ],
    ids=str,
)
def test_kernel_takes_the_same_actions_as_its_twin(name, parameters, means):
    same_actions(tossou2016, 1, name, means, 3000, 4, **parameters)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("dp_ucb_bound", {"epsilon": 1.0})],
)
def test_law_of_final_regret_agrees_with_the_twin(name, parameters):
    same_law(tossou2016, (4, "ours"), (4, "twin"), name, 600, parameters, parameters)


SPLITS = {"half_log2": 1.0, "full_log2": 2.0, "literal_natlog": 1 + 1 / math.log(2)}


@pytest.mark.parametrize(("split", "kept"), [("half_log2", True), ("full_log2", False), ("literal_natlog", False)])
def test_p2_dp_ucb_and_bound(split, kept):
    account = algorithms.find("dp_ucb_bound").privacy(100_000, 2, epsilon=0.1, hybrid_split=split)
    assert (account.epsilon, account.delta) == (0.1, 0.0)
    assert account.spent == pytest.approx(SPLITS[split] * 0.1, rel=1e-9)
    assert account.kept is kept
