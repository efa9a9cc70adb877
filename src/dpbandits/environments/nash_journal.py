"""What a run leaves behind where the Nash regret is asked for: mean and variance of the played arms' means, in small bins.

The Nash regret, mu* - (prod_{s <= t} m_s)^{1/t} with m_s the mean over the runs of the played arm's mean, needs ln m_s at
every round s, and no run knows m_s. Over a bin of w rounds the sum of ln m_s is to second order w (ln m - v/(2 m^2)), with m
their mean and v the variance of m_s within the bin; as the runs are independent, v is 1/N^2 times the sum of the runs' own
variances. So a run has to leave two numbers a bin. What the runs do in common (all of them begin by playing every arm
once, in order) is no independence: that is what the bins are small for, one round each at first and a thousandth of the time
gone by later.

Both sums that the numbers follow from ride on one field of the journal, as real and imaginary part of `gaps` and `regret`:
every kernel that keeps an ordinary journal keeps this one.
"""

from typing import NamedTuple

import numpy as np

EXACT = 2048  # rounds that are bins of their own
PER_OCTAVE = 1024  # bins in every doubling of the time after that


def bins(t: np.ndarray) -> np.ndarray:
    """The last rounds of the bins; the checkpoints t are among them."""
    horizon, start, ends = int(t[-1]), EXACT, [np.arange(1, EXACT + 1)]
    while start < horizon:
        ends.append(np.arange(start, 2 * start, start // PER_OCTAVE) + start // PER_OCTAVE)
        start *= 2
    ends = np.concatenate(ends)
    return np.union1d(ends[ends < horizon], t)


class NashJournal(NamedTuple):
    """The fields of `journal.Journal`, kept at the end of every bin, with gap_a + i gap_a^2 for gap_a."""

    checkpoints: np.ndarray
    gaps: np.ndarray
    regret: np.ndarray
    kept: np.ndarray
    asked: np.ndarray  # where the experiment's own checkpoints are among the bins' ends
    best: np.ndarray  # mu*
    against: np.ndarray  # what the regret is measured against: mu*, unless a policy says otherwise

    def results(self) -> dict[str, np.ndarray]:
        """The regret at the checkpoints; mean and variance of mu in every bin; what the regret is measured against."""
        rounds = np.diff(self.checkpoints, prepend=0)
        gap, square = np.diff(self.regret.real, prepend=0.0) / rounds, np.diff(self.regret.imag, prepend=0.0) / rounds
        variance = np.where(rounds > 1, np.maximum(square - gap**2, 0.0), 0.0)
        t = self.checkpoints[self.asked]
        return {
            "regret": self.regret.real[self.asked] + (self.against - self.best) * t,
            "mean_played": (self.best - gap).astype(np.float32),
            "variance_played": variance.astype(np.float32),
            "measured_against": self.against,
        }


def blank_nash_journal(means: np.ndarray, t: np.ndarray) -> NashJournal:
    """A journal in which nothing is written yet; `means` are those that a played arm counts with."""
    gaps, ends, best = means.max() - means, bins(t), np.array([means.max()])
    asked = np.searchsorted(ends, t)
    return NashJournal(
        ends, gaps + 1j * gaps**2, np.zeros(len(ends), complex), np.zeros(1, np.int64), asked, best, best.copy()
    )
