"""The curves that Hu & Hegde (2022) drew of DP-SE, by the lengths of its epochs."""

import pytest
from playing import AZIZE2022, final_regret

from dpbandits.policies.arms.dp_se import epoch_length, threshold
from dpbandits.random import stream


def test_the_width_of_two_arms_by_hand():
    """1000 pulls, epsilon = 0.5, beta = 1/1000: 2 sqrt(ln(16,000)/2000) + 2 ln(8000)/500."""
    assert threshold(2, 1, 1000, 0.5, 1e-3) == pytest.approx(0.139143 + 0.035949, abs=1e-6)


def test_an_epoch_has_an_integer_number_of_pulls_at_any_epsilon():
    """Up to 10^15, which no game has, and a kernel can multiply by its number of arms."""
    assert [epoch_length(2, 1, epsilon, 1e-3) for epsilon in (1e-18, 1e-30)] == [10**15] * 2


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
