"""Stochastic arms whose rewards are 0 or 1 (the setting of tossou2016, azize2022 and mishra2015).

`pull` and `pull_many` are how every kernel gets its rewards. Arms that have laws of their own (`_laws`) answer by these.
"""

from typing import NamedTuple

import numpy as np
from numba.extending import overload

from dpbandits.compiled import kernel
from dpbandits.environments._laws import draw, draw_sum
from dpbandits.environments.journal import Journal, blank_journal
from dpbandits.errors import InputError
from dpbandits.parameters import Mean


class Arms(NamedTuple):
    """The arms' means; arm a pays 1 with probability means[a], else 0."""

    means: np.ndarray


class Bernoulli:
    """The environment: every run plays the same arms."""

    def __init__(self, means: np.ndarray):
        self.arms = Arms(means)
        self.gaps = means.max() - means
        self.number_of_arms = len(means)

    def begin(self, rng: np.random.Generator, horizon: int, t: np.ndarray) -> tuple[Arms, Journal]:
        """Nothing is drawn in advance."""
        return self.arms, blank_journal(self.gaps, t)


def bernoulli(*, means: list[Mean]) -> Bernoulli:
    """The environment `{kind: bernoulli, means: [...]}` of a paper file."""
    if len(means) < 2:
        raise InputError(f"means: {means} is a single arm; give at least two")
    return Bernoulli(np.array(means, dtype=np.float64))


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
