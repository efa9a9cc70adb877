"""Uniform play, the baseline that every policy should beat.

It is private for every epsilon, so it promises none.
"""

import numpy as np

from dpbandits.drivers.nash_phases import uniform_rounds
from dpbandits.policy import ArmsPolicy


class Uniform(ArmsPolicy):
    """Play an arm at random in each round, and read no reward."""

    def play(self, rng, arms, horizon, journal):
        uniform_rounds(rng, 0, horizon, journal, np.zeros(len(arms.means), np.int64))
