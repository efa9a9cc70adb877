"""The Nash regret of sarkar2025, one number for all runs, from what `environments.arms._nash_recording` records of each."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dpbandits.statistics.estimators import Scale, mean, median_of_means, number_of_groups, one_sided_deviations


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
        from dpbandits.statistics._nash_loops import exponential  # compiled: loaded only if there is a Nash regret

        return self.best - exponential(mean(self.logs))

    def error(self) -> np.ndarray:
        """Its standard error: that of the mean of the shares, propagated through the exponential."""
        from dpbandits.statistics._nash_loops import exponential

        return exponential(mean(self.logs)) * self.logs.std(axis=0, ddof=1) / math.sqrt(len(self))

    def median_of_means(self, groups: int, scale: Scale) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The Nash regret with the median of the groups' means of the shares, and how far Gini's mean difference of the
        shares reaches below and above it. A run with a larger share has the lower regret."""
        from dpbandits.statistics._nash_loops import exponential

        centre = median_of_means(self.logs, number_of_groups(len(self), groups))
        below, above = one_sided_deviations(self.logs, centre, scale)
        middle = exponential(centre)
        return self.best - middle, exponential(centre + above) - middle, middle - exponential(centre - below)


class Recorded(NamedTuple):
    """The arrays in a trace from which the Nash regret of a series is computed: see `bins`."""

    measured_against: np.ndarray  # (run, 1)
    means: np.ndarray  # (run, number of different means): the means, from the best down
    first_played: np.ndarray  # (run, round): the index in `means` of the arm played in each of the first EXACT rounds
    mean_played: np.ndarray  # (run, bin): the mean of the played arms' means in every later bin
    variance_played: np.ndarray  # (run, bin): and their variance


def recorded(values: Mapping[str, np.ndarray], series: int) -> Recorded | None:
    """The Nash recording of one series in a trace, or None if there is none."""
    if any(name not in values for name in Recorded._fields):
        return None
    return Recorded(*(values[name][series] for name in Recorded._fields))


def nash_runs(t: np.ndarray, values: Mapping[str, np.ndarray], series: int) -> NashRuns | None:
    """The runs of a series of a trace, if `environments.arms._nash_recording` recorded what the Nash regret needs."""
    found = recorded(values, series)
    if found is None:
        return None
    from dpbandits.environments.arms._nash_recording import bins  # compiled: loaded only if there is a Nash regret
    from dpbandits.statistics._nash_loops import shares

    ends, best = bins(t), float(found.measured_against[0, 0])
    played = found.first_played, found.mean_played, found.variance_played
    logs, welfare = shares(ends, np.searchsorted(ends, t), found.means[0], *played)
    return NashRuns(best, logs, best - welfare / t)
