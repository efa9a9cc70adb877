"""LinUCB, the non-private policy of mishra2015's Figure 2 (its section 5; after Li, Chu, Langford & Schapire 2010).

Play argmax_a z_a' theta + alpha sqrt(z_a' A^-1 z_a), with theta by ridge regression: the Mahalanobis distance that the
text writes with A_t is that of A_t^-1. The paper does not give alpha.
"""

import math
from typing import NamedTuple

from dpbandits.algorithms.logs._linear import play_log
from dpbandits.algorithms.logs._ridge import DIMENSION
from dpbandits.compiled import step
from dpbandits.parameters import Positive, passes_to


@passes_to(play_log)
def play(rng, log, horizon, journal, *, alpha: Positive = 0.1, **given):
    """Play one run."""
    play_log(rng, log, horizon, journal, Optimism(alpha), **given)


class Optimism(NamedTuple):
    """score = z' theta + alpha sqrt(z' A^-1 z)."""

    alpha: float

    def score_articles(self, rng, ridge, pool):
        """Score every article by the upper confidence bound of its click rate."""
        if ridge.theta.shape[0] > 1:
            for s in range(pool.size[0]):
                score_places(s, s + 1, ridge, pool.model[s], pool, self.alpha)
        else:
            score_places(0, pool.size[0], ridge, 0, pool, self.alpha)


@step
def score_places(first, end, ridge, m, pool, alpha):
    """Score the articles at the places first..end-1 with model m. The width z' A^-1 z is the sum of squares of R z."""
    theta, root = ridge.theta[m], ridge.root[m]
    for s in range(first, end):
        mean, width = 0.0, 0.0
        for i in range(DIMENSION):
            part = 0.0
            for j in range(i + 1):
                part += root[i, j] * pool.z[j, s]
            mean += theta[i] * pool.z[i, s]
            width += part * part
        pool.scores[s] = mean + alpha * math.sqrt(width)
