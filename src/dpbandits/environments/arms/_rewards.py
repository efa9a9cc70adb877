"""The rewards of arms. Arms are a named tuple with their means, whose methods draw rewards.

Every kernel gets its rewards from `pull` and `pull_many`, whatever their distribution is.
"""

import math
from typing import NamedTuple

import numpy as np

from dpbandits.compiled import STEP, methods, register_jitable, step
from dpbandits.random import binomial, uniform


@methods
class Arms(NamedTuple):
    """Bernoulli arms: arm a pays 1 with probability means[a], else 0. Or, in an audit, fixed rewards, whatever is drawn:
    fixed[t, a] is what arm a would pay to the first t users together, and user[0] counts them."""

    means: np.ndarray
    fixed: np.ndarray  # without rows where rewards are random
    user: np.ndarray

    def reward(self, rng, a):
        """One reward, from one uniform number."""
        if self.fixed.size > 0:
            return pay_users(self.fixed, self.user, a, 1)
        return 1.0 if uniform(rng) < self.means[a] else 0.0

    def rewards(self, rng, a, m):
        """The sum of m rewards, from one binomial number."""
        if self.fixed.size > 0:
            return pay_users(self.fixed, self.user, a, m)
        return float(binomial(rng, m, self.means[a]))


@step
def pay_users(fixed, user, a, m):
    """What the next m users get for arm a together; users beyond the table get nothing."""
    first, last = user[0], fixed.shape[0] - 1
    user[0] = first + m
    return fixed[min(first + m, last), a] - fixed[min(first, last), a]


def bernoulli_arms(means: np.ndarray) -> Arms:
    """Arms with random rewards."""
    return Arms(means, np.empty((0, 0)), np.zeros(1, np.int64))


def fixed_arms(rewards: np.ndarray) -> Arms:
    """Arms that pay rewards[t, a] for arm a to user t; their means are not known to anybody."""
    sums = np.vstack([np.zeros((1, rewards.shape[1])), np.cumsum(rewards, axis=0)])
    return Arms(np.zeros(rewards.shape[1]), sums, np.zeros(1, np.int64))


@methods
class VariousArms(NamedTuple):
    """Arms that pay lowest[a] + width[a] x. Where chance[a] is not negative, x is 1 with this probability and else 0; otherwise it
    is a power of a uniform number, by roots or squares, and so Beta(shape, 1) with a power of two as the shape."""

    means: np.ndarray
    lowest: np.ndarray
    width: np.ndarray
    chance: np.ndarray
    roots: np.ndarray
    squares: np.ndarray

    def draw(self, rng, a):
        """Draw x, from one uniform number."""
        x = uniform(rng)
        if self.chance[a] >= 0:
            return 1.0 if x < self.chance[a] else 0.0
        for _ in range(self.roots[a]):
            x = math.sqrt(x)
        for _ in range(self.squares[a]):
            x *= x
        return x

    def reward(self, rng, a):
        """One reward."""
        return self.lowest[a] + self.width[a] * self.draw(rng, a)

    def rewards(self, rng, a, m):
        """The sum of m rewards: from one binomial number if they have two values, otherwise drawn one by one."""
        if self.chance[a] >= 0:
            return self.lowest[a] * m + self.width[a] * binomial(rng, m, self.chance[a])
        total = 0.0
        for _ in range(m):
            total += self.draw(rng, a)
        return self.lowest[a] * m + self.width[a] * total


@register_jitable(**STEP)
def pull(rng, arms, a):
    """The reward of one pull of arm a."""
    return arms.reward(rng, a)


@register_jitable(**STEP)
def pull_many(rng, arms, a, m):
    """The sum of the rewards of m pulls of arm a."""
    return arms.rewards(rng, a, m)
