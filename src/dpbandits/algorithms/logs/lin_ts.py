"""Linear Thompson sampling, the other non-private policy of mishra2015's Figure 2 (its section 5).

After Agrawal & Goyal, "Thompson sampling for contextual bandits with linear payoffs": Gaussian prior and likelihood.
Draw theta~ from N(theta, v^2 A^-1) and play argmax_a z_a' theta~; one draw per event for a single model, one draw per
model and event where each article has its own model. The paper does not give v.
"""

import math
from typing import NamedTuple

import numpy as np

from dpbandits.algorithms.logs._linear import openly, play_blocks
from dpbandits.algorithms.logs._ridge import DIMENSION
from dpbandits.kernels.compiled import step
from dpbandits.parameters import Positive, passes_to
from dpbandits.privacy.ledger import Account

nanoseconds = {"round": 10}  # a logged event, of which one in twenty is kept


@passes_to(openly)
def play(rng, log, horizon, journal, *, v: Positive = 0.1, **given):
    """Play one run."""
    play_blocks(rng, log, journal, *openly(**given), PosteriorDraw(v, np.empty(DIMENSION)))


def privacy(horizon, number_of_arms, **_) -> Account:
    """No privacy guarantee."""
    return Account(math.inf, 0.0, None)


class PosteriorDraw(NamedTuple):
    """score = z' theta~ with theta~ from N(theta, v^2 A^-1)."""

    v: float
    drawn: np.ndarray  # theta~

    def score(self, rng, n, z, model, theta, root, sign, per_article, score):
        """Score every article by a draw from the posterior of its click rate."""
        drawn = self.drawn
        for s in range(n):
            if s == 0 or per_article:
                draw(rng, theta[model[s]], root[model[s]], sign[model[s]], self.v, drawn)
            total = 0.0
            for j in range(DIMENSION):
                total += drawn[j] * z[j, s]
            score[s] = total


@step
def draw(rng, theta, root, sign, v, drawn):
    """Draw theta + v R' xi, whose covariance is v^2 R' R = v^2 A^-1."""
    for j in range(DIMENSION):
        drawn[j] = theta[j]
    for i in range(DIMENSION):
        xi = v * rng.standard_normal()
        if sign[i] > 0:
            for j in range(i + 1):
                drawn[j] += xi * root[i, j]
