"""Arms whose rewards are uniform numbers around their means."""

from collections.abc import Sequence
from functools import cached_property
from typing import Annotated

import numpy as np
from annotated_types import Gt, Le

from dpbandits.bandits.rewards import Arms, various_arms
from dpbandits.bandits.stochastic import ArmsBandit
from dpbandits.errors import InputError
from dpbandits.parameters import Mean, Words

Width = Annotated[float, Gt(0), Le(1), Words("a width in (0, 1]")]


class UniformRewards(ArmsBandit):
    """Arms that pay uniform numbers around their means.

    Parameters
    ----------
    means : sequence of float
        The mean of each arm.
    width : float
        The largest reward of an arm minus its smallest.
    shuffled : bool, default False
        Whether the arms are in another order in every run.

    Examples
    --------
    >>> UniformRewards([0.7, 0.5], width=0.4).gaps.round(3)
    array([0. , 0.2])
    """

    means: Sequence[Mean]
    width: Width

    @cached_property
    def arms(self) -> Arms:
        """The arms as policies get them."""
        half = self.width / 2
        for mean in self.means:
            if not half <= mean <= 1 - half:
                says = f"{mean:g} with a width of {self.width:g} pays rewards outside of [0, 1]"
                raise InputError(f"means: {says}; write a smaller width")
        rows = [(mean - half, self.width, -1, 0) for mean in self.means]
        return various_arms(np.array(self.means, np.float64), rows)
