"""Measures of tossou2016's checks: averages, single runs, the error of the hybrid mechanism."""

import math

import numpy as np

from dpbandits.checks.measurement import Measurement, NotMeasured, Runs, share_of
from dpbandits.parameters import Natural, Positive
from dpbandits.privacy import hybrid
from dpbandits.random import stream
from dpbandits.statistics.estimators import (
    error_of_share,
    locked_in,
    power_of,
    share_of_subsets_within,
)
from dpbandits.studies.experiment import Experiment


def ratio_over_log_time(runs: Runs, *, of: str, to: str, since: int, until: int) -> Measurement:
    """The smallest geometric mean over ln(t) of the ratio of two curves, over several windows.

    Windows begin at round `since` and end anywhere between its tenfold and `until`: no single step
    of a curve decides, and no single end of "small t".
    """
    from scipy.integrate import cumulative_trapezoid  # takes as long as planning

    if runs.t[-1] < until:
        raise NotMeasured(
            f"it is about rounds up to t = {until}, and this scale ends at t = {runs.t[-1]}"
        )
    x = np.linspace(math.log(since), math.log(until), 200)
    curve, other = (np.interp(x, np.log(runs.t), runs.curve(name)) for name in (of, to))
    lengths = x[1:] - x[0]
    means = cumulative_trapezoid(np.log(curve / other), x) / lengths
    k = np.where(lengths >= math.log(10) - 1e-9, means, math.inf).argmin()
    where = f"from t = {since} to {math.exp(x[k + 1]):.0f}"
    return Measurement(math.exp(means[k]), f"{of} / {to} on average over ln t {where}")


def chance_of_no_growth(
    runs: Runs, *, of: str, minus: str, since: int, runs_each: Natural
) -> Measurement:
    """The probability that a difference of two curves is no larger at T than at round `since`.

    Each curve is the mean of a group of `runs_each` runs. The measure is the share of the groups of
    `of` for which this is so. They meet the groups of `minus` in turn, of which there may be fewer.
    """
    at = runs.first(since)
    several = {
        name: _in_groups(runs.runs_of(name, [at, -1]), runs_each).mean(axis=1)
        for name in (of, minus)
    }
    number = len(several[of])
    first, last = (several[of] - several[minus][np.arange(number) % len(several[minus])]).T
    groups = f"{of} - {minus}, {number} groups of {runs_each} runs"
    rounds = f"no larger at t = {runs.t[-1]} than at {runs.t[at]}"
    is_no_larger = last <= first
    return share_of(is_no_larger, f"{groups}: {rounds} in {is_no_larger.mean():.3g} of them")


def exponent_in_gap(several: list[Runs], *, of: str, minus: str) -> Measurement:
    """The slope of ln(final regret less that of `minus`) in ln(smallest gap), by least squares."""
    gaps = [runs.smallest_gap for runs in several]
    excess = [runs.final(of, minus) for runs in several]
    shown = ", ".join(
        f"{value:.4g} at gap {gap:.2g}" for value, gap in zip(excess, gaps, strict=True)
    )
    return Measurement(power_of(gaps, excess), f"{of} - {minus}: {shown}")


def exponent_in_gap_over_exponent(
    several: list[Runs], *, of: str, to: str, minus: str
) -> Measurement:
    """The exponent of a series as in `exponent_in_gap`, over that of another one."""
    one, other = (exponent_in_gap(several, of=name, minus=minus) for name in (of, to))
    return Measurement(
        one.value / other.value, f"exponents {one.value:.3g} of {of}, {other.value:.3g} of {to}"
    )


def final_spread(runs: Runs, *, of: list[str]) -> Measurement:
    """The largest difference between two runs' final regrets, over the series `of`."""
    where = f"best against worst run at t = {runs.t[-1]}"
    return max(Measurement(np.ptp(runs.runs_of(name, -1)), f"{name}, {where}") for name in of)


def ratio_of_spreads(runs: Runs, *, of: list[str], to: str, runs_each: Natural) -> Measurement:
    """The largest spread of a series of `of`, relative to that of `to`.

    A spread is the mean difference of the best and the worst final regret of `runs_each` runs.
    """
    spreads = {
        name: float(np.ptp(_in_groups(runs.runs_of(name, [-1]), runs_each), axis=1).mean())
        for name in (*of, to)
    }
    widest = max(of, key=spreads.__getitem__)
    where = f"{widest} {spreads[widest]:.5g}, {to} {spreads[to]:.5g}, of {runs_each} runs each"
    return Measurement(spreads[widest] / spreads[to], where)


def chance_of_spread_below(
    runs: Runs, *, of: list[str], runs_each: Natural, below: Positive
) -> Measurement:
    """The probability that `runs_each` runs of each series end within `below` of each other.

    It is the share of all subsets of the runs for which this is so, multiplied over the series,
    which are independent.
    """
    chances = [
        share_of_subsets_within(_enough(runs.runs_of(name, -1), runs_each), runs_each, below)
        for name in of
    ]
    shown = ", ".join(f"{chance:.3g} for {name}" for chance, name in zip(chances, of, strict=True))
    return Measurement(
        math.prod(chances), f"probability that {runs_each} runs differ by less: {shown}"
    )


def locked_in_share_over_earlier(runs: Runs, *, of: str, since: int) -> Measurement:
    """The share of lost runs at T, relative to that at round `since`.

    A run is lost if it loses a quarter of the smallest gap per round or more from t/2 to t.
    """
    at = runs.first(since)
    earlier, later = map(float, _lost(runs, of)[[at, -1]])
    if not earlier:
        raise NotMeasured(f"no run of {of} loses up to t = {runs.t[at]}")
    where = f"{of}: {earlier:.3g} up to t = {runs.t[at]}, {later:.3g} up to t = {runs.t[-1]}"
    return Measurement(later / earlier, where)


def locked_in_share_less_half(runs: Runs, *, of: list[str], minus: str) -> Measurement:
    """The largest share of lost runs of `of`, less half the share of `minus`.

    A run is lost if it loses a quarter of the smallest gap per round or more from T/2 to T.
    """
    lost = {name: _lost(runs, name)[-1] for name in (*of, minus)}
    most = max(of, key=lost.__getitem__)
    errors = [error_of_share(lost[name], len(runs.of[name].values)) for name in (most, minus)]
    where = f"lost runs: {lost[most]:.3g} of {most}, {lost[minus]:.3g} of {minus}"
    difference = lost[most] - lost[minus] / 2
    return Measurement(difference, where, math.hypot(errors[0], errors[1] / 2))


def interval_over_longest(experiment: Experiment, *, of: str) -> Measurement:
    """The mean number of pulls between two releases of DP-UCB-INT, times its input epsilon."""
    policy, T = experiment.by_name[of].as_policy, experiment.design.horizon
    counts = policy.update_counts(T)
    mean, longest = counts[-1] / len(counts), 1 / policy.input_epsilon
    where = f"{of}: {counts[0]} pulls at first, {mean:.1f} on average; 1/epsilon = {longest:.1f}"
    return Measurement(mean / longest, where)


def chance_of_larger_error(experiment: Experiment, *, of: str, draws: Natural) -> Measurement:
    """How often a hybrid sum has a larger error than Lemma B.2 allows, over the allowed gamma.

    The sum has n = 2^17 - 1 items, and gamma = 1/n. It has the noise of the 17 increments of the
    running total, and that of 16 nodes, one of each size, in the last tree.
    """
    policy, n = experiment.by_name[of].as_policy, 2**17 - 1
    total, per_level = hybrid.scales(policy.hybrid_split, policy.epsilon)
    rng, error = stream(1, experiment.paper, "Lemma B.2").numpy(), np.zeros(draws)
    for scale in [total] * 17 + [16 * per_level] * 16:
        error += rng.laplace(0.0, scale, draws)
    bound = math.sqrt(8) / policy.epsilon * math.log(4 * n) * (math.log(n) + 1)
    share = np.mean(np.abs(error) > bound)
    sums = f"{share:.3g} of {draws:,} sums of {n:,} items"
    where = f"{of}: {sums} are further off than {bound:.4g}, allowed 1/n = {1 / n:.3g}"
    return Measurement(share * n, where, error_of_share(share, draws) * n)


def _lost(runs: Runs, series: str) -> np.ndarray:
    """The share of lost runs at each checkpoint."""
    return locked_in(runs.runs_of(series, slice(None)), runs.t, runs.smallest_gap)


def _enough(values: np.ndarray, size: int) -> np.ndarray:
    """The runs; NotMeasured if there are fewer than `size`."""
    if len(values) < size:
        raise NotMeasured(f"it is about {size} runs, and this scale has {len(values)}")
    return values


def _in_groups(values: np.ndarray, size: int) -> np.ndarray:
    """Consecutive groups of `size` runs, without the runs of an incomplete group."""
    number = len(_enough(values, size)) // size
    return values[: number * size].reshape(number, size, -1)
