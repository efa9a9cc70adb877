"""LinUCB, the non-private policy of mishra2015's Figure 2 (its section 5; after Li, Chu, Langford & Schapire 2010).

Play argmax_a z_a' theta + alpha sqrt(z_a' A^-1 z_a), with theta by ridge regression: the Mahalanobis distance that the
text writes with A_t is that of A_t^-1. The paper does not give alpha.
"""

import math
from typing import NamedTuple

from dpbandits.algorithms.logs._linear import openly, play_blocks
from dpbandits.algorithms.logs._ridge import DIMENSION
from dpbandits.kernels.compiled import step
from dpbandits.parameters import Positive, passes_to
from dpbandits.privacy.ledger import Account

nanoseconds = {"round": 10}  # a logged event, of which one in twenty is kept


@passes_to(openly)
def play(rng, log, horizon, journal, *, alpha: Positive = 0.1, **given):
    """Play one run."""
    play_blocks(rng, log, journal, *openly(**given), Optimism(alpha))


def privacy(horizon, number_of_arms, **_) -> Account:
    """No privacy guarantee."""
    return Account(math.inf, 0.0, None)


class Optimism(NamedTuple):
    """score = z' theta + alpha sqrt(z' A^-1 z)."""

    alpha: float

    def score(self, rng, n, z, model, theta, root, sign, per_article, score):
        """Score every article by the upper confidence bound of its click rate."""
        if per_article:
            for s in range(n):
                m = model[s]
                score_columns(s, s + 1, z, theta[m], root[m], sign[m], self.alpha, score)
        else:
            score_columns(0, z.shape[1], z, theta[0], root[0], sign[0], self.alpha, score)


@step
def score_columns(first, end, z, theta, root, sign, alpha, score):
    """Score the columns first..end-1 of z. The width z' A^-1 z is a signed sum of squares of R z."""
    for s in range(first, end):
        mean, width = 0.0, 0.0
        for i in range(DIMENSION):
            part = 0.0
            for j in range(i + 1):
                part += root[i, j] * z[j, s]
            mean += theta[i] * z[i, s]
            width += sign[i] * part * part
        score[s] = mean + alpha * math.sqrt(max(width, 0.0))
