"""The recording of a run for the Nash regret: the first played arms one by one, then sums over small bins.

The Nash regret, mu* - (prod_{s <= t} m_s)^{1/t} with m_s the mean over the runs of the played arm's mean, needs ln m_s
at every round s, and a single run does not determine m_s. Over a bin of w rounds the sum of ln m_s is to second order w
(ln m - v/(2 m^2)), with m their mean and v the variance of m_s within the bin; as the runs are independent, v is 1/N^2
times the sum of the runs' own variances. So a run records two numbers per bin.

But runs are not independent while they follow the same schedule: they all begin by playing every arm once, in order,
and LDP-NCB in the authors' code plays its arms in turn, the same arm in all runs, until about round 4 sqrt(T), because
its noise is shifted by 1/epsilon there. With bins of only eight rounds the error of the Nash regret is then 0.07.
Therefore the first EXACT rounds are recorded one by one, with one byte each, and bins begin after them.
"""

from typing import NamedTuple

import numpy as np

from dpbandits.environments.arms._journal import check_finished, check_sum

EXACT = 65_536  # rounds that are recorded one by one
PER_OCTAVE = 1024  # bins in every doubling of the time after that


def bins(t: np.ndarray) -> np.ndarray:
    """The last rounds of the bins: single rounds up to EXACT, then small bins; the checkpoints t are among them."""
    horizon, start, ends = int(t[-1]), EXACT, [np.arange(1, EXACT + 1)]
    while start < horizon:
        ends.append(np.arange(start, 2 * start, start // PER_OCTAVE) + start // PER_OCTAVE)
        start *= 2
    ends = np.concatenate(ends)
    return np.union1d(ends[ends < horizon], t)


class NashRecording(NamedTuple):
    """As `_journal.Journal`, with a checkpoint at the end of every bin and the sums of squared gaps as well."""

    checkpoints: np.ndarray
    gaps: np.ndarray
    squared_gaps: np.ndarray
    sums: np.ndarray  # of the gaps of the played arms, up to every checkpoint
    sums_of_squares: np.ndarray
    kept: np.ndarray
    requested: np.ndarray  # the positions of the experiment's own checkpoints among the ends of the bins
    means: np.ndarray  # the mean with which a played arm counts
    against: np.ndarray  # the mean against which the regret is measured: mu* by default

    def record(self, k, pulls):
        """Record both sums of these pull counts for checkpoint number k."""
        total, squares, rounds = 0.0, 0.0, 0.0
        for a in range(pulls.size):
            total += self.gaps[a] * pulls[a]
            squares += self.squared_gaps[a] * pulls[a]
            rounds += pulls[a]
        self.sums[k], self.sums_of_squares[k] = total, squares
        check_sum(self.kept, self.checkpoints, k, rounds, self.sums)

    def results(self) -> dict[str, np.ndarray]:
        """The regret at the checkpoints and the arrays of `statistics.nash.Recorded`."""
        check_finished(self.kept, self.checkpoints, self.sums)
        best, rounds = self.means.max(), np.diff(self.checkpoints, prepend=0)
        gap = np.diff(self.sums, prepend=0.0) / rounds
        square = np.diff(self.sums_of_squares, prepend=0.0) / rounds
        first, later = slice(0, EXACT), slice(EXACT, None)
        gaps = np.unique(self.gaps)
        return {
            "regret": self.sums[self.requested] + (self.against - best) * self.checkpoints[self.requested],
            "measured_against": self.against,
            "means": best - gaps,
            "first_played": np.searchsorted((gaps[1:] + gaps[:-1]) / 2, gap[first]).astype(np.uint8),
            "mean_played": (best - gap[later]).astype(np.float32),
            "variance_played": np.maximum(square - gap**2, 0.0)[later].astype(np.float32),
        }


def blank_nash_recording(means: np.ndarray, t: np.ndarray) -> NashRecording:
    """An empty recording; `means` are those with which a played arm counts."""
    gaps, ends = means.max() - means, bins(t)
    return NashRecording(
        checkpoints=ends,
        gaps=gaps,
        squared_gaps=gaps**2,
        sums=np.zeros(len(ends)),
        sums_of_squares=np.zeros(len(ends)),
        kept=np.zeros(2, np.int64),
        requested=np.searchsorted(ends, t),
        means=means,
        against=np.array([means.max()]),
    )
