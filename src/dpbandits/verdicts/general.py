"""The measures that several papers use, and what measures of single papers have in common.

A measure has keyword arguments, which a test gives, and a first argument, whose type says what it measures: the `Runs` of one
experiment; `list[Runs]`, those of several that it compares; or an `Experiment`, whose runs do not matter, such as for a ledger.
`since` is the first round that counts; without it a measure uses T only. `take` says which of several values decides.
"""

import itertools
import math
from collections.abc import Iterable
from functools import cache
from typing import Any, Literal

import numpy as np

from dpbandits import environments
from dpbandits.audit import promises
from dpbandits.privacy.ledger import Account
from dpbandits.studies.study import Experiment
from dpbandits.theory import bounds
from dpbandits.verdicts.measurement import Measurement
from dpbandits.verdicts.runs import Runs, window

Extreme = Literal["max", "min"]
AT_END = 0  # default of `since`: T only


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
    found = []
    for a, b in itertools.product(of, to) if pairs == "all" else zip(of, to, strict=True):
        if since == AT_END:
            found.append(Measurement(float(runs.final(a) / runs.final(b)), f"{a} / {b} at t = {runs.t[-1]}"))
        else:
            found.append(_extreme_of_curve(runs, runs.curve(a) / runs.curve(b), since, take, f"{a} / {b}"))
    return extreme(found, take)


def over_bound(runs: Runs, *, of: list[str], bound: str, since: int = AT_END) -> Measurement:
    """The largest ratio of a curve to a theorem's bound: at T, or at any checkpoint from round `since` on."""
    found, T = [], runs.t[-1]
    for name in runs.series_of(of):
        what = f"{name} against {bound}"
        if since == AT_END:
            found.append(Measurement(float(runs.final(name)) / _bound(runs, name, bound, T)[-1], what))
        else:
            limit = _bound(runs, name, bound, since)
            highest = _extreme_of_curve(runs, runs.curve(name) / limit, since, "max", what)
            found.append(highest._replace(evidence=f"{highest.evidence}; bound at T: {limit[-1]:.5g}"))
    return max(found)


def late_share(runs: Runs, *, of: list[str], since: float) -> Measurement:
    """The largest share of a final regret that comes after the fraction `since` of the horizon."""
    k = int((runs.t <= since * runs.t[-1]).sum()) - 1  # the last checkpoint up to there
    curves = ((name, runs.curve(name)) for name in runs.series_of(of))
    value, name = max((1 - float(curve[k] / curve[-1]), name) for name, curve in curves)
    return Measurement(value, f"{name} after t = {runs.t[k]}")


def privacy_spent(experiment: Experiment, *, of: str) -> Measurement:
    """The epsilon that the ledger adds up for a policy, relative to the epsilon that it promises."""
    account = account_of(experiment, of)
    delta = f", delta {account.delta:.3g}" if account.delta else ""
    where = f"{of}: promised epsilon {account.epsilon:g}{delta}, spent {account.spent:.6g}"
    return Measurement(spent_to_promised(account), where)


def extreme(found: Iterable[Measurement], take: Extreme) -> Measurement:
    """The measurement with the largest, or smallest, value."""
    return max(found) if take == "max" else min(found)


def _extreme_of_curve(runs: Runs, curve: np.ndarray, since: int, take: Extreme, name: str) -> Measurement:
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


def _bound(runs: Runs, series: str, bound: str, since: int) -> np.ndarray:
    """A bound at every checkpoint, with the parameters of the series; inf before round `since`."""
    given = tuple(runs.series(series).parameters.items())
    means, rounds = tuple(runs.experiment.environment["means"]), tuple(runs.t[runs.t >= since].tolist())
    return np.concatenate([np.full(np.count_nonzero(runs.t < since), np.inf), _bound_at(bound, means, rounds, given)])


@cache
def _bound_at(
    bound: str, means: tuple[float, ...], rounds: tuple[int, ...], given: tuple[tuple[str, Any], ...]
) -> np.ndarray:
    """A bound at these rounds, which takes longer than a resample."""
    return np.array([bounds.at(bound, np.array(means, float), t, dict(given)) for t in rounds])


def account_of(experiment: Experiment, series: str, horizon: int = 0) -> Account:
    """The privacy account of a series in the experiment's game, or in one of another horizon."""
    played, T = experiment.by_name[series], horizon or experiment.design.horizon
    K = environments.make(experiment.environment).number_of_arms
    return promises.account_of(played.algorithm, played.parameters, T, K)


def spent_to_promised(account: Account) -> float:
    """The spent epsilon relative to the promised one; a sum of some twenty losses is off by a few last bits."""
    return round(account.spent / account.epsilon, 9)
