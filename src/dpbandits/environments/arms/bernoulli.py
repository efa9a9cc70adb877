"""Stochastic arms whose rewards are 0 or 1 (the setting of tossou2016, azize2022 and mishra2015)."""

from typing import Literal

import numpy as np

from dpbandits.environments import Environment
from dpbandits.environments.arms import Arms
from dpbandits.environments.arms._journal import Journal, blank_journal
from dpbandits.errors import InputError
from dpbandits.parameters import Mean


class Bernoulli(Environment):
    """The environment: every run plays the same arms."""

    def __init__(self, means: np.ndarray):
        self.arms = Arms(means)
        self.gaps = means.max() - means
        self.number_of_arms = len(means)

    def begin(self, rng: np.random.Generator, horizon: int, t: np.ndarray) -> tuple[Arms, Journal]:
        """Nothing is drawn in advance."""
        return self.arms, blank_journal(self.gaps, t)

    def count_regret(
        self, journal: Journal, *, leaving_out: Literal["one_round_per_doubling"] | None = None
    ) -> Journal:
        """Leave out one round each time that the number of an arm's pulls doubles: of each episode of azize2022."""
        return journal._replace(without_doublings=leaving_out is not None)


def bernoulli(*, means: list[Mean]) -> Bernoulli:
    """The environment `{kind: bernoulli, means: [...]}` of a paper file."""
    if len(means) < 2:
        raise InputError(f"means: {means} is a single arm; give at least two")
    return Bernoulli(np.array(means, dtype=np.float64))
