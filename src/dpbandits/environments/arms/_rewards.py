"""The rewards of arms. A kind of arms is a named tuple with their means, whose methods draw rewards by its laws.

Every kernel gets its rewards from `pull` and `pull_many`, whatever the law is.
"""

from typing import NamedTuple

import numpy as np

from dpbandits.environments.arms._laws import draw, draw_sum
from dpbandits.kernels.compiled import methods, step
from dpbandits.kernels.sampling import uniform


class Arms(NamedTuple):
    """Bernoulli arms: arm a pays 1 with probability means[a], else 0."""

    means: np.ndarray

    def reward(self, rng, a):
        """Draw one reward, from one uniform number."""
        return 1.0 if uniform(rng) < self.means[a] else 0.0

    def rewards(self, rng, a, m):
        """Draw the sum of m rewards, one binomial number."""
        return rng.binomial(m, self.means[a])


methods(Arms)


class MixedArms(NamedTuple):
    """Arms with different laws (`_laws`): the true means and the law of each arm."""

    means: np.ndarray
    laws: np.ndarray

    def reward(self, rng, a):
        """Draw one reward by the arm's law."""
        return draw(rng, self.laws[a], self.means[a])

    def rewards(self, rng, a, m):
        """Draw the sum of m rewards by the arm's law."""
        return draw_sum(rng, self.laws[a], self.means[a], m)


@step
def pull(rng, arms, a):
    """The reward of one pull of arm a."""
    return arms.reward(rng, a)


@step
def pull_many(rng, arms, a, m):
    """The sum of the rewards of m pulls of arm a, so that an episode takes no longer than a round."""
    return arms.rewards(rng, a, m)
