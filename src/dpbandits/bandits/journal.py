"""The journal of a run on stochastic arms: the pull counts at the checkpoints, and the pseudo-regret that they mean.

Counts are whole numbers: there is no rounding error from a hundred million additions.
"""

from typing import NamedTuple

import numpy as np

from dpbandits.errors import InputError
from dpbandits.kernels import inlined, kernel


class Journal(NamedTuple):
    """The checkpoints, increasing up to the horizon; the pull counts at those recorded so far; and how many these are."""

    checkpoints: np.ndarray
    counts: np.ndarray  # (checkpoint, arm)
    kept: np.ndarray  # of one element


def blank_journal(number_of_arms: int, checkpoints: np.ndarray) -> Journal:
    """A journal without records."""
    return Journal(
        checkpoints, np.empty((len(checkpoints), number_of_arms), np.int64), np.zeros(1, np.int64)
    )


@inlined
def note(journal, t, pulls):
    """After round t: if it is the next checkpoint, record these pull counts."""
    k = journal.kept[0]
    if k < journal.checkpoints.size and t == journal.checkpoints[k]:
        for a in range(
            journal.counts.shape[1]
        ):  # of every arm: what a shorter list lacks would not be set
            journal.counts[k, a] = pulls[a]
        journal.kept[0] = k + 1


@inlined
def next_checkpoint(journal):
    """The first round that is still to be noted; the last one is the horizon."""
    return journal.checkpoints[min(journal.kept[0], journal.checkpoints.size - 1)]


@inlined
def note_round_robin(journal, t, m, pulls, order):
    """Rounds t+1..t+m pull the arms of `order` in turn: record each checkpoint among them. `pulls`: after t; the caller adds to it."""
    k = journal.kept[0]
    while k < journal.checkpoints.size and journal.checkpoints[k] <= t + m:
        rounds, rest = divmod(journal.checkpoints[k] - t, len(order))
        for b in range(len(pulls)):
            journal.counts[k, b] = pulls[b]
        for i in range(len(order)):
            journal.counts[k, order[i]] += rounds + (1 if i < rest else 0)
        k += 1
    journal.kept[0] = k


@inlined
def note_span(journal, t, m, pulls, a):
    """Rounds t+1..t+m all pull arm a: record the checkpoints among them. `pulls`: after t."""
    note_round_robin(journal, t, m, pulls, (a,))


def counts_of(journal: Journal) -> np.ndarray:
    """The pull counts of a finished run, or of several (run, checkpoint, arm). InputError if a checkpoint is not recorded, or if
    its counts do not add up to its round."""
    number, checkpoints = journal.kept.min(), journal.checkpoints
    rounds = np.einsum(
        "...a->...", journal.counts[..., :number, :]
    )  # .sum(-1) takes four times as long where arms are few
    wrong = rounds != checkpoints[:number]
    if wrong.any():
        place = tuple(np.argwhere(wrong)[0])
        raise InputError(
            f"after round {checkpoints[place[-1]]} the pull counts add up to {rounds[place]}: `note` needs the number of "
            "pulls of every arm since the first round, each pull counted as 1"
        )
    if number < len(checkpoints):
        raise InputError(
            f"the run recorded {number} of {len(checkpoints)} checkpoints, and not round {checkpoints[number]}: an algorithm "
            "plays up to the horizon and calls `note` after every round (or `note_span`)"
        )
    return journal.counts


@kernel
def weighted(counts, weights):
    """The sum of the arms' weights over all rounds, at each checkpoint; with the gaps as weights, the pseudo-regret. Added arm by
    arm: the order in which a matrix product adds depends on the processor."""
    totals = np.zeros(len(counts))
    for k in range(len(counts)):
        for a in range(len(weights)):
            totals[k] += weights[a] * counts[k, a]
    return totals


def doublings(counts: np.ndarray) -> np.ndarray:
    """The number of doublings that lead from one pull to n pulls or beyond: the bits of n - 1."""
    return np.frexp(np.maximum(counts - 1, 0))[1]
