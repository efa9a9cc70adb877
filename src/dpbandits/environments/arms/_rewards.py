"""How arms pay: `pull` and `pull_many` are how every kernel gets its rewards, whatever the arms' laws are."""

from typing import NamedTuple

import numpy as np
from numba.extending import overload

from dpbandits.compiled import kernel
from dpbandits.environments.arms._laws import draw, draw_sum


class Arms(NamedTuple):
    """Bernoulli arms: arm a pays 1 with probability means[a], else 0."""

    means: np.ndarray


class MixedArms(NamedTuple):
    """Arms that have laws of their own (`_laws`): the true means, and the law of each."""

    means: np.ndarray
    laws: np.ndarray


@kernel
def pull(rng, arms, a):
    """The reward of one pull of arm a: one uniform number where it is 0 or 1."""
    return _reward(rng, arms, a)


@kernel
def pull_many(rng, arms, a, m):
    """The sum of the rewards of m pulls of arm a: one binomial number, so an episode costs as much as a round."""
    return _rewards(rng, arms, a, m)


def _reward(rng, arms, a):
    """Compiled for the kind of arms that it is given: no test in the loop."""


def _rewards(rng, arms, a, m):
    """As `_reward`, for the sum of m rewards."""


@overload(_reward)
def _reward_of(rng, arms, a):
    if "laws" in arms.fields:
        return lambda rng, arms, a: draw(rng, arms.laws[a], arms.means[a])
    return lambda rng, arms, a: 1.0 if rng.random() < arms.means[a] else 0.0


@overload(_rewards)
def _rewards_of(rng, arms, a, m):
    if "laws" in arms.fields:
        return lambda rng, arms, a, m: draw_sum(rng, arms.laws[a], arms.means[a], m)
    return lambda rng, arms, a, m: rng.binomial(m, arms.means[a])
