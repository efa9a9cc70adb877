"""Measures on the curves of an experiment: levels, ratios, differences and slopes of the claim's statistic.

`since` is the first round that counts; without it a measure uses T only. `take` says which of several values decides.
With `statistic: nash_regret` the curves are Nash regrets, which the bootstrap recomputes from resampled runs.
"""

import itertools
import math
from collections.abc import Iterable
from typing import Literal

import numpy as np

from dpbandits.claims.runs import Measurement, NotMeasured, Runs, reaches, window

Extreme = Literal["max", "min"]
AT_END = 0  # default of `since`: T only


def level(runs: Runs, *, of: list[str], since: int = AT_END, take: Extreme = "max", quantity: str = "") -> Measurement:
    """The largest, or smallest, value of the curves; of another quantity of the runs, if one is named."""
    prefix = f"{quantity} of " if quantity else ""
    if since == AT_END:
        found = [(float(runs.final(name)), f"{prefix}{name} at t = {runs.t[-1]}") for name in of]
    else:
        found = [_extreme(runs, runs.curve(name), since, 1.0, take, f"{prefix}{name}") for name in of]
    return _decisive(found, take)


def ratio(
    runs: Runs,
    *,
    of: list[str],
    to: list[str],
    since: int = AT_END,
    until: float = 1.0,
    pairs: Literal["all", "in_turn"] = "all",
    take: Extreme = "max",
) -> Measurement:
    """The largest, or smallest, ratio of a curve of `of` to one of `to`, up to the fraction `until` of the horizon.

    `pairs`: every curve of the first list with every curve of the second, or the first with the first and so on.
    """
    compared = itertools.product(of, to) if pairs == "all" else zip(of, to, strict=True)
    return _decisive(_ratios(runs, compared, since, until, take), take)


def order(runs: Runs, *, of: list[str], since: int = AT_END) -> Measurement:
    """The largest ratio of a curve to the next of the list: below 1, they are in this order throughout."""
    return _decisive(_ratios(runs, itertools.pairwise(of), since, 1.0, "max"), "max")


def ratio_over_log2_of_T(runs: Runs, *, of: list[str], to: list[str]) -> Measurement:
    """The largest ratio of a curve's final value to that of its partner in the other list, divided by log2 of T."""
    value, where, *_ = ratio(runs, of=of, to=to, pairs="in_turn")
    return value / math.log2(runs.t[-1]), f"{where}; {value:.4g} times"


def _ratios(
    runs: Runs, compared: Iterable[tuple[str, str]], since: int, until: float, take: Extreme
) -> list[tuple[float, str]]:
    if since == AT_END:
        return [(float(runs.final(a) / runs.final(b)), f"{a} / {b} at t = {runs.t[-1]}") for a, b in compared]
    return [_extreme(runs, runs.curve(a) / runs.curve(b), since, until, take, f"{a} / {b}") for a, b in compared]


def _extreme(runs: Runs, curve: np.ndarray, since: int, until: float, take: Extreme, name: str) -> tuple[float, str]:
    """The extreme value of a curve over a window, and where it is."""
    rounds = window(runs, since, until)
    k = curve[rounds].argmax() if take == "max" else curve[rounds].argmin()
    return float(curve[rounds][k]), f"{name} at t = {runs.t[rounds][k]}"


def _decisive(found: Iterable[tuple[float, str]], take: Extreme) -> tuple[float, str]:
    return max(found) if take == "max" else min(found)


def ratio_over_log_time(runs: Runs, *, of: str, to: str, since: int, until: int) -> Measurement:
    """The geometric mean over ln t, between two rounds, of the ratio of two curves: no single step of a curve decides."""
    reaches(runs, until)
    x = np.linspace(math.log(since), math.log(until), 200)
    curve, other = (np.interp(x, np.log(runs.t), runs.curve(name)) for name in (of, to))
    value = math.exp(float(np.trapezoid(np.log(curve / other), x)) / (x[-1] - x[0]))
    return value, f"{of} / {to} on average over ln t from t = {since} to {until}"


def growth_of_gap(runs: Runs, *, of: str, minus: str, since: int) -> Measurement:
    """The growth of the difference of two curves: its largest value after round `since` relative to that at `since`."""
    late = window(runs, since)
    gap = (runs.curve(of) - runs.curve(minus))[late]
    later = gap[1:].max()
    where = f"{of} - {minus}: {gap[0]:.4g} at t = {runs.t[late][0]}, {later:.4g} at most later"
    return float(later / gap[0]), where


def ratio_of_differences(runs: Runs, *, of: str, to: str, minus: str) -> Measurement:
    """The final difference of `of` and `minus`, relative to the final difference of `to` and `minus`."""
    one, other, least = (runs.final(name) for name in (of, to, minus))
    where = f"{of} - {minus}: {one - least:.4g}, {to} - {minus}: {other - least:.4g}"
    return float((one - least) / (other - least)), where


def stays_below_since(runs: Runs, *, of: str, to: str, by: int = 0) -> Measurement:
    """The first round from which on one curve stays below another; T if it is not below at T, which is `by` or later."""
    reaches(runs, by)
    above = np.flatnonzero(runs.curve(of) >= runs.curve(to))
    at = 0 if not above.size else min(int(above[-1]) + 1, len(runs.t) - 1)
    ends = runs.final(of) / runs.final(to)
    return float(runs.t[at]), f"{of} / {to} is {ends:.4g} at the end, t = {runs.t[-1]}"


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
    return means[0] / means[1], f"{of}: {means[1]:.4g} over {earlier}, {means[0]:.4g} over {later}"


def final_over_earlier(runs: Runs, *, of: list[str], since: int) -> Measurement:
    """The largest ratio of a curve's final value to its value at round `since`."""
    at = int(np.argmax(window(runs, since)))
    ratios = [(float(curve[-1] / curve[at]), name) for name in of for curve in [runs.curve(name)]]
    value, name = max(ratios)
    return value, f"{name} from t = {runs.t[at]} to {runs.t[-1]}"


def late_share(runs: Runs, *, of: list[str], since: float) -> Measurement:
    """The largest share of a final regret that comes after the fraction `since` of the horizon."""
    k = int((runs.t <= since * runs.t[-1]).sum()) - 1  # the last checkpoint up to there
    curves = ((name, runs.curve(name)) for name in runs.series_of(of))
    value, name = max((1 - float(curve[k] / curve[-1]), name) for name, curve in curves)
    return value, f"{name} after t = {runs.t[k]}"


def largest_window(runs: Runs, *, of: str, width: float, since: float) -> Measurement:
    """The largest share of the final regret that a window of `width` T holds, in the rounds after `since` T."""
    curve, T = runs.curve(of), runs.t[-1]
    start = np.flatnonzero(runs.t >= since * T)
    end = np.searchsorted(runs.t, runs.t[start] + width * T, side="right") - 1
    share = (curve[end] - curve[start]) / curve[-1]
    return float(share.max()), f"{of} after t = {runs.t[start[share.argmax()]]}"


def smallest_step_of_slopes(runs: Runs, *, of: list[str], since: int, until: int) -> Measurement:
    """The smallest difference between slopes of neighbours in the list: above 0, each falls more slowly than the one before.

    A slope is that of ln(curve) in ln t, by least squares over points that are evenly spaced in ln t.
    """
    slopes = [_slope(runs, name, since, until) for name in of]
    shown = ", ".join(f"{name} {slope:.3f}" for name, slope in zip(of, slopes, strict=True))
    return float(min(b - a for a, b in itertools.pairwise(slopes))), f"slopes from {since:g} to {until:g}: {shown}"


def slope_in_time(runs: Runs, *, of: str, since: int, until: int) -> Measurement:
    """The slope of ln(curve) in ln t: -1/2 where the curve falls as one over the root of t."""
    return _slope(runs, of, since, until), f"{of} from {since:g} to {until:g}"


def _slope(runs: Runs, series: str, since: int, until: int) -> float:
    reaches(runs, until)
    x = np.linspace(math.log(since), math.log(until), 200)
    return float(np.polyfit(x, np.interp(x, np.log(runs.t), np.log(runs.curve(series))), 1)[0])
