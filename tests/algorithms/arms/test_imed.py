"""IMED: indices by hand."""

import math

import numpy as np
import pytest
from playing import actions

from dpbandits.algorithms.arms import imed
from dpbandits.random import stream


def chosen(s, n):
    s, n = np.array(s, float), np.array(n)
    mu = s / n
    own = [imed.times_log(s[b], mu[b]) + imed.times_log(n[b] - s[b], 1 - mu[b]) + math.log(n[b]) for b in range(len(n))]
    return imed.smallest(s, mu, np.array(own), n)


@pytest.mark.parametrize(
    ("s", "n", "arm"),
    [
        ([3, 1, 0], [4, 2, 1], 1),  # ln 4; 2 kl(1/2, 3/4) + ln 2 = ln(4/3) + ln 2 = 0.98; ln 4
        ([300, 1, 0], [400, 4, 1], 2),  # ln 400; 4 kl(1/4, 3/4) + ln 4 = 3.58; ln 4
        ([2, 0], [2, 1], 0),  # an arm without a reward is infinitely far from a mean of 1
        ([0, 0, 0], [2, 1, 1], 1),  # all means are equal: the fewest pulls, and of these the first
        ([1, 0], [2, 1], 0),  # ln 2 both
    ],
)
def test_indices_by_hand(s, n, arm):
    assert chosen(s, n) == arm


def test_certain_rewards():
    assert actions("imed", stream(0, "hand"), [0.0, 1.0], 40)[2:] == [1] * 38
