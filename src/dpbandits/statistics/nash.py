"""The Nash regret of sarkar2025, one number for all runs, from what `environments.arms._nash_recording` records of each."""

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from dpbandits.bandits.nash_recording import bins
from dpbandits.statistics.estimators import (
    mean,
    median_of_means,
    number_of_groups,
    one_sided_deviations,
)

NASH = [
    "nash_regret",
    "nash_regret_error",
    "nash_median_of_means",
    "nash_gmd_below",
    "nash_gmd_above",
]


class NashRuns(NamedTuple):
    """The runs of a series, reduced to what the Nash regret needs.

    The Nash regret is one number for all runs, best - G_t with ln G_t = 1/t sum_{s <= t} ln m_s. `logs` are the runs'
    shares in ln G_t: ln G_t - 1 + 1/t sum_{s <= t} mu_s/m_s. Their mean over the runs is ln G_t; their mean over a
    resample of the runs is, to first order, the ln G_t of the resample.
    """

    best: float  # mu*, or another mean that the regret is measured against
    logs: np.ndarray  # (run, checkpoint)

    def regret(self, logs: np.ndarray) -> np.ndarray:
        """The Nash regret of runs with these shares, such as a resample, at each checkpoint."""
        return self.best - applied(math.exp, mean(logs))

    def columns(self, groups: int) -> dict[str, np.ndarray]:
        """The Nash regret and its standard error, that of the mean of the shares propagated through the exponential; and with the
        median of the groups' means of the shares, how far Gini's mean difference of the shares reaches below and above it: a run
        with a larger share has the lower regret."""
        n, logs = len(self.logs), self.logs
        centre = median_of_means(logs, number_of_groups(n, groups))
        below, above = one_sided_deviations(logs, centre)
        middle, lowest, highest = (
            applied(math.exp, each) for each in (centre, centre - below, centre + above)
        )
        error = applied(math.exp, mean(logs)) * logs.std(axis=0, ddof=1) / math.sqrt(n)
        columns = self.regret(logs), error, self.best - middle, highest - middle, middle - lowest
        return dict(zip(NASH, columns, strict=True))


class Recorded(NamedTuple):
    """The arrays in a trace from which the Nash regret of a series is computed: see `bins`."""

    measured_against: np.ndarray  # (run, 1)
    means: (
        np.ndarray
    )  # (run, arm): the different means, from the best down; the last one fills what remains
    first_played: (
        np.ndarray
    )  # (run, round): the index in `means` of the arm played in each of the first EXACT rounds
    mean_played: np.ndarray  # (run, bin): the mean of the played arms' means in every later bin
    variance_played: np.ndarray  # (run, bin): and their variance


def nash_runs(t: np.ndarray, values: Mapping[str, np.ndarray]) -> NashRuns | None:
    """The runs of a series, if `environments.arms._nash_recording` recorded what the Nash regret needs.

    Exact while the arm played in every round is known; to second order within a bin after that.
    """
    if any(name not in values for name in Recorded._fields):
        return None
    found = Recorded(*(values[name] for name in Recorded._fields))
    ends, runs = bins(t), len(found.means)
    at, width = np.searchsorted(ends, t), np.diff(ends, prepend=0)
    played = np.hstack([found.means[0][found.first_played], found.mean_played])  # (run, bin)
    m, variance = played.sum(axis=0) / runs, np.zeros(len(ends))
    variance[found.first_played.shape[1] :] = found.variance_played.sum(axis=0, dtype=float)
    ln_product = np.cumsum(width * (applied(math.log, m) - variance / (2 * (runs * m) ** 2)))[at]
    played *= width
    played /= m
    share = np.cumsum(played, axis=1).take(at, axis=1)
    return NashRuns(float(found.measured_against[0, 0]), ln_product / t - 1.0 + share / t)


def applied(function: Callable[[float], float], values: np.ndarray) -> np.ndarray:
    """math.log or math.exp of every value: numpy's own differ in the last bit from machine to machine."""
    return np.array([function(value) for value in values.tolist()])
