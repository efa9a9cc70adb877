"""Stochastic arms whose rewards are 0 or 1 (the setting of tossou2016, azize2022 and mishra2015)."""

from typing import NamedTuple

import numpy as np

from dpbandits.compiled import kernel
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
    """The reward of one pull of arm a: one uniform number."""
    return 1.0 if rng.random() < arms.means[a] else 0.0


@kernel
def pull_many(rng, arms, a, m):
    """The sum of the rewards of m pulls of arm a: one binomial number, so an episode costs as much as a round."""
    return rng.binomial(m, arms.means[a])
