"""EXP3's weights, updated with one exponential per round.

Auer et al. (2003), Figure 1; tossou2017, Algorithm 1. The weight of arm i is
w_i = exp((gamma/K) (G_i - reference)), and only the played arm's weight is computed anew. Over a
long game exp((gamma/K) G_i) spans hundreds of orders of magnitude. So every 1024 rounds, and
earlier if a weight could overflow, the reference becomes the largest G and all weights are computed
again. This also keeps the rounding errors of the running sum at 1e-13.

Gains are in [0, 1], so an exponent grows by at most 1 per round, and the largest weight is never
below 1. A weight that underflows is below 1e-300 of the sum, and is right again soon after its G
has grown.
"""

import math
from typing import NamedTuple

import numpy as np

from dpbandits.kernels import kernel, step

SUM, REFERENCE, AGE = range(3)
REBUILD_EVERY = 1024
LARGEST = 1e30


class Weights(NamedTuple):
    """The estimated gains of the arms, and their weights."""

    G: np.ndarray
    w: np.ndarray
    norm: np.ndarray  # sum of weights, reference, updates since all weights were computed


def fresh_weights(K: int) -> Weights:
    """Equal weights before the first round."""
    return Weights(np.zeros(K), np.ones(K), np.array([float(K), 0.0, 0.0]))


@step
def choose(releases, weights, gamma):
    """Draw an arm from p_i = (1 - gamma) w_i / sum w + gamma/K; return the arm and its p.

    This takes one uniform number.
    """
    factor, least = (1 - gamma) / weights.norm[SUM], gamma / weights.w.size
    return releases.choice(weights.w, factor, least)


@step
def add_gain(weights, gamma, a, gain):
    """Add the estimated gain of the played arm to G_a, and compute its weight anew."""
    G, w, norm = weights
    G[a] += gain
    now = math.exp(gamma / w.size * (G[a] - norm[REFERENCE]))
    norm[SUM] += now - w[a]
    w[a] = now
    norm[AGE] += 1
    if norm[SUM] > LARGEST or norm[AGE] == REBUILD_EVERY:
        rebuild(weights, gamma)


@kernel
def rebuild(weights, gamma):
    """Compute all weights from G, relative to the largest."""
    G, w, norm = weights
    norm[REFERENCE] = G.max()
    norm[SUM] = norm[AGE] = 0.0
    for i in range(w.size):
        w[i] = math.exp(gamma / w.size * (G[i] - norm[REFERENCE]))
        norm[SUM] += w[i]
