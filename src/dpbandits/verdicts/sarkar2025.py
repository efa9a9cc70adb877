"""Measures of sarkar2025's tests: slopes of curves, the price of privacy, and privacy over a sweep of horizons."""

import itertools
import math

import numpy as np

from dpbandits.studies.experiment import Experiment
from dpbandits.verdicts.general import account_of, finals_along, ratio, spent_to_promised
from dpbandits.verdicts.measurement import Measurement, NotMeasured, Runs


def ratio_over_log2_of_T(runs: Runs, *, of: list[str], to: list[str]) -> Measurement:
    """The largest ratio of a curve's final value to that of its partner in the other list, divided by log2 of T."""
    largest = ratio(runs, of=of, to=to, pairs="in_turn")
    return Measurement(largest.value / math.log2(runs.t[-1]), f"{largest.evidence}; {largest.value:.4g} times")


def ratio_of_differences(runs: Runs, *, of: str, to: str, minus: str) -> Measurement:
    """The final difference of `of` and `minus`, relative to the final difference of `to` and `minus`."""
    one, other, least = (runs.final(name) for name in (of, to, minus))
    where = f"{of} - {minus}: {one - least:.4g}, {to} - {minus}: {other - least:.4g}"
    return Measurement(float((one - least) / (other - least)), where)


def exponent_of_price(runs: Runs, *, of: list[str], minus: str, along: str) -> Measurement:
    """The slope of ln(final value less that of `minus`) in the logarithm of a parameter, by least squares: -1 where what the parameter
    costs falls as one over the parameter, and 0 where it has levelled off."""
    values, finals = zip(*finals_along(runs, of, along), strict=True)
    prices = np.array(finals) - runs.final(minus)
    if (prices <= 0).any():
        raise NotMeasured(f"{minus} does not end below all of {', '.join(of)}")
    slope = np.polyfit(np.log(values), np.log(prices), 1)[0]
    shown = ", ".join(f"{price:.3g} at {along} = {value:g}" for value, price in zip(values, prices, strict=True))
    return Measurement(float(slope), shown)


def later_over_earlier(runs: Runs, *, of: str, earlier: list[float], later: list[float]) -> Measurement:
    """The mean of a curve between two rounds relative to its mean between two others."""
    curve, means = runs.curve(of), []
    for first, last in (later, earlier):
        rounds = (runs.t >= first) & (runs.t <= last)
        if not rounds.any():
            raise NotMeasured(f"it speaks of the rounds {first:g} to {last:g}, in which this scale records nothing")
        means.append(float(curve[rounds].mean()))
    where = f"{of}: {means[1]:.4g} over {earlier}, {means[0]:.4g} over {later}"
    return Measurement(means[0] / means[1], where)


def final_over_earlier(runs: Runs, *, of: list[str], since: int) -> Measurement:
    """The largest ratio of a curve's final value to its value at round `since`."""
    at, where = runs.first(since), f"from t = {runs.t[runs.first(since)]} to {runs.t[-1]}"
    ends = {name: runs.since(name, at) for name in of}
    return max(Measurement(float(last / first), f"{name} {where}") for name, (first, last) in ends.items())


def smallest_step_of_slopes(runs: Runs, *, of: list[str], since: int) -> Measurement:
    """The smallest difference between slopes of neighbours in the list: above 0, each falls more slowly than the one before. A slope is
    that of ln(curve) in ln t from round `since` on, by least squares over points that are evenly spaced in ln t."""
    x = np.linspace(math.log(since), math.log(runs.t[-1]), 200)
    slopes = [float(np.polyfit(x, np.interp(x, np.log(runs.t), np.log(runs.curve(name))), 1)[0]) for name in of]
    shown = ", ".join(f"{name} {slope:.3f}" for name, slope in zip(of, slopes, strict=True))
    smallest = min(b - a for a, b in itertools.pairwise(slopes))
    return Measurement(smallest, f"slopes from {since:g} to {runs.t[-1]:g}: {shown}")


def privacy_spent_in_any_game(experiment: Experiment, *, of: str) -> Measurement:
    """The largest `privacy_spent` of the games of a sweep, in which every checkpoint is the horizon of a game of its own."""
    games = experiment.design.rounds
    value, T = max((spent_to_promised(account_of(experiment, of, T)), -T) for T in games)
    return Measurement(value, f"{of}: T = {-T} of {len(games)} games from T = {games[0]} to {games[-1]}")
