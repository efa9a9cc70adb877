"""EXP3's weights, updated with one exponential per round. Auer et al. (2003), Figure 1; tossou2017, Algorithm 1.

w_i = exp((gamma/K) G_i) spans hundreds of orders of magnitude over a long game, so the weights are taken relative to a
reference, exp((gamma/K) (G_i - reference)), and only the played arm's weight is recomputed. Every 1024 rounds, and
earlier if a weight could overflow, the reference is set to the largest G and all weights are rebuilt; this also keeps
the rounding errors of the running sum at 1e-13. Gains are in [0, 1], so an exponent grows by at most 1 per round, and
the largest weight is never below 1: a weight that underflows is below 1e-300 of the sum, and is rebuilt once its G
grows.

    G, w      estimated gains of the arms, and their weights relative to the reference
    norm      the sum of w, the reference, and the number of updates since the last rebuild
"""

import math

import numpy as np

from dpbandits.kernels.compiled import kernel, step
from dpbandits.kernels.sampling import uniform

SUM, REFERENCE, AGE = range(3)
REBUILD_EVERY = 1024
LARGEST = 1e30


@kernel
def fresh_weights(K):
    """Equal weights before the first round."""
    return np.zeros(K), np.ones(K), np.array([float(K), 0.0, 0.0])


@step
def choose(rng, w, norm, gamma):
    """Draw an arm from p_i = (1 - gamma) w_i / sum w + gamma/K with one uniform number; return the arm and p."""
    K = w.size
    explore, scale = gamma / K, (1 - gamma) / norm[SUM]
    left = uniform(rng)
    for i in range(K - 1):
        p = scale * w[i] + explore
        if left < p:
            return i, p
        left -= p
    return K - 1, scale * w[K - 1] + explore


@step
def learn(G, w, norm, gamma, a, gain):
    """Add the importance-weighted gain of the played arm to G_a; return whether the weights must be rebuilt."""
    G[a] += gain
    now = math.exp(gamma / w.size * (G[a] - norm[REFERENCE]))
    norm[SUM] += now - w[a]
    w[a] = now
    norm[AGE] += 1
    return norm[SUM] > LARGEST or norm[AGE] == REBUILD_EVERY


@kernel
def rebuild(G, w, norm, gamma):
    """Recompute all weights from G, relative to the largest."""
    norm[REFERENCE] = G.max()
    norm[SUM] = norm[AGE] = 0.0
    for i in range(w.size):
        w[i] = math.exp(gamma / w.size * (G[i] - norm[REFERENCE]))
        norm[SUM] += w[i]
