"""The journal of a run on stochastic arms: its pseudo-regret at the checkpoints.

The pseudo-regret is computed from the pull counts, sum_a gap_a n_a, only at checkpoints: there is no rounding
error from a hundred million additions, and a round needs one comparison.
"""

from typing import NamedTuple

import numpy as np

from dpbandits.errors import InputError
from dpbandits.kernels.compiled import kernel, methods, step


class Journal(NamedTuple):
    """The checkpoints (increasing, up to the horizon), and for those recorded so far the sums of some weights of the arms that
    were played. The first row of `weights` are the gaps, whose sum is the pseudo-regret; the Nash regret needs another
    (`_nash_recording`). `kept`: the number of recorded checkpoints, and the first round whose counts did not add up to it
    (`check_sum`). One class for all, since kernels are compiled for every class."""

    checkpoints: np.ndarray
    weights: np.ndarray
    sums: np.ndarray
    kept: np.ndarray
    without_doublings: bool = False  # whether one round per doubling of an arm's pulls is left out

    @property
    def gaps(self) -> np.ndarray:
        """mu* - mu_a of every arm."""
        return self.weights[0]

    @property
    def regret(self) -> np.ndarray:
        """The pseudo-regret at the checkpoints."""
        return self.sums[0]

    def results(self) -> dict[str, np.ndarray]:
        """The curves of a finished run."""
        check_finished(self)
        return {"regret": self.regret}

    def record(self, k, pulls):
        """Record the sums of these pull counts for checkpoint number k."""
        for row in range(self.weights.shape[0]):
            total, rounds = 0.0, 0.0
            for a in range(pulls.size):
                left_out = doublings(pulls[a]) if self.without_doublings else 0
                total += self.weights[row, a] * (pulls[a] - left_out)
                rounds += pulls[a]
            self.sums[row, k] = total
            check_sum(self.kept, self.checkpoints, k, rounds, self.sums)


methods(Journal)


@step
def doublings(n):
    """The number of doublings that lead from 1 to n or beyond."""
    found = 0
    while 1 << found < n:
        found += 1
    return found


@step
def check_sum(kept, checkpoints, k, rounds, sums):
    """Remember the first checkpoint whose pull counts add up to another number of rounds, which is put into `sums`."""
    if rounds != checkpoints[k] and kept[1] == 0:
        kept[1], sums[0, k] = checkpoints[k], rounds


def check_finished(journal: Journal) -> None:
    """Raise InputError if a run has recorded counts that are not those of all rounds, whose regret would be that of another
    game, or has not recorded all checkpoints, whose curve would end in zeros."""
    (number, wrong), checkpoints = journal.kept, journal.checkpoints
    if wrong:
        raise InputError(
            f"after round {wrong} the pull counts add up to {journal.regret[checkpoints == wrong][0]:g}: `note` needs the "
            "number of pulls of every arm since the first round, each pull counted as 1"
        )
    if number < len(checkpoints):
        raise InputError(
            f"the run recorded {number} of {len(checkpoints)} checkpoints, and not round {checkpoints[number]}: an algorithm "
            "plays up to the horizon and calls `note` after every round (or `note_span`)"
        )


def blank_journal(gaps: np.ndarray, checkpoints: np.ndarray, *more: np.ndarray) -> Journal:
    """An empty journal; `more`: further rows of weights."""
    weights = np.vstack([gaps, *more])
    return Journal(checkpoints, weights, np.zeros((len(weights), len(checkpoints))), np.zeros(2, np.int64))


@step
def note(journal, t, pulls):
    """After round t: if it is the next checkpoint, record these pull counts."""
    k = journal.kept[0]
    if k < journal.checkpoints.size and t == journal.checkpoints[k]:
        journal.record(k, pulls)
        journal.kept[0] = k + 1


@step
def next_checkpoint(journal):
    """The first round that is still to be noted; the last one is the horizon."""
    return journal.checkpoints[min(journal.kept[0], journal.checkpoints.size - 1)]


@kernel
def note_span(journal, t, m, pulls, a):
    """Rounds t+1..t+m all pull arm a: record the checkpoints among them. `pulls`: after t."""
    k = journal.kept[0]
    if k < journal.checkpoints.size and journal.checkpoints[k] <= t + m:
        n = pulls.copy()
        while k < journal.checkpoints.size and journal.checkpoints[k] <= t + m:
            n[a] = pulls[a] + journal.checkpoints[k] - t
            journal.record(k, n)
            k += 1
        journal.kept[0] = k


@kernel
def note_round_robin(journal, t, m, pulls, arms):
    """Rounds t+1..t+m pull the arms of the array `arms` in turn: record each checkpoint among them."""
    k = journal.kept[0]
    while k < journal.checkpoints.size and journal.checkpoints[k] <= t + m:
        rounds, rest = divmod(journal.checkpoints[k] - t, arms.size)
        n = pulls.copy()
        for i in range(arms.size):
            n[arms[i]] += rounds + (1 if i < rest else 0)
        journal.record(k, n)
        k += 1
    journal.kept[0] = k
