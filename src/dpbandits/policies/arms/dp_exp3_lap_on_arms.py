"""DP-EXP3-Lap (tossou2017, section 3.1) on stochastic arms, as on a table of gains.

Its noise is that of the given epsilon, not of Corollary 3.2. A gain is released once, with noise,
before anybody computes with it; as in its source the account is that of one gain.
"""

from dpbandits.drivers.table_of_gains import TablePolicy
from dpbandits.parameters import Positive
from dpbandits.policies.games.dp_exp3_lap import DPEXP3Lap


class DPEXP3LapOnArms(TablePolicy):
    """DP-EXP3-Lap on a table of rewards."""

    epsilon: Positive

    def on_table(self, horizon):
        return DPEXP3Lap(epsilon=self.epsilon)

    def privacy(self, horizon, number_of_arms):
        """The account of DP-EXP3-Lap."""
        return self.on_table(horizon).privacy(horizon, number_of_arms)
