"""The oblivious adversary: tossou2017, section 4, panel (d).

Gains are drawn again periodically.
"""

import numpy as np

from dpbandits.bandits.games.fully_oblivious import FullyOblivious
from dpbandits.parameters import Natural
from dpbandits.random import Stream


class Oblivious(FullyOblivious):
    """As FullyOblivious in rounds that are multiples of `period`; else each arm's last gain.

    The paper does not define the rounds before the first multiple. Here the first gains are drawn
    at t = 1.

    Parameters
    ----------
    number_of_arms : int
        At least 2.
    best_arm : int
        The number of the best arm, from 1.
    e : float
        The best arm's mean gain minus the others'.
    period : int
        The number of rounds between two draws.

    Examples
    --------
    >>> from dpbandits.random import stream
    >>> adversary = Oblivious(2, best_arm=1, e=0.25, period=50)
    >>> (np.diff(adversary.gains(stream(1), 100)[49:99], axis=0) == 0).all()
    np.True_
    """

    period: Natural

    def gains(self, rng: Stream, horizon: int) -> np.ndarray:
        """Draw the table of a run."""
        rows = super().gains(rng, horizon // self.period + 1)
        return rows[np.arange(1, horizon + 1) // self.period]
