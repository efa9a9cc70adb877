"""Uniform play, the baseline that every policy should beat.

It is private for every epsilon, so it promises none.
"""

from dpbandits.drivers.nash_phases import play_at_random
from dpbandits.policy import ArmsPolicy


class Uniform(ArmsPolicy):
    """Play an arm at random in each round, and read no reward."""

    def play(self, run):
        play_at_random(run, run.end)
