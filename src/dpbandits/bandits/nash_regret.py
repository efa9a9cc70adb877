"""The Nash regret: what a run records for it, and how it follows from all runs.

The Nash regret (sarkar2025) is mu* - (prod_{s <= t} m_s)^{1/t}. Here m_s is the mean, over the
runs, of the mean of the arm played in round s. A single run does not determine it. Take a bin of w
rounds, in which the m_s have mean m and variance v. To second order, the sum of their logarithms is
w (ln m - v/(2 m^2)). As the N runs are independent, v is 1/N^2 times the sum of the runs' own
variances. So a run records two numbers per bin.

Runs are not independent while they follow the same schedule. All play every arm once, in order. In
the authors' code LDP-NCB plays its arms in turn until about round 4 sqrt(T), because its noise is
shifted by 1/epsilon there. With bins of only eight rounds the error of the Nash regret is then
0.07. So the first EXACT rounds are recorded one by one, with one byte each.
"""

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from dpbandits.bandits.counts import weighted
from dpbandits.kernels import kernel

EXACT = 65_536  # rounds that are recorded one by one
PER_OCTAVE = 1024  # bins in every doubling of the time after that


def bins(t: np.ndarray) -> np.ndarray:
    """Return the last rounds of the bins, among which are the checkpoints t.

    Bins are single rounds up to EXACT, and small after that.
    """
    horizon, start, ends = int(t[-1]), EXACT, [np.arange(1, EXACT + 1)]
    while start < horizon:
        ends.append(np.arange(start, 2 * start, start // PER_OCTAVE) + start // PER_OCTAVE)
        start *= 2
    ends = np.concatenate(ends)
    ends = np.append(ends[ends < horizon], horizon)
    place = np.searchsorted(ends, t)
    new = ends[place] != t
    return np.insert(ends, place[new], t[new])


class NashRecord(NamedTuple):
    """The arrays of a run in a trace; of a series they have the run as a first axis."""

    measured_against: np.ndarray  # of one element
    means: np.ndarray  # the different means, from the best down; the last one fills what remains
    first_played: np.ndarray  # the index in `means` of the arm of each of the first EXACT rounds
    mean_played: np.ndarray  # the mean of the played arms' means in every later bin
    variance_played: np.ndarray  # and their variance


def nash_curves(
    counts: np.ndarray, ends: np.ndarray, means: np.ndarray, t: np.ndarray, against: float | None
) -> dict[str, np.ndarray]:
    """Return the regret at the checkpoints t, and the arrays of `NashRecord`.

    Parameters
    ----------
    counts : array
        The pull counts at the ends of the bins.
    ends : array
        The last rounds of the bins.
    means : array
        The means with which a played arm counts.
    t : array
        The checkpoints.
    against : float or None
        What the regret is measured against, if not the best of the means.
    """
    gaps, best = means.max() - means, means.max()
    measured_against = np.array([best if against is None else against], np.float64)
    played = np.diff(counts[:EXACT] @ np.arange(len(means)), prepend=0)  # of the first rounds
    distinct, place = np.unique(gaps, return_inverse=True)
    later = counts[min(EXACT, len(counts)) - 1 :]
    rounds = np.diff(ends[min(EXACT, len(ends)) - 1 :])
    gap, square = (np.diff(weighted(later, weights)) / rounds for weights in (gaps, gaps**2))
    # The means have one size for all series.
    record = NashRecord(
        measured_against,
        np.pad(best - distinct, (0, len(gaps) - len(distinct)), mode="edge"),
        place[played].astype(np.uint8),
        (best - gap).astype(np.float32),
        np.maximum(square - gap**2, 0.0).astype(np.float32),
    )
    regret = weighted(counts[np.searchsorted(ends, t)], gaps) + (measured_against - best) * t
    return {"regret": regret} | record._asdict()


class NashRuns(NamedTuple):
    """The runs of a series, reduced to what the Nash regret needs.

    The Nash regret is one number for all runs, best - G_t with ln G_t = 1/t sum_{s <= t} ln m_s. A
    run's share in ln G_t is ln G_t - 1 + 1/t sum_{s <= t} mu_s/m_s. The mean of the shares over the
    runs is ln G_t. Their mean over a resample of the runs is, to first order, the ln G_t of the
    resample.
    """

    best: float  # mu*, or another mean that the regret is measured against
    shares: np.ndarray  # (run, checkpoint)

    def regret(self, mean_share: np.ndarray) -> np.ndarray:
        """Return the Nash regret at each checkpoint of runs whose shares have this mean."""
        return self.best - applied(math.exp, mean_share)


def nash_runs(t: np.ndarray, values: Mapping[str, np.ndarray]) -> NashRuns | None:
    """Return the runs of a series; None if they did not record what the Nash regret needs.

    The result is exact while the arm played in every round is known, and exact to second order
    within a bin after that.
    """
    if any(name not in values for name in NashRecord._fields):
        return None
    record = NashRecord(*(values[name] for name in NashRecord._fields))
    ends, runs = bins(t), len(record.means)
    at, width = np.searchsorted(ends, t), np.diff(ends, prepend=0)
    played = np.hstack([record.means[0][record.first_played], record.mean_played])  # (run, bin)
    m, variance = played.sum(axis=0) / runs, np.zeros(len(ends))
    variance[record.first_played.shape[1] :] = record.variance_played.sum(axis=0, dtype=float)
    ln_product = np.cumsum(width * (applied(math.log, m) - variance / (2 * (runs * m) ** 2)))[at]
    played *= width
    played /= m
    share = np.cumsum(played, axis=1).take(at, axis=1)
    return NashRuns(float(record.measured_against[0, 0]), ln_product / t - 1.0 + share / t)


@kernel
def nash_regret(bad, trials, log_mean):
    """Return the Nash regret of a sweep of games, whose arms have the means exp(log_mean), 1.

    It is 1 - (prod_t m_t)^{1/T} with m_t = (good + bad exp(log_mean))/trials, from the number of
    trials with a bad pull in each round.
    """
    T = bad.size
    total = 0.0
    for t in range(T):
        good = trials - bad[t]
        total += log_mean if good == 0 else math.log((good + bad[t] * math.exp(log_mean)) / trials)
    return -math.expm1(total / T)


def applied(function: Callable[[float], float], values: np.ndarray) -> np.ndarray:
    """Return math.log or math.exp of every value.

    numpy's own functions differ in the last bit from machine to machine.
    """
    return np.array([function(value) for value in values.tolist()])
