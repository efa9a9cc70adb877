"""Measures on single runs, not on a statistic of them: spread, ratios of paired runs, runs that lose the best arm."""

import math

import numpy as np

from dpbandits.claims.runs import Measurement, Runs, deterministic
from dpbandits.estimators import error_of_share, locked_in


def final_spread(runs: Runs, *, of: list[str]) -> Measurement:
    """The largest difference between two runs' final regrets, over the series `of`."""
    value, series = max((float(np.ptp(runs.runs_of(name)[:, -1])), name) for name in of)
    return value, f"{series}, best against worst run at t = {runs.t[-1]}"


@deterministic
def largest_difference(runs: Runs, *, of: str, to: list[str], quantity: str) -> Measurement:
    """The largest difference between a series' curve of a quantity and another's in the same run, over runs and rounds."""
    value, name = max((float(np.abs(runs.runs_of(of) - runs.runs_of(name)).max()), name) for name in to)
    return value, f"{quantity} of {of} and {name}, {len(runs.runs_of(of))} runs, {len(runs.t)} checkpoints"


def locked_in_share(runs: Runs, *, of: list[str]) -> Measurement:
    """The largest share of runs that lose at least a quarter of the smallest gap per round in their second half."""
    gap = float(runs.gaps[runs.gaps > 0].min())
    ends = [*np.flatnonzero(runs.t <= runs.t[-1] / 2)[-1:], -1]
    shares = [
        (float(locked_in(runs.runs_of(name)[:, ends], runs.t[ends], gap)[-1]), name) for name in runs.series_of(of)
    ]
    value, worst = max(shares)
    evidence = ", ".join(f"{share:.3g} in {name}" for share, name in shares)
    return value, evidence, error_of_share(value, len(runs.runs_of(worst)))


def paired_ratio(runs: Runs, *, of: list[str], to: list[str]) -> Measurement:
    """The product of the final values of `of`, divided by that of `to`, in each run; mean and standard error over the runs.

    Run n of every series meets the same realisation of the environment. One series each: `of` relative to `to`. Two
    each, [a1, b0] to [a0, b1]: the change of a relative to that of b.
    """
    ratios = np.ones(len(runs.runs_of(of[0])))
    for name in of:
        ratios = ratios * runs.runs_of(name)[:, -1]
    for name in to:
        ratios = ratios / runs.runs_of(name)[:, -1]
    error = float(ratios.std(ddof=1) / math.sqrt(len(ratios)))
    return float(ratios.mean()), f"{' x '.join(of)} / {' x '.join(to)}, {len(ratios)} paired runs", error


@deterministic
def smallest_excess_over_average(runs: Runs, *, of: list[str]) -> Measurement:
    """The smallest difference of a Nash regret and the average regret of the same runs, a lower bound on it."""
    found = []
    for name in runs.series_of(of):
        excess = runs.runs_of(name).curve() - runs.runs_of(name).average
        found.append((float(excess.min()), f"{name} at t = {runs.t[excess.argmin()]}"))
    return min(found)
