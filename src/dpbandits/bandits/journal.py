"""The journal of a run on stochastic arms: the pull counts at the checkpoints.

The run (`bandits.run`) and the drivers write it. The regret is computed from the counts. Counts are
integers, so a hundred million additions have no rounding error.
"""

from typing import NamedTuple

import numpy as np

from dpbandits.kernels import inlined, kernel


class Journal(NamedTuple):
    """The pull counts of every arm at each checkpoint.

    Examples
    --------
    >>> journal = blank_journal(2, np.array([1, 3]))
    >>> for t, pulls in enumerate([[1, 0], [1, 1], [2, 1]], start=1):
    ...     note(journal, t, pulls)
    >>> journal.counts
    array([[1, 0],
           [2, 1]])
    """

    checkpoints: np.ndarray  # increasing; the last one is the end of the run
    counts: np.ndarray  # (checkpoint, arm)
    next: np.ndarray  # of one element: the index of the next checkpoint
    t: np.ndarray  # of one element: the number of rounds so far


def blank_journal(number_of_arms: int, checkpoints: np.ndarray) -> Journal:
    """Make a journal without records."""
    counts = np.empty((len(checkpoints), number_of_arms), np.int64)
    return Journal(checkpoints, counts, np.zeros(1, np.int64), np.zeros(1, np.int64))


@inlined
def check_arm(a, K):
    """Raise IndexError unless a is one of K arms."""
    if not 0 <= a < K:
        raise IndexError("there is no arm of this number; arms are 0 to K - 1")


@inlined
def note(journal, t, pulls):
    """Record that t rounds are over, and the arms' pull counts if t is the next checkpoint.

    A driver may call it only at checkpoints and at the end of its rounds (`next_checkpoint`).
    """
    k = journal.next[0]
    journal.t[0] = t
    if k < journal.checkpoints.size and t == journal.checkpoints[k]:
        for a in range(journal.counts.shape[1]):
            journal.counts[k, a] = pulls[a]
        journal.next[0] = k + 1


@inlined
def next_checkpoint(journal):
    """Return the next round to note, or after the last one the last one.

    A loop that ends there calls `note` once, which is faster than a call in every round.

    Examples
    --------
    >>> journal = blank_journal(2, np.array([10, 20]))
    >>> print(next_checkpoint(journal))
    10
    >>> note(journal, 10, [10, 0])
    >>> print(next_checkpoint(journal))
    20
    """
    return journal.checkpoints[min(journal.next[0], journal.checkpoints.size - 1)]


@inlined
def note_in_turn(journal, m, pulls, order):
    """Record the next m rounds, which pull some arms in turn, and add their pulls.

    Examples
    --------
    >>> journal, pulls = blank_journal(3, np.array([2, 7])), np.zeros(3, int)
    >>> note_in_turn(journal, 7, pulls, (2, 0))
    >>> journal.counts
    array([[1, 0, 1],
           [3, 0, 4]])
    """
    k, t = journal.next[0], journal.t[0]
    while k < journal.checkpoints.size and journal.checkpoints[k] <= t + m:
        rounds, rest = divmod(journal.checkpoints[k] - t, len(order))
        for b in range(len(pulls)):
            journal.counts[k, b] = pulls[b]
        for i in range(len(order)):
            journal.counts[k, order[i]] += rounds + (1 if i < rest else 0)
        k += 1
    rounds, rest = divmod(m, len(order))
    for i in range(len(order)):
        pulls[order[i]] += rounds + (1 if i < rest else 0)
    journal.next[0], journal.t[0] = k, t + m


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
