"""What a run on stochastic arms leaves behind: its pseudo-regret at the checkpoints.

The pseudo-regret is computed from the pull counts, sum_a gap_a n_a, at a checkpoint only: it carries no rounding error
from a hundred million additions, and a round costs one comparison.
"""

from typing import NamedTuple

import numpy as np

from dpbandits.compiled import kernel, methods


class Journal(NamedTuple):
    """The checkpoints (increasing, the last one the horizon), the regret kept so far, and how many are kept."""

    checkpoints: np.ndarray
    gaps: np.ndarray
    regret: np.ndarray
    kept: np.ndarray

    def results(self) -> dict[str, np.ndarray]:
        """The curves of a finished run."""
        return {"regret": self.regret}

    def keep(self, k, pulls):
        """Checkpoint number k: the pseudo-regret of these pull counts."""
        total = 0.0
        for a in range(pulls.size):
            total += self.gaps[a] * pulls[a]
        self.regret[k] = total


methods(Journal)


def blank_journal(gaps: np.ndarray, checkpoints: np.ndarray) -> Journal:
    """A journal in which nothing is written yet."""
    return Journal(checkpoints, gaps, np.zeros(len(checkpoints)), np.zeros(1, np.int64))


@kernel
def note(journal, t, pulls):
    """After round t: if it is the next checkpoint, keep what the journal keeps of these pull counts."""
    k = journal.kept[0]
    if t == journal.checkpoints[k]:
        journal.keep(k, pulls)
        journal.kept[0] = k + 1


@kernel
def next_checkpoint(journal):
    """The first round that is still to be noted; the last one is the horizon."""
    return journal.checkpoints[min(journal.kept[0], journal.checkpoints.size - 1)]


@kernel
def note_span(journal, t, m, pulls, a):
    """Rounds t+1..t+m all pull arm a (-1: none that counts): keep each checkpoint among them. `pulls`: as after round t."""
    k = journal.kept[0]
    if k < journal.checkpoints.size and journal.checkpoints[k] <= t + m:
        n = pulls.copy()
        while k < journal.checkpoints.size and journal.checkpoints[k] <= t + m:
            if a >= 0:
                n[a] = pulls[a] + journal.checkpoints[k] - t
            journal.keep(k, n)
            k += 1
        journal.kept[0] = k


@kernel
def note_round_robin(journal, t, m, pulls, arms):
    """Rounds t+1..t+m pull the arms of the array `arms` in turn: keep each checkpoint among them."""
    k = journal.kept[0]
    while k < journal.checkpoints.size and journal.checkpoints[k] <= t + m:
        rounds, rest = divmod(journal.checkpoints[k] - t, arms.size)
        n = pulls.copy()
        for i in range(arms.size):
            n[arms[i]] += rounds + (1 if i < rest else 0)
        journal.keep(k, n)
        k += 1
    journal.kept[0] = k
