"""The deterministic adversary: tossou2017, section 4, panel (a)."""

import numpy as np

from dpbandits.bandits.game import Adversary
from dpbandits.parameters import Mean, Natural
from dpbandits.random import Stream


class Deterministic(Adversary):
    """Arm 1 always gives a constant, arms 2 and 3 give 1 periodically, and the others give 0.

    Parameters
    ----------
    number_of_arms : int
        At least 2.
    constant : float
        The gain of arm 1 in every round.
    divisor : int
        Arm 3 gives 1 in the rounds divisible by it; arm 2 gives 1 in even rounds.

    Examples
    --------
    >>> Deterministic(3, constant=0.5, divisor=3).gains(None, 3).tolist()
    [[0.5, 0.0, 0.0], [0.5, 1.0, 0.0], [0.5, 0.0, 1.0]]
    """

    constant: Mean
    divisor: Natural

    def gains(self, rng: Stream, horizon: int) -> np.ndarray:
        """Make the table; nothing is random."""
        gains = np.zeros((horizon, self.number_of_arms))
        gains[:, 0] = self.constant
        gains[1::2, 1] = 1
        if self.number_of_arms > 2:
            gains[self.divisor - 1 :: self.divisor, 2] = 1
        return gains
