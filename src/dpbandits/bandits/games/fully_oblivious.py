"""The fully oblivious adversary: tossou2017, section 4, panel (c).

Every gain has a mean of its own.
"""

from typing import Annotated

import numpy as np
from annotated_types import Ge, Le

from dpbandits.bandits.game import Adversary, Arm, bernoulli_gains
from dpbandits.errors import InputError
from dpbandits.parameters import Words
from dpbandits.random import Stream

Spread = Annotated[
    float, Ge(0), Le(0.25), Words("a number in [0, 0.25], as 0.5 + 2e must be a mean in [0, 1]")
]


class FullyOblivious(Adversary):
    """In every round, every arm gives 1 with a new probability p, else 0.

    For the best arm p is uniform in [0.5, 0.5 + 2e], for the others in [0.5 - e, 0.5 + e].

    Parameters
    ----------
    number_of_arms : int
        At least 2.
    best_arm : int
        The number of the best arm, from 1.
    e : float
        The best arm's mean gain minus the others'.

    Examples
    --------
    >>> FullyOblivious(3, best_arm=2, e=0.25).lowest_means
    array([0.25, 0.5 , 0.25])
    """

    best_arm: Arm
    e: Spread

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.best_arm > (K := self.number_of_arms):
            says = f"{self.best_arm} should be the number of one of the {K} arms, from 1"
            raise InputError(f"best_arm: {says}")

    @property
    def lowest_means(self) -> np.ndarray:
        """The lower ends of the arms' intervals, all of width 2e."""
        lowest = np.full(self.number_of_arms, 0.5 - self.e)
        lowest[self.best_arm - 1] = 0.5
        return lowest

    def gains(self, rng: Stream, horizon: int) -> np.ndarray:
        """Draw the table of a run."""
        return bernoulli_gains(rng, horizon, self.lowest_means, 2 * self.e)
