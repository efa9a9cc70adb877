"""What a run leaves behind where the Nash regret is asked for: sums of mu and mu^2 of the arms played, by checkpoints.

The Nash regret, mu* - (prod_{s <= t} m_s)^{1/t} with m_s the mean over the runs of the played arm's mean, needs ln m_s at
every round s, and no run knows m_s. Between two checkpoints, w rounds apart, the sum of ln m_s is to second order
w (ln m - v/(2 m^2)), with m their mean and v the variance of m_s about it; the runs are independent, so v is 1/N^2 times
the sum of the runs' own variances. So a run has to leave sum mu and sum mu^2 only (`estimators.nash_regret`).

Both sums ride on one field of the journal, as real and imaginary part of `gaps` and `regret`: every kernel that keeps an
ordinary journal keeps this one.
"""

from typing import NamedTuple

import numpy as np


class NashJournal(NamedTuple):
    """The fields of `journal.Journal`, with gap_a + i gap_a^2 for gap_a, and the means that they follow from."""

    checkpoints: np.ndarray
    gaps: np.ndarray
    regret: np.ndarray
    kept: np.ndarray
    best: np.ndarray  # mu*
    against: np.ndarray  # what the regret is measured against: mu*, unless a policy says otherwise

    def results(self) -> dict[str, np.ndarray]:
        """The curves of a finished run: the regret, sum mu (the welfare) and sum mu^2."""
        t, best = self.checkpoints, self.best[0]
        lost, lost_squares = self.regret.real, self.regret.imag
        welfare = best * t - lost
        return {
            "regret": self.against[0] * t - welfare,
            "welfare": welfare,
            "squares": best**2 * t - 2 * best * lost + lost_squares,
        }


def blank_nash_journal(means: np.ndarray, checkpoints: np.ndarray) -> NashJournal:
    """A journal in which nothing is written yet; `means` are those that a played arm counts with."""
    gaps = means.max() - means
    best = np.array([means.max()])
    return NashJournal(
        checkpoints, gaps + 1j * gaps**2, np.zeros(len(checkpoints), complex), np.zeros(1, np.int64), best, best.copy()
    )
