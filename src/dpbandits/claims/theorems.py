"""Predicates that hold the measured regret against what a theorem says of it."""

import inspect
from functools import cache
from typing import Any

import numpy as np

from dpbandits import bounds
from dpbandits.algorithms.arms import interval_ucb
from dpbandits.claims.runs import Measurement, Runs, without_chance


def largest_over_bound(runs: Runs, *, of: str, bound: str) -> Measurement:
    """The largest ratio of a curve to a theorem's bound, over the checkpoints from the second round on."""
    later = runs.t >= 2
    limit = _bound_curve(runs, of, bound)[later]
    ratio = runs.curve(of)[later] / limit
    return float(
        ratio.max()
    ), f"{of} against {bound} at t = {runs.t[later][ratio.argmax()]}; bound at T: {limit[-1]:.5g}"


def final_over_theorem(runs: Runs, *, of: list[str], theorem: str) -> Measurement:
    """The largest ratio of a final regret to what a theorem on the whole game says of it."""
    T, K = runs.experiment.design.horizon, runs.number_of_arms
    function = bounds.THEOREMS[theorem]
    asked = inspect.signature(function).parameters
    ratios = []
    for name in of:
        limit = function(T, K, **{k: v for k, v in runs.known(name).parameters.items() if k in asked})
        ratios.append((runs.curve(name)[-1] / limit, f"{name}: {runs.curve(name)[-1]:.5g} against {limit:.5g}"))
    value, where = max(ratios)
    return float(value), f"{where} ({theorem})"


def largest_final_over_bound(runs: Runs, *, of: list[str], bound: str) -> Measurement:
    """The largest ratio of a final regret to a theorem's bound."""
    return max((value, f"{name} against {bound}") for name, value in _finals_over_bound(runs, of, bound).items())


def smallest_final_over_bound(runs: Runs, *, of: list[str], bound: str) -> Measurement:
    """The smallest ratio of a final regret to a theorem's bound."""
    return min((value, f"{name} against {bound}") for name, value in _finals_over_bound(runs, of, bound).items())


def _finals_over_bound(runs: Runs, of: list[str], bound: str) -> dict[str, float]:
    means, T = tuple(runs.means.tolist()), int(runs.t[-1])
    return {
        name: value / _bound_at(bound, means, T, tuple(runs.known(name).parameters.items()))
        for name, value in runs.finals(of).items()
    }


def departure_from_round_robin(runs: Runs, *, of: str) -> Measurement:
    """The largest distance of any run from the regret of plain round robin, during the K W_1 rounds that it lasts."""
    series, gaps = runs.known(of), runs.gaps
    given = series.parameters
    epsilon = interval_ucb.input_epsilon(given["epsilon"], given["delta"], given.get("v", 1.1))
    first = interval_ucb.first_update(given.get("schedule", "series_y"), epsilon, given.get("v", 1.1))
    until = len(gaps) * first
    during = runs.t <= until
    exact = [gaps.sum() * (t // len(gaps)) + gaps[: t % len(gaps)].sum() for t in runs.t[during]]
    return float(np.abs(runs.of(of)[:, during] - exact).max()), f"{of} until t = K W_1 = {until}"


@without_chance
def over_crossing(runs: Runs, *, of: str) -> Measurement:
    """epsilon relative to the largest epsilon_a: above 1, all arms are in their low-privacy regime."""
    crossing = float(bounds.azize2022_crossings(runs.means).max())
    epsilon = runs.known(of).parameters["epsilon"]
    return epsilon / crossing, f"epsilon {epsilon:g}, largest crossing {crossing:.4g}"


@without_chance
def crossing_of_example(runs: Runs, *, number_of_arms: int, horizon: int) -> Measurement:
    """The crossing epsilon of Theorem 2's regimes as the example in the text computes it."""
    true = bounds.azize2022_t2_crossing(number_of_arms, horizon)
    here = bounds.azize2022_t2_crossing(len(runs.gaps), int(runs.t[-1]))
    printed = bounds.azize2022_t2_example(number_of_arms, horizon)
    return printed, f"the parts of the bound cross at {true:.4g} (K = {number_of_arms}), in this figure at {here:.4g}"


def _bound_curve(runs: Runs, series: str, bound: str) -> np.ndarray:
    """A bound at every checkpoint, with the parameters that its theorem asks for taken from the series."""
    given = tuple(runs.known(series).parameters.items())
    means = tuple(runs.means.tolist())
    return np.array([_bound_at(bound, means, int(t), given) if t >= 2 else np.inf for t in runs.t])


@cache
def _bound_at(bound: str, means: tuple[float, ...], t: int, given: tuple[tuple[str, Any], ...]) -> float:
    return bounds.at(bound, np.array(means), t, dict(given))
