"""Linear Thompson sampling, the other non-private policy of mishra2015's Figure 2.

The paper has it in section 5, after Agrawal & Goyal, "Thompson sampling for contextual bandits with
linear payoffs": Gaussian prior and likelihood. The paper does not give v.
"""

import numpy as np

from dpbandits.drivers.linear import LinearPolicy
from dpbandits.drivers.ridge import DIMENSION
from dpbandits.kernels import step
from dpbandits.parameters import Positive


class LinTS(LinearPolicy):
    """Draw theta~ from N(theta, v^2 A^-1) and play argmax_a z_a' theta~.

    One draw per event for a single model, one draw per article and event where each article has its
    own model.
    """

    v: Positive = 0.1

    def state(self, number_of_arms):
        return {"sample": np.empty(DIMENSION)}  # theta~

    def score_articles(self, rng, ridge, m, first, end, pool):
        """Score articles by one draw from the posterior of a model."""
        sample = self.sample
        draw(rng, ridge, m, self.v, sample)
        for s in range(first, end):
            total = 0.0
            for j in range(DIMENSION):
                total += sample[j] * pool.z[j, s]
            pool.scores[s] = total


@step
def draw(rng, ridge, m, v, sample):
    """Draw theta + v R' xi, whose covariance is v^2 R' R = v^2 A^-1."""
    theta, root = ridge.theta[m], ridge.root[m]
    for j in range(DIMENSION):
        sample[j] = theta[j]
    for i in range(DIMENSION):
        xi = rng.normal(0.0, v)
        for j in range(i + 1):
            sample[j] += xi * root[i, j]
