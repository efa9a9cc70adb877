"""Stochastic arms whose rewards are 0 or 1 (the setting of tossou2016, azize2022 and mishra2015)."""

from typing import NamedTuple

import numpy as np

from dpbandits.compiled import kernel
from dpbandits.errors import InputError
from dpbandits.parameters import Mean


class Arms(NamedTuple):
    """The arms' means; arm a pays 1 with probability means[a], else 0."""

    means: np.ndarray


def bernoulli(*, means: list[Mean]) -> Arms:
    """The environment `{kind: bernoulli, means: [...]}` of a paper file."""
    if len(means) < 2:
        raise InputError(f"means: {means} is a single arm; give at least two")
    return Arms(np.array(means, dtype=np.float64))


@kernel
def pull(rng, arms, a):
    """The reward of one pull of arm a: one uniform number."""
    return 1.0 if rng.random() < arms.means[a] else 0.0
