"""The loops of the Nash regret (`nash.NashRuns`), in a separate module: loading the compiler takes longer than
summarising most experiments, and few of them have a Nash regret."""

import math

import numpy as np

from dpbandits.kernels.compiled import kernel


@kernel
def shares(ends, asked, means, first, later, variance):
    """The runs' shares in ln G_t at the end of the bins `asked`, and the sum of m_s up to there.

    Exact while the arm played in every round is known; to second order within a bin after that.
    """
    runs, exact = first.shape
    shares, welfare = np.zeros((runs, asked.size)), np.zeros(asked.size)
    share = np.zeros(runs)
    total, played, since, at = 0.0, 0.0, 0, 0
    for k in range(ends.size):
        w = ends[k] - since
        m, v = 0.0, 0.0
        for r in range(runs):
            if k < exact:
                m += means[first[r, k]]
            else:
                m += later[r, k - exact]
                v += variance[r, k - exact]
        m /= runs
        for r in range(runs):
            share[r] += w * (means[first[r, k]] if k < exact else np.float64(later[r, k - exact])) / m
        total += w * (math.log(m) - v / (2 * (runs * m) ** 2))
        played += w * m
        since = ends[k]
        if at < asked.size and asked[at] == k:
            welfare[at] = played
            for r in range(runs):
                shares[r, at] = total / since - 1.0 + share[r] / since
            at += 1
    return shares, welfare


@kernel
def exponential(values):
    """exp of every value by the C library: numpy's own differs in the last bit from machine to machine."""
    out = np.empty(values.size)
    for k in range(values.size):
        out[k] = math.exp(values[k])
    return out
