"""Predicates on the curves of an experiment, or of several: their ratios, differences, slopes and spreads."""

import itertools

import numpy as np

from dpbandits.claims.runs import Measurement, Runs, Together, deterministic, window


def final_ratio(runs: Runs, *, of: list[str], to: list[str]) -> Measurement:
    """The largest ratio of a final regret of `of` to one of `to`."""
    pairs = [(runs.final(a) / runs.final(b), f"{a} / {b}") for a in of for b in to]
    value, pair = max(pairs)
    return value, f"{pair} at t = {runs.t[-1]}"


def largest_ratio(runs: Runs, *, of: str, to: str, since: int, until: float) -> Measurement:
    """The largest ratio of two curves over the rounds from `since` to the fraction `until` of the horizon."""
    rounds = window(runs, since, until)
    ratio = (runs.curve(of) / runs.curve(to))[rounds]
    return float(ratio.max()), f"{of} / {to} at t = {runs.t[rounds][ratio.argmax()]}"


def final_over_largest_ratio(runs: Runs, *, of: str, to: str, since: int) -> Measurement:
    """The ratio of two curves at the end, relative to its largest value from `since` on: below 1, `of` catches up."""
    ratio = (runs.curve(of) / runs.curve(to))[window(runs, since)]
    return float(ratio[-1] / ratio.max()), f"{of} / {to}: {ratio.max():.4g} at its largest, {ratio[-1]:.4g} at the end"


def growth_of_gap(runs: Runs, *, of: str, minus: str, since: int) -> Measurement:
    """How much the difference of two curves grows after round `since`: its largest value later, relative to then."""
    late = window(runs, since)
    gap = (runs.curve(of) - runs.curve(minus))[late]
    return float(
        gap.max() / gap[0]
    ), f"{of} - {minus}: {gap[0]:.4g} at t = {runs.t[late][0]}, {gap.max():.4g} at most later"


def final_spread(runs: Runs, *, of: list[str]) -> Measurement:
    """The largest difference between two runs' final regrets, over the series `of`."""
    value, series = max((float(np.ptp(runs.runs_of(name)[:, -1])), name) for name in of)
    return value, f"{series}, best against worst run at t = {runs.t[-1]}"


def final_value(runs: Runs, *, of: str, quantity: str) -> Measurement:
    """A quantity's final value."""
    return float(runs.final(of)), f"{quantity} of {of} at t = {runs.t[-1]}"


@deterministic
def largest_difference(runs: Runs, *, of: str, to: list[str], quantity: str) -> Measurement:
    """The largest difference between a series' curve of a quantity and another's in the same run, over runs and rounds."""
    value, name = max((float(np.abs(runs.runs_of(of) - runs.runs_of(name)).max()), name) for name in to)
    return value, f"{quantity} of {of} and {name}, {len(runs.runs_of(of))} runs, {len(runs.t)} checkpoints"


def largest_window(runs: Runs, *, of: str, width: float, since: float) -> Measurement:
    """The largest share of the final regret that a window of `width` T holds, in the rounds after `since` T."""
    curve, T = runs.curve(of), runs.t[-1]
    start = np.flatnonzero(runs.t >= since * T)
    end = np.searchsorted(runs.t, runs.t[start] + width * T, side="right") - 1
    share = (curve[end] - curve[start]) / curve[-1]
    return float(share.max()), f"{of} after t = {runs.t[start[share.argmax()]]}"


def late_change_of_slope(runs: Runs, *, of: str, since: float) -> Measurement:
    """The largest change in any run of the regret per round between neighbouring checkpoints after `since` T."""
    late = runs.t >= since * runs.t[-1]
    slope = np.diff(runs.runs_of(of)[:, late], axis=1) / np.diff(runs.t[late])
    return float(np.abs(np.diff(slope, axis=1)).max()), f"{of} after t = {runs.t[late][0]}"


def growth_exponent(runs: Together, *, of: str) -> Measurement:
    """The slope of ln(final regret) in ln T over games of different lengths, by least squares."""
    T = [part.experiment.design.horizon for part in runs.parts]
    finals = [part.final(of) for part in runs.parts]
    slope = np.polyfit(np.log(T), np.log(finals), 1)[0]
    return float(slope), f"{of}, T = {min(T)} to {max(T)}"


def largest_rise(runs: Together, *, of: list[str]) -> Measurement:
    """The largest ratio of a series' final regret in an experiment to that in the one before it."""
    return max(
        (
            later.finals([name])[name] / earlier.finals([name])[name],
            f"{name}, {later.experiment.base} / {earlier.experiment.base}",
        )
        for name in of
        for earlier, later in itertools.pairwise(runs.parts)
    )


def relative_range(runs: Together, *, of: str) -> Measurement:
    """The range of a series' final regrets over experiments, relative to the smallest."""
    finals = [part.finals([of])[of] for part in runs.parts]
    return (max(finals) - min(finals)) / min(finals), f"{of}: " + ", ".join(f"{final:.5g}" for final in finals)
