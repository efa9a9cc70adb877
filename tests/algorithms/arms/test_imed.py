"""IMED: indices, and whether an arm surely leads, by hand."""

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


@pytest.mark.parametrize(
    ("s", "n", "m", "leads"),
    [
        ([800, 1], [1000, 10], 8, True),  # least mean 0.794: 10 kl(0.1, 0.794) + ln 10 = 13.5, above ln 1008 = 6.9
        ([800, 1], [1000, 10], 3000, False),  # least mean 0.2: 10 kl(0.1, 0.2) + ln 10 = 2.7, below ln 4000
        ([800, 7], [1000, 10], 8, False),  # 10 kl(0.7, 0.794) + ln 10 = 2.5
        ([800, 8], [1000, 10], 8, False),  # the rival's mean may be the largest one
        ([0, 0], [2, 2], 8, False),
    ],
)
def test_whether_an_arm_surely_leads_by_hand(s, n, m, leads):
    s, n = np.array(s, float), np.array(n)
    own = [
        imed.times_log(s[b], s[b] / n[b]) + imed.times_log(n[b] - s[b], 1 - s[b] / n[b]) + math.log(n[b])
        for b in (0, 1)
    ]
    assert imed.leads(0, m, s, s / n, np.array(own), n) == leads


def test_certain_rewards():
    assert actions("imed", stream(0, "hand"), [0.0, 1.0], 40)[2:] == [1] * 38
