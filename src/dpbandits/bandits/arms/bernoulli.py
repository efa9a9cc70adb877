"""Arms whose rewards are 0 or 1 (the setting of tossou2016, azize2022 and mishra2015)."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from dpbandits.bandits.rewards import Arms
from dpbandits.bandits.stochastic import ArmsBandit
from dpbandits.parameters import Mean


class Bernoulli(ArmsBandit):
    """Arms that pay 1 with these probabilities, else 0.

    Parameters
    ----------
    means : sequence of float
        The probability of each arm.
    shuffled : bool, default False
        Whether the arms are in another order in every run.

    Examples
    --------
    >>> Bernoulli([0.8, 0.7, 0.5], shuffled=True).gaps.round(3)
    array([0. , 0.1, 0.3])
    """

    means: Sequence[Mean]

    @cached_property
    def arms(self) -> Arms:
        """The arms as policies get them."""
        return Arms(np.array(self.means, dtype=np.float64))
