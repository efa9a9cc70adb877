"""Arms: a named tuple with their means, whose methods draw rewards."""

import math
from typing import Any, NamedTuple

import numpy as np

from dpbandits.kernels import kernel, step

BERNOULLI, VARIOUS, FIXED = range(3)


class Arms(NamedTuple):
    """Arms of one of three kinds. They are one class, so that a policy is compiled once.

    BERNOULLI
        Arm a pays 1 with probability means[a], else 0.
    VARIOUS
        Arm a pays lowest + width x, where (lowest, width, chance, roots) is table[a]. If chance is
        not negative, x is 1 with this probability, else 0. Otherwise x = u^(2^-roots) with a
        uniform u, by square roots or squares: x has the distribution Beta(2^roots, 1).
    FIXED
        Nothing is random, for an audit: table[t, a] is what arm a would pay to the first t users.
    """

    means: np.ndarray
    kind: int = BERNOULLI
    table: np.ndarray = np.empty((0, 0))
    user: np.ndarray = np.zeros(1, np.int64)  # the number of users so far, where rewards are fixed

    def reward(self, rng, a):
        """Draw one reward, from one uniform number."""
        if self.kind == BERNOULLI:
            return 1.0 if rng.random() < self.means[a] else 0.0
        if self.kind == FIXED:
            return pay_users(self.table, self.user, a, 1)
        return various_reward(rng, self.table[a])

    def rewards(self, rng, a, m):
        """Draw the sum of m rewards, from one binomial number if they have two values."""
        if self.kind == BERNOULLI:
            return float(rng.binomial(m, self.means[a]))
        if self.kind == FIXED:
            return pay_users(self.table, self.user, a, m)
        return various_rewards(rng, self.table[a], m)

    def reordered(self, order: np.ndarray) -> "Arms":
        """Return the arms in another order, in the same type, so that nothing is compiled again."""
        table = self.table[order] if len(self.table) else self.table
        return self._replace(means=self.means[order], table=table)


class ReorderedArms(NamedTuple):
    """Arms of a user's own in another order: arm a is arm order[a] of `arms`."""

    means: np.ndarray
    arms: Any
    order: np.ndarray

    def reward(self, rng, a):
        """Draw one reward."""
        return self.arms.reward(rng, self.order[a])

    def rewards(self, rng, a, m):
        """Draw the sum of m rewards."""
        return self.arms.rewards(rng, self.order[a], m)


class RoundedArms(NamedTuple):
    """Arms of a user's own that pay 1 with a probability equal to the reward, else 0."""

    means: np.ndarray
    arms: Any

    def reward(self, rng, a):
        """Draw one reward of 0 or 1."""
        reward = self.arms.reward(rng, a)
        return 1.0 if rng.random() < reward else 0.0

    def rewards(self, rng, a, m):
        """Draw the sum of m rewards, each rounded alone."""
        total = 0.0
        for _ in range(m):
            total += self.reward(rng, a)
        return total


def rounded(arms: Any) -> Any:
    """Return arms whose rewards are rounded at random to 0 or 1, so that their means stay.

    A rounded reward is 1 with a probability that is the arm's mean. Rewards that are not random,
    those of an audit, remain as they are.
    """
    if not isinstance(arms, Arms):
        return RoundedArms(arms.means, arms)
    return Arms(arms.means) if arms.kind == VARIOUS else arms


def various_arms(means: np.ndarray, rows: list) -> Arms:
    """Make arms with these rows of the table of VARIOUS."""
    return Arms(means, VARIOUS, np.array(rows, np.float64))


def fixed_arms(rewards: np.ndarray) -> Arms:
    """Make arms that pay rewards[t, a] for arm a to user t, and nothing to later users.

    Nobody knows their means, which are set to 0.
    """
    sums = np.vstack([np.zeros((1, rewards.shape[1])), np.cumsum(rewards, axis=0)])
    return Arms(np.zeros(rewards.shape[1]), FIXED, sums, np.zeros(1, np.int64))


@kernel
def pay_users(table, user, a, m):
    """Return what arm a pays to the next m users together; users beyond the table get nothing."""
    first, last = user[0], len(table) - 1
    user[0] = first + m
    return table[min(first + m, last), a] - table[min(first, last), a]


@kernel
def various_reward(rng, row):
    """Draw one reward of an arm with this row."""
    return row[0] + row[1] * unscaled(rng, row)


@kernel
def various_rewards(rng, row, m):
    """Draw the sum of m rewards of an arm with this row."""
    if row[2] >= 0:
        return row[0] * m + row[1] * rng.binomial(m, row[2])
    total = 0.0
    for _ in range(m):
        total += unscaled(rng, row)
    return row[0] * m + row[1] * total


@step
def unscaled(rng, row):
    """Draw x of VARIOUS, from one uniform number."""
    x = rng.random()
    if row[2] >= 0:
        return 1.0 if x < row[2] else 0.0
    for _ in range(int(row[3])):
        x = math.sqrt(x)
    for _ in range(-int(row[3])):
        x *= x
    return x
