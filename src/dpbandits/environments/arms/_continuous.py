"""Arms with continuous rewards, in a random order in every run (`shuffled_bernoulli` says why)."""

import math
from typing import NamedTuple

import numpy as np

from dpbandits.environments import Environment
from dpbandits.environments.arms._journal import Journal, blank_journal
from dpbandits.errors import InputError
from dpbandits.kernels.compiled import methods
from dpbandits.kernels.sampling import uniform


class ContinuousArms(NamedTuple):
    """Arm a pays lowest[a] + width[a] x, where x is a power u^(1/shape) of a uniform u, and so Beta(shape, 1): by roots or
    squares, since shapes are powers of two. One class for all laws, since kernels are compiled for every class."""

    means: np.ndarray
    roots: np.ndarray
    squares: np.ndarray
    lowest: np.ndarray
    width: np.ndarray

    def power(self, rng, a):
        """Draw x by inversion."""
        x = uniform(rng)
        for _ in range(self.roots[a]):
            x = math.sqrt(x)
        for _ in range(self.squares[a]):
            x *= x
        return x

    def reward(self, rng, a):
        """Draw one reward."""
        return self.lowest[a] + self.width[a] * self.power(rng, a)

    def rewards(self, rng, a, m):
        """Draw m rewards one by one: no law of their sum is as quick."""
        total = 0.0
        for _ in range(m):
            total += self.power(rng, a)
        return self.lowest[a] * m + self.width[a] * total


methods(ContinuousArms)


class Continuous(Environment):
    """The environment: every run plays the same arms in a random order."""

    def __init__(self, arms: ContinuousArms):
        self.arms = arms
        self.gaps = arms.means.max() - arms.means
        self.number_of_arms = len(arms.means)
        if self.number_of_arms < 2:
            raise InputError("a single arm is no bandit; give at least two")

    def begin(self, rng: np.random.Generator, horizon: int, t: np.ndarray) -> tuple[ContinuousArms, Journal]:
        """Draw the order of the arms."""
        order = rng.permutation(self.number_of_arms)
        return ContinuousArms(*(values[order] for values in self.arms)), blank_journal(self.gaps[order], t)

    def nanoseconds(self, horizon: int, checkpoints: list[int]) -> float:
        """The time of the rewards, which episodes draw one by one, too."""
        return 4 * horizon
