"""The lengths of DP-SE's epochs, by hand, and the curves that Hu & Hegde (2022) drew of them."""

import numpy as np
import pytest
from playing import AZIZE2022, final_regret

from dpbandits.policies.arms.dp_se import epoch_length
from dpbandits.random import stream


@pytest.mark.parametrize(
    ("arms", "epoch", "epsilon", "R"),
    [
        (5, 1, 1.0, 1946.831),  # 32 * 4 ln(4e6) + 1
        (2, 2, 1.0, 8024.966),  # 32 * 16 ln(6.4e6) + 1
        (5, 1, 0.1, 2322.385),  # 8 * 2 ln(2e6)/0.1 + 1
    ],
)
def test_the_length_of_an_epoch_is_rounded_up(arms, epoch, epsilon, R):
    lengths = [epoch_length(arms, epoch, epsilon, 1e-5, up) for up in (True, False)]
    assert lengths == [np.ceil(R), np.floor(R)]


@pytest.mark.parametrize(
    ("means", "epsilon", "drawn"),
    [
        (AZIZE2022["C2"], 1.0, 3436.875),  # 1947 * 1.25 + 8025/8
        (AZIZE2022["C2"], 0.1, 3906.875),  # 2323 * 1.25 + 8025/8
        ([0.8, 0.05, 0.05, 0.05, 0.05], 1.0, 5841.0),  # 1947 * 3
        ([0.8, 0.05, 0.05, 0.05, 0.05], 0.5, 5841.0),
    ],
)
def test_hu2022_drew_runs_of_dp_se(means, epsilon, drawn):
    """Most runs end at the drawn value, which no run attains with epochs that are rounded down."""
    ends = {"up": [], "down": []}
    for rounding, regrets in ends.items():
        for run in range(40):
            rng, T = stream(1, rounding, run), 100_000
            regrets.append(final_regret("dp_se", rng, means, T, epsilon=epsilon, rounding=rounding))
    assert ends["up"].count(drawn) > 20
    assert drawn not in ends["down"]
