"""Measures of sarkar2025's checks: ratios, steps and slopes of curves."""

import itertools
import math

import numpy as np

from dpbandits.checks.measurement import Measurement, NotMeasured, Runs
from dpbandits.parameters import Natural
from dpbandits.statistics.estimators import slope
from dpbandits.studies.experiment import Experiment


def later_over_earlier(
    runs: Runs, *, of: str, earlier: list[float], later: list[float]
) -> Measurement:
    """The mean of a curve between two rounds relative to its mean between two others."""
    curve, means = runs.curve(of), []
    for first, last in (later, earlier):
        rounds = (runs.t >= first) & (runs.t <= last)
        if not rounds.any():
            where = f"the rounds {first:g} to {last:g}"
            raise NotMeasured(f"it is about {where}, in which this scale records nothing")
        means.append(float(curve[rounds].mean()))
    where = f"{of}: {means[1]:.4g} over {earlier}, {means[0]:.4g} over {later}"
    return Measurement(means[0] / means[1], where)


def smallest_step_of_slopes(runs: Runs, *, of: list[str], since: Natural) -> Measurement:
    """The smallest difference between slopes of neighbours in the list.

    Above 0, each curve falls more slowly than the one before.
    """
    slopes = [_slope(runs, name, since) for name in of]
    shown = ", ".join(f"{name} {each:.3f}" for name, each in zip(of, slopes, strict=True))
    smallest = min(b - a for a, b in itertools.pairwise(slopes))
    return Measurement(smallest, f"slopes from {since:g} to {runs.t[-1]:g}: {shown}")


def difference_left(runs: Runs, *, of: str, to: str, minus: str, since: Natural) -> Measurement:
    """The slope of a curve less that of `minus`, over the same difference of another curve."""
    slopes = {name: _slope(runs, name, since) for name in (of, to, minus)}
    shown = ", ".join(f"{name} {each:.3f}" for name, each in slopes.items())
    left = (slopes[of] - slopes[minus]) / (slopes[to] - slopes[minus])
    return Measurement(left, f"slopes from {since:g} to {runs.t[-1]:g}: {shown}")


def _slope(runs: Runs, name: str, since: int) -> float:
    """The slope of ln(curve) in ln(t), by least squares over points that are even in ln(t)."""
    runs.first(since)
    x = np.linspace(math.log(since), math.log(runs.t[-1]), 200)
    return slope(x, np.interp(x, np.log(runs.t), np.log(runs.curve(name))))


def local_over_global_noise(experiment: Experiment, *, of: str) -> Measurement:
    """The noise of local means over that of GDP-NCB's private means of as many rewards.

    For n rewards the standard deviations are sqrt(2/n)/epsilon and sqrt(2) L/(epsilon n), where L
    is the logarithm of T by which the noise is scaled. Both are averaged over n, from the first
    release of Phase II, which has n = W/k + 2 on average, to an equal share of all rounds, T/k.
    """
    horizon, number_of_arms = experiment.design.horizon, experiment.bandit.number_of_arms
    compiled = experiment.by_name[of].as_policy.compiled(horizon, number_of_arms)
    first, last = compiled.longest_phase1 / number_of_arms + 2, horizon / number_of_arms
    local = 2 * (math.sqrt(last) - math.sqrt(first))
    overall = local / (compiled.noise * math.log(last / first))
    where = f"{of}: n = {first:.4g} to {last:.4g}, L = {compiled.noise:.4g}"
    return Measurement(overall, f"{where}; above 1 for each n from {compiled.noise**2:.4g} on")
