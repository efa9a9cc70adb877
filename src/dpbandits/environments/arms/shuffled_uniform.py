"""Arms whose rewards are uniform numbers around their means, in a random order in every run."""

from typing import Annotated

import numpy as np
from annotated_types import Gt, Le

from dpbandits.environments.arms._continuous import Continuous, ContinuousArms
from dpbandits.errors import InputError
from dpbandits.parameters import Mean


def shuffled_uniform(*, means: list[Mean], width: Annotated[float, Gt(0), Le(1)]) -> Continuous:
    """The environment `{kind: shuffled_uniform, means: [0.7, 0.5], width: 0.4}` of a paper file."""
    for mean in means:
        if not width / 2 <= mean <= 1 - width / 2:
            raise InputError(
                f"means: {mean:g} with a width of {width:g} pays rewards outside of [0, 1]; write a smaller width"
            )
    found, no_power = np.array(means, np.float64), np.zeros(len(means), np.int64)
    return Continuous(ContinuousArms(found, no_power, no_power, found - width / 2, np.full(len(means), float(width))))
