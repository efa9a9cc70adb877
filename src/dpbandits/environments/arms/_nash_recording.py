"""What a run leaves behind where the Nash regret is asked for: the first arms one by one, then sums over small bins.

The Nash regret, mu* - (prod_{s <= t} m_s)^{1/t} with m_s the mean over the runs of the played arm's mean, needs ln m_s at
every round s, and no run knows m_s. Over a bin of w rounds the sum of ln m_s is to second order w (ln m - v/(2 m^2)), with m
their mean and v the variance of m_s within the bin; as the runs are independent, v is 1/N^2 times the sum of the runs' own
variances. So a run has to leave two numbers a bin.

But runs are not independent where they follow the same schedule: they all begin by playing every arm once, in order, and
LDP-NCB as it was run plays its arms in turn, the same one in all runs, until about round 4 sqrt(T), because its noise is off
by 1/epsilon there. Bins as small as eight rounds then miss 0.07 of Nash regret. So the first EXACT rounds are kept one by
one, a byte each, and bins begin after these.

The sums ride on one field of the journal, as real and imaginary part of `gaps` and `regret`: every kernel that keeps an
ordinary journal keeps this one.
"""

from typing import NamedTuple

import numpy as np

EXACT = 65_536  # rounds that are kept one by one
PER_OCTAVE = 1024  # bins in every doubling of the time after that


def bins(t: np.ndarray) -> np.ndarray:
    """The last rounds of the bins: single rounds up to EXACT, then small bins; the checkpoints t are among them."""
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
    means: np.ndarray  # that played arms count with
    against: np.ndarray  # what the regret is measured against: mu*, unless a policy says otherwise

    def results(self) -> dict[str, np.ndarray]:
        """The regret at the checkpoints, what it is measured against, and what was played: see `bins`."""
        best, rounds = self.means.max(), np.diff(self.checkpoints, prepend=0)
        gap, square = np.diff(self.regret.real, prepend=0.0) / rounds, np.diff(self.regret.imag, prepend=0.0) / rounds
        first, later = slice(0, EXACT), slice(EXACT, None)
        gaps = np.unique(self.gaps.real)
        return {
            "regret": self.regret.real[self.asked] + (self.against - best) * self.checkpoints[self.asked],
            "measured_against": self.against,
            "means": best - gaps,
            "first_played": np.searchsorted((gaps[1:] + gaps[:-1]) / 2, gap[first]).astype(np.uint8),
            "mean_played": (best - gap[later]).astype(np.float32),
            "variance_played": np.maximum(square - gap**2, 0.0)[later].astype(np.float32),
        }


def blank_nash_journal(means: np.ndarray, t: np.ndarray) -> NashJournal:
    """A journal in which nothing is written yet; `means` are those that a played arm counts with."""
    gaps, ends = means.max() - means, bins(t)
    return NashJournal(
        ends,
        gaps + 1j * gaps**2,
        np.zeros(len(ends), complex),
        np.zeros(1, np.int64),
        np.searchsorted(ends, t),
        means,
        np.array([means.max()]),
    )
