"""The measures that several papers use, and what measures of single papers have in common.

`since` is the first round that counts; without it a measure uses T only. `take` says which of several values decides.
With `statistic: nash_regret` the curves are Nash regrets, which the bootstrap recomputes from resampled runs.
"""

import itertools
import math
from collections.abc import Iterable
from typing import Any, Literal

import numpy as np

from dpbandits.audit import promises
from dpbandits.statistics.estimators import locked_in
from dpbandits.theory import bounds
from dpbandits.verdicts.measurement import Measurement, measure
from dpbandits.verdicts.runs import Runs, Together, window

Extreme = Literal["max", "min"]
AT_END = 0  # default of `since`: T only


@measure()
def level(runs: Runs, *, of: list[str], since: int = AT_END, take: Extreme = "max", quantity: str = "") -> Measurement:
    """The largest, or smallest, value of the curves; of another quantity of the runs, if one is named."""
    prefix = f"{quantity} of " if quantity else ""
    if since == AT_END:
        return extreme(
            (Measurement(float(runs.final(name)), f"{prefix}{name} at t = {runs.t[-1]}") for name in of), take
        )
    return extreme((_extreme_of(runs, runs.curve(name), since, take, f"{prefix}{name}") for name in of), take)


@measure()
def ratio(
    runs: Runs,
    *,
    of: list[str],
    to: list[str],
    since: int = AT_END,
    pairs: Literal["all", "in_turn"] = "all",
    take: Extreme = "max",
) -> Measurement:
    """The largest, or smallest, ratio of a curve of `of` to one of `to`.

    `pairs`: every curve of the first list with every curve of the second, or the first with the first and so on.
    """
    compared = itertools.product(of, to) if pairs == "all" else zip(of, to, strict=True)
    return extreme_ratio(runs, compared, since, take)


@measure()
def rise(
    runs: Runs,
    *,
    of: list[str],
    along: str,
    least: float = -math.inf,
    most: float = math.inf,
    take: Extreme,
) -> Measurement:
    """The largest, or smallest, ratio of final regrets at neighbouring values of a parameter, between two of its values."""
    pairs = itertools.pairwise(finals_along(runs, of, along, least, most))
    return extreme((Measurement(b / a, f"from {along} = {x:g} to {y:g}") for (x, a), (y, b) in pairs), take)


@measure(compares="experiments")
def rise_between_experiments(
    runs: Together, *, of: list[str], relative_to: Literal["previous", "first"] = "previous"
) -> Measurement:
    """The largest ratio of a series' final regret in an experiment to that in the previous, or the first, one."""
    later = runs.parts[1:]
    earlier = runs.parts[:-1] if relative_to == "previous" else [runs.parts[0]] * len(later)
    return max(
        Measurement(float(b.final(name) / a.final(name)), f"{name}, {b.experiment.id} / {a.experiment.id}")
        for a, b in zip(earlier, later, strict=True)
        for name in of
    )


@measure()
def exponent_along(
    runs: Runs, *, of: list[str], along: str, least: float = -math.inf, most: float = math.inf
) -> Measurement:
    """The slope of ln(final regret) in the logarithm of a parameter, between two of its values, by least squares.

    It is -1 where the regret falls as one over the parameter.
    """
    values, finals = zip(*finals_along(runs, of, along, least, most), strict=True)
    slope = np.polyfit(np.log(values), np.log(finals), 1)[0]
    where = f"{finals[0]:.5g} at {along} = {values[0]:g}, {finals[-1]:.5g} at {along} = {values[-1]:g}"
    return Measurement(float(slope), where)


@measure()
def over_bound(runs: Runs, *, of: list[str], bound: str, since: int = AT_END, take: Extreme = "max") -> Measurement:
    """The largest, or smallest, ratio of a curve to a theorem's bound: at T, or at any checkpoint from round `since` on."""
    found = []
    for name in runs.series_of(of):
        limit = runs.cached(("bound", bound, name, since), lambda name=name: _bound_curve(runs, name, bound, since))
        if since == AT_END:
            found.append(Measurement(float(runs.final(name)) / limit[-1], f"{name} against {bound}"))
        else:
            highest = _extreme_of(runs, runs.curve(name) / limit, since, take, f"{name} against {bound}")
            found.append(highest._replace(evidence=f"{highest.evidence}; bound at T: {limit[-1]:.5g}"))
    return extreme(found, take)


@measure(deterministic=True)
def privacy_spent(runs: Runs, *, of: str) -> Measurement:
    """The epsilon that the ledger adds up for a policy, relative to the epsilon that it promises."""
    account = account_of(runs, of)
    delta = f", delta {account.delta:.3g}" if account.delta else ""
    where = f"{of}: promised epsilon {account.epsilon:g}{delta}, spent {account.spent:.6g}"
    return Measurement(spent_to_promised(account), where)


def extreme(found: Iterable[Measurement], take: Extreme) -> Measurement:
    """The measurement with the largest, or smallest, value."""
    return max(found) if take == "max" else min(found)


def extreme_ratio(runs: Runs, compared: Iterable[tuple[str, str]], since: int, take: Extreme) -> Measurement:
    """The largest, or smallest, ratio of the two curves of a pair: at T, or from round `since` on."""
    if since == AT_END:
        ends = ((a, b, float(runs.final(a) / runs.final(b))) for a, b in compared)
        return extreme((Measurement(value, f"{a} / {b} at t = {runs.t[-1]}") for a, b, value in ends), take)
    return extreme(
        (_extreme_of(runs, runs.curve(a) / runs.curve(b), since, take, f"{a} / {b}") for a, b in compared), take
    )


def _extreme_of(runs: Runs, curve: np.ndarray, since: int, take: Extreme, name: str) -> Measurement:
    """The extreme value of a curve over a window, and where it is."""
    rounds = window(runs, since)
    k = curve[rounds].argmax() if take == "max" else curve[rounds].argmin()
    return Measurement(float(curve[rounds][k]), f"{name} at t = {runs.t[rounds][k]}")


def finals_along(
    runs: Runs, of: list[str], along: str, least: float = -math.inf, most: float = math.inf
) -> list[tuple[float, float]]:
    """(value, final regret) of the series whose parameter `along` is between two values, in its order."""
    pairs = [(runs.series(name).parameters[along], final) for name, final in runs.finals(of).items()]
    return sorted(pair for pair in pairs if least <= pair[0] <= most)


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


def account_of(runs: Runs, series: str, horizon: int = 0) -> Any:
    """The privacy account of a series in the experiment's game, or in one of another horizon."""
    played = runs.series(series)
    T = horizon or runs.experiment.design.horizon
    return promises.account_of(played.algorithm, played.parameters, T, runs.number_of_arms)


def spent_to_promised(account: Any) -> float:
    """The spent epsilon relative to the promised one; a sum of some twenty losses is off by a few last bits."""
    return round(account.spent / account.epsilon, 9)


def share_locked_in(runs: Runs, series: str, k: int) -> float:
    """The share of runs that lose a quarter of the smallest gap per round from half of checkpoint k to that checkpoint."""
    gap = float(runs.gaps[runs.gaps > 0].min())
    ends = [*np.flatnonzero(runs.t <= runs.t[k] / 2)[-1:], k]
    return float(locked_in(runs.runs_of(series)[:, ends], runs.t[ends], gap)[-1])
