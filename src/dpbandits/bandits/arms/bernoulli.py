"""Stochastic arms whose rewards are 0 or 1 (the setting of tossou2016, azize2022 and mishra2015)."""

import numpy as np

from dpbandits.bandits.rewards import Arms
from dpbandits.bandits.stochastic import Stochastic
from dpbandits.parameters import Mean


def bernoulli(*, means: list[Mean], shuffled: bool = False) -> Stochastic:
    """The environment `{kind: bernoulli, means: [...]}` of a paper file."""
    return Stochastic(Arms(np.array(means, dtype=np.float64)), shuffled)
