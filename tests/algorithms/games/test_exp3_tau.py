"""exp3_tau: by hand, beside its plain twin, and what it promises and spends."""

import numpy as np
import pytest
from plain import tossou2017
from playing import played
from twins import PENALIZED, same_actions_in_games, same_law_in_games

from dpbandits import algorithms
from dpbandits.environments.games._game import ARM
from dpbandits.errors import InputError
from dpbandits.kernels.streams import stream


def test_exp3_tau_by_hand():
    """Seven rounds, tau = 3: the arm can change before rounds 4 and 7 only, and the last batch is one round long."""
    journals = [played("exp3_tau", stream(0, run), np.eye(7, 4) * 0, tau=3).diary[ARM].tolist() for run in range(40)]
    for arms in journals:
        assert arms[0] == arms[1] == arms[2]
        assert arms[3] == arms[4] == arms[5]
    assert len({arms[6] for arms in journals}) == len({arms[0] for arms in journals}) == 4


@pytest.mark.parametrize(("penalty", "observed"), PENALIZED)
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("exp3_tau", {"tau": 1}),
        ("exp3_tau", {"tau": 7}),
        ("exp3_tau", {"tau": 2048}),
    ],
    ids=str,
)
def test_kernel_takes_the_same_actions_as_its_twin(name, parameters, penalty, observed):
    same_actions_in_games(tossou2017, name, penalty, observed, **parameters)


@pytest.mark.parametrize(("name", "parameters"), [("exp3_tau", {"tau": 7})], ids=str)
def test_law_of_final_regret_agrees_with_the_twin(name, parameters):
    same_law_in_games(tossou2017, name, **parameters)


def test_a_batch_longer_than_the_game_is_refused():
    algorithms.find("exp3_tau").check(100, 4, tau=100)
    with pytest.raises(InputError, match="tau: 101 should be at most the horizon 100"):
        algorithms.find("exp3_tau").check(100, 4, tau=101)
