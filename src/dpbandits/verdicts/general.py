"""The measures that several papers use, and what measures of single papers have in common.

A measure has keyword arguments, which a test gives, and a first argument, whose type says what it measures: the `Runs` of one
experiment; `list[Runs]`, those of several that it compares; or an `Experiment`, whose runs do not matter, such as for a ledger.
`since` is the first round that counts; without it a measure uses T only. `take` says which of several values decides, and
`quantity` what is measured of the runs, if not the regret.
"""

import itertools
from functools import cache
from typing import Any, Literal

import numpy as np

from dpbandits import environments
from dpbandits.audit.promises import promise_of
from dpbandits.errors import InputError
from dpbandits.privacy.ledger import Account
from dpbandits.studies.experiment import Experiment
from dpbandits.theory import bounds
from dpbandits.verdicts.measurement import Measurement, Runs, series_in

Pairs, Extreme = Literal["all", "in_turn"], Literal["max", "min"]
EXTREMES = {"max": max, "min": min}
AT_END = 0  # default of `since`: T only


def ratio(
    runs: Runs, *, of: list[str], to: list[str], since: int = AT_END, pairs: Pairs = "all", take: Extreme = "max"
) -> Measurement:
    """The largest, or smallest, ratio of a curve of `of` to one of `to`: `pairs` are every curve of the first list with every curve of
    the second, or the first with the first and so on."""
    found = []
    for a, b in itertools.product(of, to) if pairs == "all" else zip(of, to, strict=True):
        ratios = _curve_since(runs, a, since) / _curve_since(runs, b, since)
        k = ratios.argmax() if take == "max" else ratios.argmin()
        found.append(Measurement(float(ratios[k]), f"{a} / {b} at t = {runs.t[-len(ratios) :][k]}"))
    return EXTREMES[take](found)


def over_bound(runs: Runs, *, of: list[str], bound: str, since: int = AT_END) -> Measurement:
    """The largest ratio of a curve to a theorem's bound: at T, or at any checkpoint from round `since` on."""
    found, means = [], tuple(runs.experiment.environment["means"])
    for name in series_in(runs.experiment, of):
        curve = _curve_since(runs, name, since)
        rounds = runs.t[-len(curve) :]
        limit = _bound_at(bound, means, tuple(rounds.tolist()), tuple(runs.experiment.by_name[name].parameters.items()))
        k = (curve / limit).argmax()
        where = "" if since == AT_END else f" at t = {rounds[k]}; bound at T: {limit[-1]:.5g}"
        found.append(Measurement(float(curve[k] / limit[k]), f"{name} against {bound}{where}"))
    return max(found)


def late_share(runs: Runs, *, of: list[str], since: float) -> Measurement:
    """The largest share of a final regret that comes after the fraction `since` of the horizon."""
    k = int((runs.t <= since * runs.t[-1]).sum()) - 1  # the last checkpoint up to there
    ends = {name: runs.since(name, k) for name in series_in(runs.experiment, of)}
    return max(Measurement(1 - float(at / end), f"{name} after t = {runs.t[k]}") for name, (at, end) in ends.items())


def privacy_spent(experiment: Experiment, *, of: str) -> Measurement:
    """The epsilon that the ledger adds up for a policy, relative to the epsilon that it promises."""
    account = account_of(experiment, of)
    delta = f", delta {account.delta:.3g}" if account.delta else ""
    where = f"{of}: promised epsilon {account.epsilon:g}{delta}, spent {account.spent:.6g}"
    return Measurement(spent_to_promised(account), where)


def finals_along(runs: Runs, of: list[str], along: str) -> list[tuple[float, float]]:
    """(value of the parameter `along`, final regret) of these series and policies, in the order of the values."""
    series, names = runs.experiment.by_name, series_in(runs.experiment, of)
    return sorted((series[name].parameters.get(along), float(runs.final(name))) for name in names)


def _curve_since(runs: Runs, series: str, since: int) -> np.ndarray:
    """A curve from a round on, or its last value."""
    return np.array([runs.final(series)]) if since == AT_END else runs.curve(series)[runs.first(since) :]


@cache
def _bound_at(
    bound: str, means: tuple[float, ...], rounds: tuple[int, ...], given: tuple[tuple[str, Any], ...]
) -> np.ndarray:
    """A bound at these rounds with a policy's parameters, which takes longer than a resample."""
    return np.array([bounds.at(bound, np.array(means, float), t, dict(given)) for t in rounds])


def account_of(experiment: Experiment, series: str, horizon: int = 0) -> Account:
    """The privacy account of a series in the experiment's game, or in one of another horizon; InputError if it promises nothing."""
    played, T = experiment.by_name[series], horizon or experiment.design.horizon
    K = environments.make(experiment.environment).number_of_arms
    account = promise_of(played.algorithm, played.parameters, T, K)
    if account is None:
        raise InputError(
            f"algorithm '{played.algorithm}' promises no privacy: its module has no function `privacy`, or that returns None or "
            "an infinite epsilon; ask this of another algorithm"
        )
    return account


def spent_to_promised(account: Account) -> float:
    """The spent epsilon relative to the promised one; a sum of some twenty losses is off by a few last bits."""
    return round(account.spent / account.epsilon, 9)
