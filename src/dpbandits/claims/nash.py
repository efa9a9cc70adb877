"""Predicates that sarkar2025 is judged by: orders, levels and slopes of curves over long windows.

They work on any curve; with `statistic: nash_regret` it is the Nash regret, which the bootstrap draws anew from whole runs.
"""

import itertools
import math

import numpy as np

from dpbandits.claims.runs import Measurement, NotMeasured, Runs, deterministic, window


def smallest_value(runs: Runs, *, of: str, since: int) -> Measurement:
    """The smallest value of a curve from round `since` on."""
    rounds = window(runs, since)
    curve = runs.curve(of)[rounds]
    return float(curve.min()), f"{of} at t = {runs.t[rounds][curve.argmin()]}"


def largest_value(runs: Runs, *, of: str, since: int) -> Measurement:
    """The largest value of a curve from round `since` on."""
    rounds = window(runs, since)
    curve = runs.curve(of)[rounds]
    return float(curve.max()), f"{of} at t = {runs.t[rounds][curve.argmax()]}"


def later_over_earlier(runs: Runs, *, of: str, earlier: list[float], later: list[float]) -> Measurement:
    """The mean of a curve between two rounds relative to its mean between two others."""
    curve, means = runs.curve(of), []
    for first, last in (later, earlier):
        rounds = (runs.t >= first) & (runs.t <= last)
        if not rounds.any():
            raise NotMeasured(f"it speaks of rounds {first:g} to {last:g}, where this scale does not look")
        means.append(float(curve[rounds].mean()))
    return means[0] / means[1], f"{of}: {means[1]:.4g} over {earlier}, {means[0]:.4g} over {later}"


def final_over_earlier(runs: Runs, *, of: list[str], since: int) -> Measurement:
    """The largest ratio of a curve's end to its value at round `since`."""
    at = int(np.argmax(window(runs, since)))
    if at == len(runs.t) - 1:
        raise NotMeasured(f"it compares the end with t = {since}, which is the end at this scale")
    ratios = [(float(curve[-1] / curve[at]), name) for name in of for curve in [runs.curve(name)]]
    value, name = max(ratios)
    return value, f"{name} from t = {runs.t[at]} to {runs.t[-1]}"


def largest_ratio_in_order(runs: Runs, *, of: list[str], since: int) -> Measurement:
    """The largest ratio of a curve to the next of the list, from `since` on: below 1, they are in this order throughout."""
    rounds, found = window(runs, since), []
    for low, high in itertools.pairwise(of):
        ratio = (runs.curve(low) / runs.curve(high))[rounds]
        found.append((float(ratio.max()), f"{low} / {high} at t = {runs.t[rounds][ratio.argmax()]}"))
    return max(found)


def largest_ratio_to_any(runs: Runs, *, of: str, to: list[str], since: int) -> Measurement:
    """The largest ratio of one curve to any of others, from `since` on: below 1, it is the lowest of them throughout."""
    rounds, curve, found = window(runs, since), runs.curve(of), []
    for name in to:
        ratio = (curve / runs.curve(name))[rounds]
        found.append((float(ratio.max()), f"{of} / {name} at t = {runs.t[rounds][ratio.argmax()]}"))
    return max(found)


def stays_below_since(runs: Runs, *, of: str, to: str) -> Measurement:
    """The first round from which on one curve stays below another; the end if it does not end below it."""
    above = np.flatnonzero(runs.curve(of) >= runs.curve(to))
    at = 0 if not above.size else min(int(above[-1]) + 1, len(runs.t) - 1)
    ends = runs.final(of) / runs.final(to)
    return float(runs.t[at]), f"{of} / {to} is {ends:.4g} at the end, t = {runs.t[-1]}"


def largest_final_ratio_of_pairs(runs: Runs, *, of: list[str], to: list[str]) -> Measurement:
    """The largest ratio of a curve's end to that of its partner in the other list."""
    return max(_final_ratios(runs, of, to))


def smallest_final_ratio_of_pairs(runs: Runs, *, of: list[str], to: list[str]) -> Measurement:
    """The smallest ratio of a curve's end to that of its partner in the other list."""
    return min(_final_ratios(runs, of, to))


def largest_final_ratio_over_log2(runs: Runs, *, of: list[str], to: list[str]) -> Measurement:
    """The largest ratio of a curve's end to that of its partner in the other list, divided by log2 of the horizon."""
    ratio, where = max(_final_ratios(runs, of, to))
    return ratio / math.log2(runs.t[-1]), f"{where}; {ratio:.4g} times"


def _final_ratios(runs: Runs, of: list[str], to: list[str]) -> list[tuple[float, str]]:
    return [
        (float(runs.final(a) / runs.final(b)), f"{a} / {b} at t = {runs.t[-1]}") for a, b in zip(of, to, strict=True)
    ]


def ratio_of_differences(runs: Runs, *, of: str, to: str, minus: str) -> Measurement:
    """What a curve's end is above that of `minus`, relative to what the end of `to` is above it."""
    one, other, least = (runs.final(name) for name in (of, to, minus))
    return float(
        (one - least) / (other - least)
    ), f"{of} - {minus}: {one - least:.4g}, {to} - {minus}: {other - least:.4g}"


def smallest_step_of_slopes(runs: Runs, *, of: list[str], since: int, until: int) -> Measurement:
    """The smallest difference between slopes of neighbours in the list: above 0, each falls more slowly than the one before.

    A slope is that of ln(curve) in ln t, by least squares over points that are evenly spaced in ln t.
    """
    if runs.t[-1] < until:
        raise NotMeasured(f"it speaks of rounds up to t = {until}, and this scale ends at t = {runs.t[-1]}")
    x = np.linspace(math.log(since), math.log(until), 200)
    slopes = [np.polyfit(x, np.interp(x, np.log(runs.t), np.log(runs.curve(name))), 1)[0] for name in of]
    shown = ", ".join(f"{name} {slope:.3f}" for name, slope in zip(of, slopes, strict=True))
    return float(min(b - a for a, b in itertools.pairwise(slopes))), f"slopes from {since:g} to {until:g}: {shown}"


@deterministic
def smallest_excess_over_average(runs: Runs, *, of: list[str]) -> Measurement:
    """The smallest difference of a Nash regret and the average regret of the same runs, which it cannot be below."""
    found = []
    for name in runs.series_of(of):
        excess = runs.runs_of(name).curve() - runs.runs_of(name).average
        found.append((float(excess.min()), f"{name} at t = {runs.t[excess.argmin()]}"))
    return min(found)
