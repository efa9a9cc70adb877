"""The constants of tossou2017's corollaries."""

import numpy as np
import pytest
from playing import played

from dpbandits import algorithms
from dpbandits.environments.games._game import ARM
from dpbandits.environments.games.deterministic import deterministic
from dpbandits.kernels.streams import stream


def test_left_out_constants_are_those_of_corollary_3_2():
    """At T = 4096, K = 4: tau = 4.73, rounded up to 5; epsilon = 155.265 + sqrt(112 x 5.5452 x ln 4096) = 227.139."""
    gains = deterministic(number_of_arms=4, constant=0.38, divisor=3).draw(None, 4096)
    for name, given in (("exp3_tau", {"tau": 5}), ("dp_exp3_lap", {"epsilon": 155.26499 + 71.87370})):
        implied = played(name, stream(5), gains).diary
        assert np.array_equal(implied, played(name, stream(5), gains, **given).diary)
    assert not np.array_equal(played("exp3_tau", stream(5), gains, tau_rounding="floor").diary[ARM], implied[ARM])
    assert algorithms.find("dp_exp3_lap").privacy(4096, 4).epsilon == pytest.approx(227.139, abs=1e-3)
