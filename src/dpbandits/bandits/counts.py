"""What follows from the pull counts of a run at its checkpoints.

Counts are integers, so a hundred million additions have no rounding error.
"""

import numpy as np

from dpbandits.kernels import kernel


@kernel
def weighted(counts, weights):
    """Add up the arms' weights over all rounds, at each checkpoint.

    With the gaps as weights, this is the pseudo-regret. Terms are added arm by arm: the order in
    which a matrix product adds depends on the processor.
    """
    totals = np.zeros(len(counts))
    for k in range(len(counts)):
        for a in range(len(weights)):
            totals[k] += weights[a] * counts[k, a]
    return totals


def doublings(counts: np.ndarray) -> np.ndarray:
    """Return how often one pull is doubled to reach n pulls or more: the bits of n - 1."""
    return np.frexp(np.maximum(counts - 1, 0))[1]
