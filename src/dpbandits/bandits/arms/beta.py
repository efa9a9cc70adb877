"""Arms whose rewards are Beta(shape, 1) numbers; their means are shape/(shape + 1)."""

import math
from typing import Annotated

import numpy as np
from annotated_types import Ge, Le, doc

from dpbandits.bandits.rewards import various_arms
from dpbandits.bandits.stochastic import Stochastic
from dpbandits.errors import InputError

Shape = Annotated[float, Ge(2**-8), Le(2**8), doc("a number in [1/256, 256]")]


def beta(*, shapes: list[Shape], shuffled: bool = False) -> Stochastic:
    """The environment `{kind: beta, shapes: [4, 2, 1, 0.5, 0.25]}` of a paper file."""
    logs = [math.log2(shape) for shape in shapes]
    for shape, log in zip(shapes, logs, strict=True):
        if not log.is_integer():
            raise InputError(
                f"shapes: {shape:g} is no power of two, for which a reward is drawn by roots; write {2 ** round(log):g}"
            )
    means = np.array([shape / (shape + 1) for shape in shapes])
    return Stochastic(various_arms(means, [(0, 1, -1, log) for log in logs]), shuffled)
