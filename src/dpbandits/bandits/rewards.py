"""The rewards of arms. Arms are a named tuple with their means, whose methods draw rewards.

Every kernel gets its rewards from `pull` and `pull_many`, whatever their distribution is.
"""

import math
from typing import NamedTuple

import numpy as np

from dpbandits.kernels import inlined, kernel, methods, step
from dpbandits.random import binomial, uniform

BERNOULLI, VARIOUS, FIXED = range(3)


@methods
class Arms(NamedTuple):
    """Arms of one of three kinds. They are one class, so that a policy is compiled once.

    BERNOULLI   arm a pays 1 with probability means[a], else 0
    VARIOUS     it pays lowest + width x, where (lowest, width, chance, roots) is table[a]. If chance is not negative, x is 1 with this
                probability, else 0. Otherwise x = u^(2^-roots) with a uniform u, by square roots or squares: Beta(2^roots, 1)
    FIXED       of an audit, nothing is random: table[t, a] is what it would pay to the first t users together
    """

    means: np.ndarray
    kind: int = BERNOULLI
    table: np.ndarray = np.empty((0, 0))
    user: np.ndarray = np.zeros(1, np.int64)  # the number of users so far, where rewards are fixed

    def reward(self, rng, a):
        """One reward, from one uniform number."""
        if self.kind == BERNOULLI:
            return 1.0 if uniform(rng) < self.means[a] else 0.0
        return (
            pay_users(self.table, self.user, a, 1)
            if self.kind == FIXED
            else various_reward(rng, self.table[a])
        )

    def rewards(self, rng, a, m):
        """The sum of m rewards, from one binomial number if they have two values."""
        if self.kind == BERNOULLI:
            return float(binomial(rng, m, self.means[a]))
        return (
            pay_users(self.table, self.user, a, m)
            if self.kind == FIXED
            else various_rewards(rng, self.table[a], m)
        )


def various_arms(means: np.ndarray, rows: list) -> Arms:
    """Arms with these rows of the table of VARIOUS."""
    return Arms(means, VARIOUS, np.array(rows, np.float64))


def fixed_arms(rewards: np.ndarray) -> Arms:
    """Arms that pay rewards[t, a] for arm a to user t, and later users nothing; their means are not known to anybody."""
    sums = np.vstack([np.zeros((1, rewards.shape[1])), np.cumsum(rewards, axis=0)])
    return Arms(np.zeros(rewards.shape[1]), FIXED, sums, np.zeros(1, np.int64))


@kernel
def pay_users(table, user, a, m):
    """What the next m users get for arm a together; users beyond the table get nothing."""
    first, last = user[0], len(table) - 1
    user[0] = first + m
    return table[min(first + m, last), a] - table[min(first, last), a]


@kernel
def various_reward(rng, row):
    """One reward of an arm with this row."""
    return row[0] + row[1] * draw(rng, row)


@kernel
def various_rewards(rng, row, m):
    """The sum of m rewards of an arm with this row."""
    if row[2] >= 0:
        return row[0] * m + row[1] * binomial(rng, m, row[2])
    total = 0.0
    for _ in range(m):
        total += draw(rng, row)
    return row[0] * m + row[1] * total


@step
def draw(rng, row):
    """Draw x, from one uniform number."""
    x = uniform(rng)
    if row[2] >= 0:
        return 1.0 if x < row[2] else 0.0
    for _ in range(int(row[3])):
        x = math.sqrt(x)
    for _ in range(-int(row[3])):
        x *= x
    return x


@inlined
def pull(rng, arms, a):
    """The reward of one pull of arm a."""
    return arms.reward(rng, a)


@inlined
def pull_many(rng, arms, a, m):
    """The sum of the rewards of m pulls of arm a."""
    return arms.rewards(rng, a, m)
