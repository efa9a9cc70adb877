"""LinUCB, the non-private policy of mishra2015's Figure 2 (its section 5).

After Li, Chu, Langford & Schapire (2010), with theta by ridge regression: the Mahalanobis distance
that the text writes with A_t is that of A_t^-1. The paper does not give alpha.
"""

import math

from dpbandits.drivers.linear import LinearPolicy
from dpbandits.drivers.ridge import DIMENSION
from dpbandits.parameters import Positive


class LinUCB(LinearPolicy):
    """Play argmax_a z_a' theta + alpha sqrt(z_a' A^-1 z_a)."""

    alpha: Positive = 0.1

    def score_articles(self, rng, ridge, m, first, end, pool):
        """Score articles by upper confidence bounds. z' A^-1 z is the sum of squares of R z."""
        theta, root = ridge.theta[m], ridge.root[m]
        for s in range(first, end):
            mean, width = 0.0, 0.0
            for i in range(DIMENSION):
                part = 0.0
                for j in range(i + 1):
                    part += root[i, j] * pool.z[j, s]
                mean += theta[i] * pool.z[i, s]
                width += part * part
            pool.scores[s] = mean + self.alpha * math.sqrt(width)
