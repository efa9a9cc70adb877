"""Arms whose rewards are uniform numbers around their means."""

from typing import Annotated

import numpy as np
from annotated_types import Gt, Le, doc

from dpbandits.bandits.rewards import various_arms
from dpbandits.bandits.stochastic import Stochastic
from dpbandits.errors import InputError
from dpbandits.parameters import Mean

Width = Annotated[float, Gt(0), Le(1), doc("a width in (0, 1]")]


def uniform_rewards(*, means: list[Mean], width: Width, shuffled: bool = False) -> Stochastic:
    """The environment `{kind: uniform_rewards, means: [0.7, 0.5], width: 0.4}` of a paper file."""
    for mean in means:
        if not width / 2 <= mean <= 1 - width / 2:
            raise InputError(
                f"means: {mean:g} with a width of {width:g} pays rewards outside of [0, 1]; write a smaller width"
            )
    rows = [(mean - width / 2, width, -1, 0) for mean in means]
    return Stochastic(various_arms(np.array(means, np.float64), rows), shuffled)
