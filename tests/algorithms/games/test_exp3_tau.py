"""exp3_tau: by hand, and what is refused (its twin is in test_every_algorithm.py)."""

import numpy as np
import pytest
from playing import played

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


def test_a_batch_longer_than_the_game_is_refused():
    algorithms.find("exp3_tau").check(100, 4, tau=100)
    with pytest.raises(InputError, match="tau: 101 should be at most the horizon 100"):
        algorithms.find("exp3_tau").check(100, 4, tau=101)
