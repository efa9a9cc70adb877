"""EXP3_tau (tossou2017, section 3.3) on stochastic arms, as on a table of gains.

tau is the smallest batch for which Theorem 3.5 promises the given epsilon at the given delta.
(Corollary 3.2, with which the paper plays, has delta = T^-2 and fixes an epsilon of several
hundred.)
"""

import math
from dataclasses import replace

from dpbandits.drivers.table_of_gains import TablePolicy
from dpbandits.errors import InputError
from dpbandits.parameters import Positive, Probability
from dpbandits.policies.games.exp3_tau import EXP3Tau
from dpbandits.privacy.ledger import rho_of


class EXP3TauOnArms(TablePolicy):
    """EXP3_tau on a table of rewards."""

    epsilon: Positive
    delta: Probability = 1e-8

    def tau(self, horizon: int) -> int:
        """The smallest tau with 4x + sqrt(8 ln(1/delta) x) <= epsilon, where x = T/tau^3.

        So 4x is at most the rho of (epsilon, sqrt(delta)).
        """
        return math.ceil((4 * horizon / rho_of(self.epsilon, math.sqrt(self.delta))) ** (1 / 3))

    def on_table(self, horizon):
        return EXP3Tau(tau=self.tau(horizon))

    def check(self, horizon, number_of_arms):
        """Raise InputError if no batch would be complete."""
        if (tau := self.tau(horizon)) > horizon:
            needs = f"epsilon {self.epsilon:g} needs batches of {tau} rounds"
            raise InputError(f"{needs}, and the horizon is {horizon}; write a larger epsilon")

    def privacy(self, horizon, number_of_arms):
        """Theorem 3.5 of tossou2017, and the ledger of its batches."""
        account = self.on_table(horizon).privacy(horizon, number_of_arms)
        return replace(account, epsilon=self.epsilon, delta=self.delta)
