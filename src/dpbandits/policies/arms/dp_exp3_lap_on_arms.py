"""DP-EXP3-Lap (tossou2017, section 3.1) on stochastic arms, which it takes for a table of gains.

Its noise is that of the given epsilon, not of Corollary 3.2. A gain is released once, with noise, before anybody
computes with it; as in its source the account is that of one gain.
"""

from dpbandits.drivers.table_of_gains import play_on_table
from dpbandits.parameters import Positive
from dpbandits.policies.games import dp_exp3_lap

privacy = dp_exp3_lap.privacy


def play(rng, arms, horizon, journal, *, epsilon: Positive):
    play_on_table(dp_exp3_lap.play, rng, arms, horizon, journal, epsilon=epsilon)
