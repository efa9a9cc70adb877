"""The stochastic adversary: tossou2017, section 4, panel (b). Gains are independent."""

import numpy as np

from dpbandits.bandits.game import Adversary, bernoulli_gains
from dpbandits.parameters import Mean
from dpbandits.random import Stream


class StochasticAdversary(Adversary):
    """Every arm gives 1 with a fixed probability, else 0; arm 1 is best.

    Parameters
    ----------
    number_of_arms : int
        At least 2.
    best : float
        The probability of arm 1.
    others : float
        The probability of every other arm.

    Examples
    --------
    >>> from dpbandits.random import stream
    >>> StochasticAdversary(2, best=1, others=0).gains(stream(1), 3).tolist()
    [[1, 0], [1, 0], [1, 0]]
    """

    best: Mean
    others: Mean

    def gains(self, rng: Stream, horizon: int) -> np.ndarray:
        """Draw the table of a run."""
        means = np.array([self.best] + [self.others] * (self.number_of_arms - 1))
        return bernoulli_gains(rng, horizon, means, 0.0)
