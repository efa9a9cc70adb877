"""How arms pay. A kind of arms is a named tuple with their means, whose methods say by which law they pay.

`pull` and `pull_many` are how every kernel gets its rewards, whatever the law is.
"""

from typing import NamedTuple

import numpy as np

from dpbandits.compiled import kernel, methods
from dpbandits.environments.arms._laws import draw, draw_sum


class Arms(NamedTuple):
    """Bernoulli arms: arm a pays 1 with probability means[a], else 0."""

    means: np.ndarray

    def reward(self, rng, a):
        """One uniform number."""
        return 1.0 if rng.random() < self.means[a] else 0.0

    def rewards(self, rng, a, m):
        """The sum of m rewards: one binomial number."""
        return rng.binomial(m, self.means[a])


methods(Arms)


class MixedArms(NamedTuple):
    """Arms that have laws of their own (`_laws`): the true means, and the law of each."""

    means: np.ndarray
    laws: np.ndarray

    def reward(self, rng, a):
        """By the arm's law."""
        return draw(rng, self.laws[a], self.means[a])

    def rewards(self, rng, a, m):
        """The sum of m of these."""
        return draw_sum(rng, self.laws[a], self.means[a], m)


@kernel
def pull(rng, arms, a):
    """The reward of one pull of arm a."""
    return arms.reward(rng, a)


@kernel
def pull_many(rng, arms, a, m):
    """The sum of the rewards of m pulls of arm a, so that an episode costs as much as a round."""
    return arms.rewards(rng, a, m)
