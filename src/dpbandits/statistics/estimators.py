"""Estimators over the runs of an experiment: means, medians of means, deviations on either side.

The median of means and Gini's mean differences are those of tossou2017 (Prop. 4.1 and section 4).
The runs are divided into a0 groups, in their order, and the median is over the means of the groups.
With probability at least 1 - exp(-a0/4.5) it is within sigma sqrt(6 a0/n) of the mean of n runs,
however heavy the tails.
"""

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import ndtr, stdtrit

SUMMED_AT_ONCE = 2500  # runs, which bounds the memory
FEW = 50  # a sum of fewer than one run in so many is faster than a product with a matrix of all
MIN_RUNS_OF_NORMAL_LAW = 15  # a bootstrap over fewer needs Student's t
DECIDING_ERRORS = 2.0  # standard errors of a number from its threshold, or of a difference from 0


def number_of_groups(runs: int, most: int) -> int:
    """Return the largest number of equal groups, up to `most`, that Proposition 4.1 supports.

    Its sqrt(6 groups/runs) is below 1: means of a few runs are no better than single runs.
    """
    return max((n for n in range(1, most + 1) if runs % n == 0 and 6 * n < runs), default=1)


def median_of_means(values: np.ndarray, groups: int) -> np.ndarray:
    """Return the median of the means of `groups` equal groups of consecutive runs (axis 0)."""
    runs = len(values)
    if runs % groups:
        raise ValueError(f"{runs} runs cannot be cut into {groups} equal groups")
    offsets = (values - values[0]).reshape(groups, runs // groups, *values.shape[1:])
    return values[0] + np.median(offsets.mean(axis=1), axis=0)


def mean(values: np.ndarray) -> np.ndarray:
    """Return the mean over the runs (axis 0), exact where all runs are equal."""
    # Measured from the first run. `.mean` takes twice as long for a short curve.
    return values[0] + (values - values[0]).sum(axis=0) / len(values)


def means_of_resamples(values: np.ndarray, samples: Sequence[np.ndarray]) -> np.ndarray:
    """Return `mean` over each of many samples of one size, which are the numbers of its runs."""
    if FEW * len(samples[0]) < len(values):
        return np.array([mean(values[chosen]) for chosen in samples])
    times = np.empty((len(samples), len(values)), np.int32)  # how often each run occurs
    for n, chosen in enumerate(samples):
        times[n] = np.bincount(chosen, minlength=len(values))
    sums = np.zeros((values.shape[1], len(samples)))
    # OpenBLAS is twice as fast with transposed matrices.
    with np.errstate(all="ignore"):  # Apple's BLAS sets flags without a reason
        for n in range(0, len(values), SUMMED_AT_ONCE):
            chunk = slice(n, n + SUMMED_AT_ONCE)
            sums += (values[chunk] - values[0]).T @ times[:, chunk].T
    return values[0] + sums.T / len(samples[0])


def errors_needed(runs: int) -> float:
    """Return how many errors of a bootstrap over this many runs decide.

    For few runs it is Student's t, corrected for the bootstrap's error, which is too small by a
    factor of sqrt((n - 1)/n).
    """
    if runs >= MIN_RUNS_OF_NORMAL_LAW:
        return DECIDING_ERRORS
    return students_t(runs - 1) * math.sqrt(runs / (runs - 1)) if runs > 1 else math.inf


def one_sided_deviations(values: np.ndarray, centre: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return Gini's mean differences of the runs (axis 0) below the centre and of those above it.

    There is one at each checkpoint (axis 1). A run at the centre (up to rounding) is on neither
    side. A side with fewer than two runs, or with equal ones, has no deviation. For a normal law
    either side estimates .586 sigma.
    """
    below, above = np.empty(len(centre)), np.empty(len(centre))
    for k, middle in enumerate(centre):
        runs = np.sort(values[:, k])
        rounding = 1e-12 * np.abs(runs).max()
        below[k] = _gini_mean_difference(runs[runs < middle - rounding])
        above[k] = _gini_mean_difference(runs[runs > middle + rounding])
    return below, above


def _gini_mean_difference(ordered: np.ndarray) -> float:
    """sqrt(pi)/2 times the mean |x - y| over all pairs of ordered values.

    It estimates sigma of a normal law.
    """
    n = len(ordered)
    if n < 2:
        return 0.0
    offsets = ordered - ordered[0]  # so that equal values give 0
    total = np.sum(np.arange(1 - n, n, 2) * offsets)
    return math.sqrt(math.pi) * total / (n * (n - 1))


def gini_over_deviation(values: np.ndarray) -> float:
    """Return the relative error of Gini's mean difference over that of the standard deviation.

    Both are of many draws from the law of these values.
    """
    x, n = np.sort(values), len(values)
    distances = x * (2 * np.arange(n) - n + 2) + x.sum() - 2 * np.cumsum(x)  # from all others
    squares = (x - x.mean()) ** 2
    gini, deviation = (each.std() / each.mean() for each in (distances, squares))
    return float(2 * gini / (deviation / 2))


def before_half(t: np.ndarray, rounds: np.ndarray) -> np.ndarray:
    """Return the last checkpoint up to half of each of these rounds; -1 if there is none."""
    return np.searchsorted(t, rounds / 2, side="right") - 1


def locked_in(values: np.ndarray, t: np.ndarray, gap: float) -> np.ndarray:
    """Return the share of runs that lose a quarter of the gap per round or more from t/2 to t."""
    half = before_half(t, t) + 1  # with round 0 in front
    earlier, before = np.insert(t, 0, 0)[half], np.insert(values, 0, 0, axis=1)[:, half]
    return np.mean(values - before >= 0.25 * gap * (t - earlier), axis=0)


def error_of_share(share: float, number: int) -> float:
    """Return the standard error of a share of `number` independent cases (Agresti & Coull).

    It is above 0 if the share is 0 or 1, too.
    """
    centre = (share * number + 2) / (number + 4)
    return math.sqrt(centre * (1 - centre) / (number + 4))


def power_of(x: Sequence[float], y: Sequence[float]) -> float:
    """Return the power of x that fits y best: the slope of ln y in ln x, by least squares."""
    return slope(np.log(x), np.log(y))


def slope(x: np.ndarray, y: np.ndarray) -> float:
    """Return the slope of y in x, by least squares.

    Sums and not a solver, whose rounding depends on the processor: equal y have the slope 0.
    """
    x = x - x.mean()
    return float((x * (y - y[0])).sum() / (x * x).sum())


def change_point(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Return where y, a power of x at first, becomes a constant, and the power.

    By least squares a line in ln x is fitted to ln y up to a value, and a constant after it. They
    meet at the change point. Cumulative sums fit all places of the last value on the line at once.
    """
    x, y = np.log(x), np.log(y)
    number = np.arange(2, len(x))  # of values on the line
    x_sum, y_sum, xx, xy, yy = (np.cumsum(v)[number - 1] for v in (x, y, x * x, x * y, y * y))
    covariance = xy - x_sum * y_sum / number
    slope = covariance / (xx - x_sum**2 / number)
    level = (y.sum() - y_sum) / (len(x) - number)
    squares = yy - y_sum**2 / number - slope * covariance  # around the line
    squares += (y * y).sum() - yy - level**2 * (len(x) - number)  # around the constant
    best = squares.argmin()
    height = (y_sum - slope * x_sum) / number
    return np.exp((level - height)[best] / slope[best]), slope[best]


def students_t(degrees: int) -> float:
    """Return what replaces DECIDING_ERRORS, of a normal law, for Student's t."""
    return float(stdtrit(degrees, ndtr(DECIDING_ERRORS)))


def summarise(
    values: np.ndarray, groups: int, runs_of_paper: int | None = None
) -> dict[str, np.ndarray]:
    """Return the columns of a summary after (policy, t), for an array of (run, checkpoint).

    Parameters
    ----------
    values : array
        A quantity of the runs.
    groups : int
        The largest number of groups for the median of means.
    runs_of_paper : int, optional
        The paper's number of runs. The mean and the standard deviation of that many runs are
        columns, too; of a single run it is the run itself, without a deviation.

    Examples
    --------
    >>> summarise(np.array([[1.0], [3.0]]), groups=1)["mean"]
    array([2.])
    """
    of_paper = {}
    if runs_of_paper:
        first = values[:runs_of_paper]
        of_paper = {"mean_of_paper": mean(first)}
        if runs_of_paper > 1:
            of_paper["std_of_paper"] = (first - first[0]).std(axis=0, ddof=1)
    centre = median_of_means(values, number_of_groups(len(values), groups))
    below, above = one_sided_deviations(values, centre)
    return {
        "runs": np.full(values.shape[1], len(values)),
        "mean": mean(values),
        "std": (values - values[0]).std(axis=0, ddof=1),
        "median_of_means": centre,
        "gmd_below": below,
        "gmd_above": above,
        "min": values.min(axis=0),
        "max": values.max(axis=0),
        **of_paper,
    }
