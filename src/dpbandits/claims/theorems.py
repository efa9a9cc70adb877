"""Measures that compare the runs with theorems: bounds on regret, regimes, and guarantees of estimators."""

import inspect

import numpy as np

from dpbandits.claims.curves import AT_END, Extreme
from dpbandits.claims.runs import Measurement, Runs, deterministic, window
from dpbandits.theory import azize2022, bounds


def over_bound(runs: Runs, *, of: list[str], bound: str, since: int = AT_END, take: Extreme = "max") -> Measurement:
    """The largest, or smallest, ratio of a curve to a theorem's bound: at T, or at any checkpoint from round `since` on."""
    found = []
    for name in runs.series_of(of):
        limit = runs.cached(("bound", bound, name, since), lambda name=name: _bound_curve(runs, name, bound, since))
        if since == AT_END:
            found.append((float(runs.final(name)) / limit[-1], f"{name} against {bound}"))
            continue
        later = window(runs, since)
        ratio = (runs.curve(name) / limit)[later]
        k = ratio.argmax() if take == "max" else ratio.argmin()
        where = f"{name} against {bound} at t = {runs.t[later][k]}; bound at T: {limit[-1]:.5g}"
        found.append((float(ratio[k]), where))
    return max(found) if take == "max" else min(found)


def final_over_theorem(runs: Runs, *, of: list[str], theorem: str) -> Measurement:
    """The largest ratio of a final regret to the bound of a theorem on the whole game."""
    T, K = runs.experiment.design.horizon, runs.number_of_arms
    function = bounds.THEOREMS[theorem]
    accepted = inspect.signature(function).parameters
    ratios = []
    for name in of:
        limit = function(T, K, **{k: v for k, v in runs.series(name).parameters.items() if k in accepted})
        ratios.append((runs.final(name) / limit, f"{name}: {runs.final(name):.5g} against {limit:.5g}"))
    value, where = max(ratios)
    return float(value), f"{where} ({theorem})"


@deterministic
def crossing_of_example(runs: Runs, *, number_of_arms: int, horizon: int) -> Measurement:
    """The epsilon at which the two parts of Theorem 2's bound are equal, in the example of the text."""
    crossing = azize2022.azize2022_theorem_2_crossing(number_of_arms, horizon)
    here = azize2022.azize2022_theorem_2_crossing(len(runs.gaps), int(runs.t[-1]))
    printed = azize2022.azize2022_theorem_2_example(number_of_arms, horizon)
    return crossing, f"{printed:.4g} with the constants exchanged; in this figure they cross at {here:.4g}"


@deterministic
def bound_over_uniform_play(runs: Runs, *, of: str, bound: str) -> Measurement:
    """A theorem's bound at T relative to the regret of playing all arms equally often: above 1 the bound is vacuous."""
    T = int(runs.t[-1])
    limit, uniform = bounds.at(bound, runs.means, T, runs.series(of).parameters), float(runs.gaps.mean() * T)
    return limit / uniform, f"{limit:.5g} against {uniform:.5g} at t = {T}"


def final_over_uniform_play(runs: Runs, *, of: list[str]) -> Measurement:
    """The smallest final regret relative to that of playing all arms equally often: at 1 nothing is learned."""
    uniform = float(runs.gaps.mean() * runs.t[-1])
    value, name = min((round(final / uniform, 9), name) for name, final in runs.finals(of).items())
    return value, f"{name} against {uniform:.5g}"


def _bound_curve(runs: Runs, series: str, bound: str, since: int) -> np.ndarray:
    """A bound at the checkpoints from `since` on (at T only where it is 0), with the parameters of the series."""
    given, T = runs.series(series).parameters, runs.t[-1]
    needed = (t == T if since == AT_END else t >= since for t in runs.t)
    return np.array(
        [
            bounds.at(bound, runs.means, int(t), given) if is_needed else np.inf
            for t, is_needed in zip(runs.t, needed, strict=True)
        ]
    )
