"""Predicates on runs that stop to learn: how much of the regret comes late, and how many runs have given up the best arm."""

import itertools

import numpy as np

from dpbandits import bounds
from dpbandits.claims.runs import Measurement, Runs, Together, compares_experiments, deterministic
from dpbandits.estimators import locked_in


def late_share(runs: Runs, *, of: list[str], since: float) -> Measurement:
    """The largest share of a final regret that comes after the fraction `since` of the horizon."""
    k = _checkpoint(runs, since)
    shares = [(1 - float(curve[k] / curve[-1]), name) for name in runs.series_of(of) for curve in [runs.curve(name)]]
    value, name = max(shares)
    return value, f"{name} after t = {runs.t[k]}"


def locked_in_share(runs: Runs, *, of: list[str]) -> Measurement:
    """The largest share of runs that lose at least a quarter of the smallest gap per round in their second half."""
    gap = float(runs.gaps[runs.gaps > 0].min())
    ends = [*np.flatnonzero(runs.t <= runs.t[-1] / 2)[-1:], -1]
    shares = [
        (float(locked_in(runs.runs_of(name)[:, ends], runs.t[ends], gap)[-1]), name) for name in runs.series_of(of)
    ]
    value, _ = max(shares)
    return value, ", ".join(f"{share:.3g} in {name}" for share, name in shares)


def final_over_uniform_play(runs: Runs, *, of: list[str]) -> Measurement:
    """The smallest final regret relative to that of playing all arms equally often: 1 is nothing learned."""
    uniform = float(runs.gaps.mean() * runs.t[-1])
    value, name = min((round(final / uniform, 9), name) for name, final in runs.finals(of).items())
    return value, f"{name} against {uniform:.5g}"


@deterministic
def bound_over_uniform_play(runs: Runs, *, of: str, bound: str) -> Measurement:
    """A theorem's bound at T relative to the regret of playing all arms equally often: above 1 it says nothing."""
    T = int(runs.t[-1])
    limit, uniform = bounds.at(bound, runs.means, T, runs.series(of).parameters), float(runs.gaps.mean() * T)
    return limit / uniform, f"{limit:.5g} against {uniform:.5g} at t = {T}"


def largest_rise_along(runs: Runs, *, of: list[str], along: str) -> Measurement:
    """The largest ratio of final regrets at neighbouring values of a sweep's parameter: below 1, they decrease."""
    pairs = sorted((runs.series(name).parameters[along], final) for name, final in runs.finals(of).items())
    return max((b / a, f"from {along} = {x:g} to {y:g}") for (x, a), (y, b) in itertools.pairwise(pairs))


@compares_experiments
def largest_ratio_across(runs: Together, *, of: list[str], to: list[str], along: str = "") -> Measurement:
    """The largest ratio of final regrets of series in different experiments, at equal values of the parameter `along`."""
    ours, theirs = (
        {
            part.series(name).parameters.get(along): final
            for part in runs.parts
            for name, final in part.finals(names).items()
        }
        for names in (of, to)
    )
    ratios = {value: ours[value] / theirs[value] for value in ours if value in theirs}
    at = "".join(f", {ratio:.3g} at {along} = {value:g}" for value, ratio in ratios.items() if along)
    return max(ratios.values()), f"{' '.join(of)} / {' '.join(to)} at T" + at


def _checkpoint(runs: Runs, share: float) -> int:
    """The last checkpoint up to a fraction of the horizon."""
    return int((runs.t <= share * runs.t[-1]).sum()) - 1
