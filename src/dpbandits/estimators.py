"""From the runs of an experiment to a curve: mean, median of means, and Gini's mean difference on either side.

Median of means and the one-sided deviations follow tossou2017 (Prop. 4.1 and section 4): n runs in a0 groups, in the order
of the runs, the median over the groups of the groups' means. With probability at least 1 - exp(-a0/4.5) it is within
sigma sqrt(6 a0/n) of the mean, however heavy the tails.

The Nash regret (sarkar2025) is one number for all runs, not a mean of theirs: `NashRuns`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from dpbandits.compiled import kernel
from dpbandits.environments.nash_journal import bins

Scale = Literal["sigma", "mean_difference", "raw"]


def median_of_means(values: np.ndarray, groups: int) -> np.ndarray:
    """Median over `groups` equal groups of consecutive runs (axis 0) of the groups' means."""
    runs = len(values)
    if runs % groups:
        raise ValueError(f"{runs} runs cannot be cut into {groups} equal groups")
    offsets = (values - values[0]).reshape(groups, runs // groups, *values.shape[1:])
    return values[0] + np.median(offsets.mean(axis=1), axis=0)


def mean(values: np.ndarray) -> np.ndarray:
    """Mean over the runs (axis 0), measured from the first run: exact where all runs are equal."""
    return values[0] + (values - values[0]).mean(axis=0)


def gini_mean_difference(sample: np.ndarray, scale: Scale = "sigma") -> float:
    """sum_j (2j - n - 1) x_(j), scaled: an estimate of sigma, the mean |x - y| over pairs, or raw. 0 below two values."""
    n = len(sample)
    if n < 2:
        return 0.0
    raw = float(np.dot(2 * np.arange(1, n + 1) - n - 1, np.sort(sample)))
    return raw * {"sigma": math.sqrt(math.pi) / (n * (n - 1)), "mean_difference": 2 / (n * (n - 1)), "raw": 1}[scale]


def one_sided_deviations(values: np.ndarray, centre: np.ndarray, scale: Scale) -> tuple[np.ndarray, np.ndarray]:
    """Gini's mean difference of the runs (axis 0) below and above the centre, at each checkpoint (axis 1)."""
    below, above = np.zeros_like(centre), np.zeros_like(centre)
    for k, middle in enumerate(centre):
        column = values[:, k]
        below[k] = gini_mean_difference(column[column < middle], scale)
        above[k] = gini_mean_difference(column[column > middle], scale)
    return below, above


def median(values: np.ndarray) -> np.ndarray:
    """Median over the runs (axis 0): what most runs do, where a few decide the mean."""
    return np.median(values, axis=0)


def locked_in(values: np.ndarray, t: np.ndarray, gap: float) -> np.ndarray:
    """The share of runs that lose, from t/2 to t, a quarter of the smallest gap per round or more: the best arm is given up."""
    share = np.empty(len(t))
    for k, now in enumerate(t):
        j = int(np.searchsorted(t, now / 2, side="right")) - 1
        half, before = (t[j], values[:, j]) if j >= 0 else (0, 0.0)
        share[k] = np.mean(values[:, k] - before >= 0.25 * gap * (now - half))
    return share


def further(column: str, values: np.ndarray, t: np.ndarray, means: Sequence[float]) -> np.ndarray:
    """A column that an experiment's `design: {columns: [...]}` asks for beyond those of every summary."""
    if column == "locked_in":
        second, best = np.sort(np.asarray(means, float))[-2:]
        return locked_in(values, t, best - second)
    return {"median": median}[column](values)


def summarise(values: np.ndarray, groups: int, scale: Scale) -> dict[str, np.ndarray]:
    """The columns of a summary after (policy, t), for an array of (run, checkpoint)."""
    centre = median_of_means(values, groups)
    below, above = one_sided_deviations(values, centre, scale)
    return {
        "runs": np.full(values.shape[1], len(values)),
        "mean": mean(values),
        "std": (values - values[0]).std(axis=0, ddof=1),
        "median_of_means": centre,
        "gmd_below": below,
        "gmd_above": above,
        "min": values.min(axis=0),
        "max": values.max(axis=0),
    }


@dataclass(frozen=True)
class NashRuns:
    """The runs of a series, as the Nash regret sees them: mean and variance of the played arms' means in every bin."""

    t: np.ndarray  # the checkpoints
    best: float  # mu*, or what the regret is measured against instead
    mean: np.ndarray  # (run, bin)
    variance: np.ndarray

    def __len__(self) -> int:
        return len(self.mean)

    def __getitem__(self, chosen: np.ndarray) -> "NashRuns":
        """Other runs, or the same more than once."""
        return NashRuns(self.t, self.best, self.mean[chosen], self.variance[chosen])

    def curve(self) -> np.ndarray:
        """best - (prod_{s <= t} m_s)^{1/t} at each checkpoint t, m_s the mean over the runs of the played arms' means."""
        ends = bins(self.t)
        return self._at_checkpoints(
            ends, _nash_regret(ends, self.best, _total(self.mean), _total(self.variance), len(self))
        )

    def average(self) -> np.ndarray:
        """The average regret per round, which the Nash regret is never below, at each checkpoint."""
        ends = bins(self.t)
        m = _total(self.mean) / len(self)
        return self._at_checkpoints(ends, self.best - np.cumsum(m * np.diff(ends, prepend=0)) / ends)

    def error(self) -> np.ndarray:
        """The standard error of the curve, by the jackknife over runs."""
        ends, mean, variance, runs = bins(self.t), _total(self.mean), _total(self.variance), len(self)
        without = [
            _nash_regret(ends, self.best, mean - self.mean[r], variance - self.variance[r], runs - 1)
            for r in range(runs)
        ]
        return np.sqrt((runs - 1) * self._at_checkpoints(ends, np.array(without)).var(axis=0))

    def _at_checkpoints(self, ends: np.ndarray, curves: np.ndarray) -> np.ndarray:
        return curves[..., np.searchsorted(ends, self.t)]


def nash_runs(t: np.ndarray, values: Mapping[str, np.ndarray], series: int) -> NashRuns | None:
    """The runs of one series of a trace, if its environment kept what the Nash regret needs."""
    if "mean_played" not in values:
        return None
    best = float(values["measured_against"][series, 0, 0])
    return NashRuns(t, best, values["mean_played"][series], values["variance_played"][series])


@kernel
def _total(values):
    """The sum over runs (axis 0), in their order."""
    total = np.zeros(values.shape[1])
    for r in range(values.shape[0]):
        for k in range(values.shape[1]):
            total[k] += values[r, k]
    return total


@kernel
def _nash_regret(ends, best, mean, variance, runs):
    """Second order within a bin, exact where it is one round; `mean` and `variance` are sums over the runs."""
    total, since = 0.0, 0
    curve = np.empty(ends.size)
    for k in range(ends.size):
        m = mean[k] / runs
        total += (ends[k] - since) * (math.log(m) - variance[k] / (2 * (runs * m) ** 2))
        since = ends[k]
        curve[k] = best - math.exp(total / since)
    return curve
