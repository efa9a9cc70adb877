"""The Nash regret of sarkar2025, one number for all runs, from what `environments.arms._nash_recording` records of each."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dpbandits.compiled import kernel
from dpbandits.environments.arms._nash_recording import bins
from dpbandits.statistics.estimators import mean, median_of_means, number_of_groups, one_sided_deviations


@dataclass(frozen=True)
class NashRuns:
    """The runs of a series, reduced to what the Nash regret needs.

    The Nash regret is one number for all runs, best - G_t with ln G_t = 1/t sum_{s <= t} ln m_s. `logs` are the runs'
    shares in ln G_t: ln G_t - 1 + 1/t sum_{s <= t} mu_s/m_s. Their mean over the runs is ln G_t; their mean over a
    resample of the runs is, to first order, the ln G_t of the resample.
    """

    best: float  # mu*, or another mean that the regret is measured against
    logs: np.ndarray  # (run, checkpoint)
    average: np.ndarray  # the average regret per round, a lower bound on the Nash regret

    def __len__(self) -> int:
        return len(self.logs)

    def __getitem__(self, chosen: np.ndarray) -> "NashRuns":
        """A selection of the runs, which may contain a run more than once."""
        return NashRuns(self.best, self.logs[chosen], self.average)

    def curve(self) -> np.ndarray:
        """The Nash regret at each checkpoint."""
        return self.best - exponential(mean(self.logs))

    def error(self) -> np.ndarray:
        """Its standard error: that of the mean of the shares, propagated through the exponential."""
        return exponential(mean(self.logs)) * self.logs.std(axis=0, ddof=1) / math.sqrt(len(self))

    def median_of_means(self, groups: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The Nash regret with the median of the groups' means of the shares, and how far Gini's mean difference of the
        shares reaches below and above it. A run with a larger share has the lower regret."""
        centre = median_of_means(self.logs, number_of_groups(len(self), groups))
        below, above = one_sided_deviations(self.logs, centre)
        middle = exponential(centre)
        return self.best - middle, exponential(centre + above) - middle, middle - exponential(centre - below)


class Recorded(NamedTuple):
    """The arrays in a trace from which the Nash regret of a series is computed: see `bins`."""

    measured_against: np.ndarray  # (run, 1)
    means: np.ndarray  # (run, arm): the different means, from the best down; the last one fills what remains
    first_played: np.ndarray  # (run, round): the index in `means` of the arm played in each of the first EXACT rounds
    mean_played: np.ndarray  # (run, bin): the mean of the played arms' means in every later bin
    variance_played: np.ndarray  # (run, bin): and their variance


def nash_runs(t: np.ndarray, values: Mapping[str, np.ndarray], series: int) -> NashRuns | None:
    """The runs of a series of a trace, if `environments.arms._nash_recording` recorded what the Nash regret needs."""
    if any(name not in values for name in Recorded._fields):
        return None
    found = Recorded(*(values[name][series] for name in Recorded._fields))
    ends, best = bins(t), float(found.measured_against[0, 0])
    played = found.first_played, found.mean_played, found.variance_played
    logs, welfare = shares(ends, np.searchsorted(ends, t), found.means[0], *played)
    return NashRuns(best, logs, best - welfare / t)


@kernel
def shares(ends, asked, means, first, later, variance):
    """The runs' shares in ln G_t at the end of the bins `asked`, and the sum of m_s up to there.

    Exact while the arm played in every round is known; to second order within a bin after that.
    """
    runs, exact = first.shape
    shares, welfare = np.zeros((runs, asked.size)), np.zeros(asked.size)
    share = np.zeros(runs)
    total, played, since, at = 0.0, 0.0, 0, 0
    for k in range(ends.size):
        w = ends[k] - since
        m, v = 0.0, 0.0
        for r in range(runs):
            if k < exact:
                m += means[first[r, k]]
            else:
                m += later[r, k - exact]
                v += variance[r, k - exact]
        m /= runs
        for r in range(runs):
            share[r] += w * (means[first[r, k]] if k < exact else np.float64(later[r, k - exact])) / m
        total += w * (math.log(m) - v / (2 * (runs * m) ** 2))
        played += w * m
        since = ends[k]
        if at < asked.size and asked[at] == k:
            welfare[at] = played
            for r in range(runs):
                shares[r, at] = total / since - 1.0 + share[r] / since
            at += 1
    return shares, welfare


@kernel
def exponential(values):
    """exp of every value by the C library: numpy's own differs in the last bit from machine to machine."""
    out = np.empty(values.size)
    for k in range(values.size):
        out[k] = math.exp(values[k])
    return out
