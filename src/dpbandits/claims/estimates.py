"""Predicates on the estimators themselves: median of means against mean, and the length of error bars."""

import numpy as np

from dpbandits import bounds
from dpbandits.claims.runs import Measurement, Runs, deterministic
from dpbandits.estimators import mean, median_of_means, one_sided_deviations


@deterministic
def departure_over_proposition_4_1(runs: Runs, *, of: list[str]) -> Measurement:
    """The distance of median of means and mean at the end, relative to what tossou2017's Proposition 4.1 allows."""
    groups, ratios = runs.experiment.design.groups, []
    for name in of:
        final = runs.runs_of(name)[:, -1:]
        width = bounds.tossou2017_proposition_4_1(len(final), groups)[0] * final.std(ddof=1)
        ratios.append((float(np.abs(median_of_means(final, groups) - mean(final))[0] / width), name))
    value, name = max(ratios)
    return value, f"{name} at t = {runs.t[-1]}"


@deterministic
def smallest_error_bar(runs: Runs, *, of: list[str]) -> Measurement:
    """The smallest of Gini's mean differences below and above the median of means at the end."""
    design, bars = runs.experiment.design, []
    for name in of:
        final = runs.runs_of(name)[:, -1:]
        below, above = one_sided_deviations(final, median_of_means(final, design.groups), design.gmd_scale)
        bars += [(float(below[0]), f"{name}, below"), (float(above[0]), f"{name}, above")]
    value, where = min(bars)
    return value, where
