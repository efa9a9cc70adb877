"""Measures of sarkar2025's claims: the order, slopes and crossings of curves, and privacy over a sweep of horizons."""

import itertools
import math

import numpy as np

from dpbandits.claims.measurement import Measurement, NotMeasured, measure
from dpbandits.claims.measures.general import AT_END, account_of, extreme_ratio, ratio, spent_to_promised
from dpbandits.claims.runs import Runs, reaches, window


@measure()
def order(runs: Runs, *, of: list[str], since: int = AT_END) -> Measurement:
    """The largest ratio of a curve to the next of the list: below 1, they are in this order throughout."""
    return extreme_ratio(runs, itertools.pairwise(of), since, "max")


@measure()
def ratio_over_log2_of_T(runs: Runs, *, of: list[str], to: list[str]) -> Measurement:
    """The largest ratio of a curve's final value to that of its partner in the other list, divided by log2 of T."""
    largest = ratio(runs, of=of, to=to, pairs="in_turn")
    return Measurement(largest.value / math.log2(runs.t[-1]), f"{largest.evidence}; {largest.value:.4g} times")


@measure()
def ratio_of_differences(runs: Runs, *, of: str, to: str, minus: str) -> Measurement:
    """The final difference of `of` and `minus`, relative to the final difference of `to` and `minus`."""
    one, other, least = (runs.final(name) for name in (of, to, minus))
    where = f"{of} - {minus}: {one - least:.4g}, {to} - {minus}: {other - least:.4g}"
    return Measurement(float((one - least) / (other - least)), where)


@measure()
def stays_below_since(runs: Runs, *, of: str, to: str, by: int = 0) -> Measurement:
    """The first round from which on one curve stays below another; T if it is not below at T, which is `by` or later."""
    reaches(runs, by)
    above = np.flatnonzero(runs.curve(of) >= runs.curve(to))
    at = 0 if not above.size else min(int(above[-1]) + 1, len(runs.t) - 1)
    ends = runs.final(of) / runs.final(to)
    return Measurement(float(runs.t[at]), f"{of} / {to} is {ends:.4g} at the end, t = {runs.t[-1]}")


@measure()
def later_over_earlier(runs: Runs, *, of: str, earlier: list[float], later: list[float]) -> Measurement:
    """The mean of a curve between two rounds relative to its mean between two others."""
    curve, means = runs.curve(of), []
    for first, last in (later, earlier):
        rounds = (runs.t >= first) & (runs.t <= last)
        if not rounds.any():
            raise NotMeasured(
                f"the claim is about the rounds {first:g} to {last:g}, in which this scale records nothing"
            )
        means.append(float(curve[rounds].mean()))
    where = f"{of}: {means[1]:.4g} over {earlier}, {means[0]:.4g} over {later}"
    return Measurement(means[0] / means[1], where)


@measure()
def final_over_earlier(runs: Runs, *, of: list[str], since: int) -> Measurement:
    """The largest ratio of a curve's final value to its value at round `since`."""
    at = int(np.argmax(window(runs, since)))
    value, name = max((float(curve[-1] / curve[at]), name) for name in of for curve in [runs.curve(name)])
    return Measurement(value, f"{name} from t = {runs.t[at]} to {runs.t[-1]}")


@measure()
def smallest_step_of_slopes(runs: Runs, *, of: list[str], since: int, until: int) -> Measurement:
    """The smallest difference between slopes of neighbours in the list: above 0, each falls more slowly than the one before.

    A slope is that of ln(curve) in ln t, by least squares over points that are evenly spaced in ln t.
    """
    slopes = [_slope(runs, name, since, until) for name in of]
    shown = ", ".join(f"{name} {slope:.3f}" for name, slope in zip(of, slopes, strict=True))
    smallest = min(b - a for a, b in itertools.pairwise(slopes))
    return Measurement(float(smallest), f"slopes from {since:g} to {until:g}: {shown}")


@measure()
def slope_in_time(runs: Runs, *, of: str, since: int, until: int) -> Measurement:
    """The slope of ln(curve) in ln t: -1/2 where the curve falls as one over the root of t."""
    return Measurement(_slope(runs, of, since, until), f"{of} from {since:g} to {until:g}")


def _slope(runs: Runs, series: str, since: int, until: int) -> float:
    reaches(runs, until)
    x = np.linspace(math.log(since), math.log(until), 200)
    return float(np.polyfit(x, np.interp(x, np.log(runs.t), np.log(runs.curve(series))), 1)[0])


@measure(deterministic=True)
def privacy_spent_in_any_game(runs: Runs, *, of: str) -> Measurement:
    """The largest `privacy_spent` of the games of a sweep, in which every checkpoint is the horizon of a game of its own."""
    spent = [(spent_to_promised(account_of(runs, of, T)), -T) for T in runs.t.tolist()]
    value, T = max(spent)
    return Measurement(value, f"{of}: T = {-T} of {len(spent)} games from T = {runs.t[0]} to {runs.t[-1]}")
