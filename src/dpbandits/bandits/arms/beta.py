"""Arms whose rewards are Beta(shape, 1) numbers; their means are shape/(shape + 1)."""

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Annotated

import numpy as np
from annotated_types import Ge, Le

from dpbandits.bandits.rewards import Arms, various_arms
from dpbandits.bandits.stochastic import ArmsBandit
from dpbandits.errors import InputError
from dpbandits.parameters import Words

Shape = Annotated[float, Ge(2**-8), Le(2**8), Words("a number in [1/256, 256]")]


class Beta(ArmsBandit):
    """Arms that pay Beta(shape, 1) numbers.

    Parameters
    ----------
    shapes : sequence of float
        The shape of each arm, a power of two.
    shuffled : bool, default False
        Whether the arms are in another order in every run.

    Examples
    --------
    >>> Beta([4, 1, 0.25]).arms.means
    array([0.8, 0.5, 0.2])
    """

    shapes: Sequence[Shape]

    @cached_property
    def arms(self) -> Arms:
        """The arms as policies get them: rewards are drawn by square roots or squares."""
        logs = [math.log2(shape) for shape in self.shapes]
        for shape, log in zip(self.shapes, logs, strict=True):
            if not log.is_integer():
                remedy = f"write {2 ** round(log):g}"
                raise InputError(f"shapes: {shape:g} should be a power of two; {remedy}")
        means = np.array([shape / (shape + 1) for shape in self.shapes])
        return various_arms(means, [(0, 1, -1, log) for log in logs])
