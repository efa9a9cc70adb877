"""Uniform play, the baseline that every policy should beat: each round plays an arm at random and reads no reward.

It is private for every epsilon, so it promises none.
"""

import numpy as np

from dpbandits.drivers.nash_phases import uniform_rounds


def play(rng, arms, horizon, journal):
    uniform_rounds(rng, 0, horizon, journal, np.zeros(len(arms.means), np.int64))
