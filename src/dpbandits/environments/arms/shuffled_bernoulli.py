"""Bernoulli arms in a random order in every run (mishra2015, Figure 1).

Policies break ties in favour of the lowest index and begin with it, so the order of the arms matters in the first
rounds. The order is drawn from the run's stream for the environment: all policies play the arms of run i in the same
order.
"""

import numpy as np

from dpbandits.environments.arms import Arms
from dpbandits.environments.arms._journal import Journal, blank_journal
from dpbandits.environments.arms.bernoulli import Bernoulli, bernoulli
from dpbandits.parameters import Mean


class ShuffledBernoulli(Bernoulli):
    """The environment: every run plays the same arms in a random order."""

    def begin(self, rng: np.random.Generator, horizon: int, t: np.ndarray) -> tuple[Arms, Journal]:
        """Draw the order of the arms."""
        order = rng.permutation(self.number_of_arms)
        return Arms(self.arms.means[order]), blank_journal(self.gaps[order], t)


def shuffled_bernoulli(*, means: list[Mean]) -> ShuffledBernoulli:
    """The environment `{kind: shuffled_bernoulli, means: [...]}` of a paper file."""
    return ShuffledBernoulli(bernoulli(means=means).arms.means)
