"""The journal of a run on stochastic arms: the pull counts at the checkpoints.

The regret is computed from the counts. Counts are integers, so a hundred million additions have no
rounding error.
"""

from typing import NamedTuple

import numpy as np

from dpbandits.errors import InputError
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

    checkpoints: np.ndarray  # increasing; the last one is the horizon
    counts: np.ndarray  # (checkpoint, arm)
    next: np.ndarray  # of one element: the index of the next checkpoint


def blank_journal(number_of_arms: int, checkpoints: np.ndarray) -> Journal:
    """Make a journal without records."""
    counts = np.empty((len(checkpoints), number_of_arms), np.int64)
    return Journal(checkpoints, counts, np.zeros(1, np.int64))


@inlined
def note(journal, t, pulls):
    """Record the pull counts after round t, if t is the next checkpoint.

    Parameters
    ----------
    journal : Journal
        The journal of the run.
    t : int
        The number of rounds so far.
    pulls : array
        The pull counts of all arms after round t.

    Examples
    --------
    >>> journal = blank_journal(2, np.array([2]))
    >>> note(journal, 1, [1, 0])
    >>> note(journal, 2, [1, 1])
    >>> journal.counts
    array([[1, 1]])
    """
    k = journal.next[0]
    if k < journal.checkpoints.size and t == journal.checkpoints[k]:
        for a in range(journal.counts.shape[1]):  # a list that lacks an arm is an IndexError
            journal.counts[k, a] = pulls[a]
        journal.next[0] = k + 1


@inlined
def next_checkpoint(journal):
    """Return the next round to note, or after the last one the horizon.

    A loop that ends there calls `note` once, which is faster than a call in every round.

    Parameters
    ----------
    journal : Journal
        The journal of the run.

    Returns
    -------
    int

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
def note_round_robin(journal, t, m, pulls, order):
    """Record all checkpoints among the rounds t+1..t+m, which pull some arms in turn.

    Parameters
    ----------
    journal : Journal
        The journal of the run.
    t : int
        The number of rounds before.
    m : int
        The number of rounds to record.
    pulls : array
        The pull counts of all arms after round t. The caller adds the m rounds to it.
    order : array or tuple
        The arms, in the order of their turns.

    Examples
    --------
    >>> journal = blank_journal(3, np.array([2, 7]))
    >>> note_round_robin(journal, 0, 7, [0, 0, 0], (2, 0))
    >>> journal.counts
    array([[1, 0, 1],
           [3, 0, 4]])
    """
    k = journal.next[0]
    while k < journal.checkpoints.size and journal.checkpoints[k] <= t + m:
        rounds, rest = divmod(journal.checkpoints[k] - t, len(order))
        for b in range(len(pulls)):
            journal.counts[k, b] = pulls[b]
        for i in range(len(order)):
            journal.counts[k, order[i]] += rounds + (1 if i < rest else 0)
        k += 1
    journal.next[0] = k


@inlined
def note_span(journal, t, m, pulls, a):
    """Record all checkpoints among the rounds t+1..t+m, which all pull arm a.

    Parameters
    ----------
    journal : Journal
        The journal of the run.
    t : int
        The number of rounds before.
    m : int
        The number of rounds to record.
    pulls : array
        The pull counts of all arms after round t. The caller adds the m rounds to it.
    a : int
        The arm, from 0.

    Examples
    --------
    >>> journal = blank_journal(2, np.array([4, 10]))
    >>> note_span(journal, 0, 10, [0, 0], 1)
    >>> journal.counts
    array([[ 0,  4],
           [ 0, 10]])
    """
    note_round_robin(journal, t, m, pulls, (a,))


def counts_of(journal: Journal) -> np.ndarray:
    """Return the pull counts of a finished run, or of several (run, checkpoint, arm).

    Raises
    ------
    InputError
        If a checkpoint is not recorded, or its counts do not add up to its round.
    """
    number, checkpoints = journal.next.min(), journal.checkpoints
    # .sum(-1) takes four times as long where arms are few.
    rounds = np.einsum("...a->...", journal.counts[..., :number, :])
    wrong = rounds != checkpoints[:number]
    if wrong.any():
        place = tuple(np.argwhere(wrong)[0])
        says = f"after round {checkpoints[place[-1]]} the pull counts add up to {rounds[place]}"
        remedy = "the number of pulls of every arm since the first round, each pull counted as 1"
        raise InputError(f"{says}: `note` needs {remedy}")
    if number < len(checkpoints):
        says = f"{number} of {len(checkpoints)} checkpoints, and not round {checkpoints[number]}"
        remedy = "play up to the horizon and call `note` after every round (or `note_span`)"
        raise InputError(f"the run recorded {says}: {remedy}")
    return journal.counts


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
