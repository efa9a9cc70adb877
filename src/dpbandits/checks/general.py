"""The measures that several papers use, and the helpers of all measures.

The type of a measure's first argument says what it measures: the `Runs` of one experiment, the
`list[Runs]` of several that it compares, or an `Experiment` without its runs, as for a ledger. Its
keyword arguments come from the check. These names mean the same everywhere:

since: the first round that counts; by default T alone
minus: a series whose curve is subtracted from all others
"""

import itertools
import json
import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Annotated, Literal

import numpy as np
from annotated_types import Predicate

from dpbandits.audit.likelihoods import gdp_ncb_loss, hybrid_loss
from dpbandits.checks.measurement import Measurement, Runs, series_in
from dpbandits.errors import InputError
from dpbandits.parameters import Words
from dpbandits.policies.arms.gdp_ncb import GDPNCB
from dpbandits.privacy.ledger import Account
from dpbandits.statistics.estimators import power_of
from dpbandits.studies.experiment import Experiment
from dpbandits.theory import bounds

Pairs = Literal["all", "in_turn"]
Couples = Annotated[
    list[str], Predicate(lambda names: len(names) % 2 == 0), Words("pairs of series, [a, b]")
]


def ratio(
    runs: Runs,
    *,
    of: list[str],
    to: list[str],
    since: int = 0,
    pairs: Pairs = "all",
) -> Measurement:
    """The largest ratio of a curve of `of` to a curve of `to`.

    `pairs`: every curve of one list with every curve of the other, or both lists in turn.
    """
    measurements, first = [], runs.first(since)
    for a, b in itertools.product(of, to) if pairs == "all" else zip(of, to, strict=True):
        ratios = runs.curve(a, first=first) / runs.curve(b, first=first)
        k = ratios.argmax()
        measurements.append(Measurement(ratios[k], f"{a} / {b} at t = {runs.t[first:][k]}"))
    return max(measurements)


def likeness(
    runs: Runs, *, of: Couples, to: Sequence[str] = (), third: float = math.nan
) -> Measurement:
    """The distance of two final values, relative to the smallest from either to a third value.

    A distance is the ratio of the larger value to the smaller one. Below 1 the two are alike:
    closer to each other, in logarithms, than to anything else that is drawn.

    of: the two series, or more pairs, of which the least alike decides
    to: the third series; those of the pair do not count
    third: in place of `to` a third value, such as the rate of random choices
    """
    thirds = {name: runs.final(name) for name in to} or {f"{third:g}": third}
    return max(_relative_distances(runs, of, thirds, np.abs))


def lead(runs: Runs, *, of: Couples, to: list[str]) -> Measurement:
    """How far the first of two final values is below the second, as in `likeness`.

    Above 1 it is below, and the two are not alike. Of several pairs the smallest lead decides.
    """
    return min(_relative_distances(runs, of, {name: runs.final(name) for name in to}, float))


def _relative_distances(
    runs: Runs, of: list[str], thirds: Mapping[str, float], size: Callable[[float], float]
) -> list[Measurement]:
    """The distance of each pair, in logarithms less the smallest to a third, as a ratio."""
    logs, measurements = {name: np.log(runs.final(name)) for name in of}, []
    for pair in zip(of[::2], of[1::2], strict=True):
        apart = logs[pair[1]] - logs[pair[0]]
        nearest, other, one = min(
            (abs(logs[one] - np.log(third)), other, one)
            for other, third in thirds.items()
            for one in pair
            if other not in pair
        )
        where = f"{' and '.join(pair)} differ by {abs(apart):.3g} in ln"
        evidence = f"{where}, {one} and {other} by {nearest:.3g}"
        measurements.append(Measurement(np.exp(size(apart) - nearest), evidence))
    return measurements


def over_bound(runs: Runs, *, of: list[str], bound: str, since: int = 0) -> Measurement:
    """The largest ratio of a curve to a theorem's bound: at T, or from round `since` on."""
    measurements, first = [], runs.first(since)
    for name in series_in(runs.experiment, of):
        curve, rounds = runs.curve(name, first=first), runs.t[first:]
        limit = bound_on(runs, name, bound, rounds)
        k = (curve / limit).argmax()
        where = f"{name} at t = {rounds[k]}: {curve[k]:.5g} against {limit[k]:.5g} ({bound})"
        measurements.append(Measurement(curve[k] / limit[k], where))
    return max(measurements)


def final_over_earlier(runs: Runs, *, of: list[str], since: int, minus: str = "") -> Measurement:
    """The largest ratio of a curve's final value to its value at round `since`."""
    at, measurements = runs.first(since), []
    for name in of:
        first, last = runs.curve(name, minus)[[at, -1]]
        what = f"{name} - {minus}" if minus else name
        where = f"{what}: {first:.4g} at t = {runs.t[at]}, {last:.4g} at t = {runs.t[-1]}"
        measurements.append(Measurement(last / first, where))
    return max(measurements)


def exponent_along(
    runs: Runs,
    *,
    of: list[str],
    along: str,
    minus: str = "",
    least: float = -math.inf,
    most: float = math.inf,
) -> Measurement:
    """The slope of ln(final value) in ln(parameter) between two of its values, by least squares.

    It is -1 where the loss falls as one over the parameter, and 0 where it has levelled off.
    """
    pairs = finals_along(runs, of, along, minus)
    values, finals = np.transpose([pair for pair in pairs if least <= pair[0] <= most])
    where = (
        f"{finals[0]:.5g} at {along} = {values[0]:g}, {finals[-1]:.5g} at {along} = {values[-1]:g}"
    )
    return Measurement(power_of(values, finals), where)


def exponent_between_experiments(
    several: list[Runs], *, of: str, along: str = "gap", minus: str = ""
) -> Measurement:
    """The slope of ln(final value) in ln(parameter) over experiments, by least squares.

    along: a parameter of the series, or the smallest gap of the arms.
    """
    values = [
        runs.smallest_gap if along == "gap" else runs.experiment.by_name[of].parameters[along]
        for runs in several
    ]
    finals = [runs.final(of, minus) for runs in several]
    shown = ", ".join(
        f"{final:.4g} at {along} {value:.2g}" for final, value in zip(finals, values, strict=True)
    )
    name = f"{of} - {minus}" if minus else of
    return Measurement(power_of(values, finals), f"{name}: {shown}")


def ratio_of_exponents(
    several: list[Runs], *, of: str, to: str, along: str = "gap", minus: str = ""
) -> Measurement:
    """The exponent of a series over experiments, over that of another one."""
    one, other = (
        exponent_between_experiments(several, of=name, along=along, minus=minus)
        for name in (of, to)
    )
    return Measurement(
        one.value / other.value, f"exponents {one.value:.3g} of {of}, {other.value:.3g} of {to}"
    )


def privacy_spent(experiment: Experiment, *, of: str) -> Measurement:
    """The epsilon that a series spends, over its promise: the largest ratio of a run's games."""
    account = account_of(experiment, of)
    delta = f", delta {account.delta:.3g}" if account.delta else ""
    where = f"{of}: promised epsilon {account.epsilon:g}{delta}, spent {account.spent:.6g}"
    ratio = account.ratio  # a sum of losses is off by a few last bits
    return Measurement(min(ratio, 1.0) if account.kept() else ratio, where)


def exact_loss(experiment: Experiment, *, of: str) -> Measurement:
    """The exact loss of one sequence of actions with two arms, over the promised epsilon.

    It is a lower bound: above 1 it refutes the promise, and up to 1 it proves nothing.
    """
    policy, error = experiment.by_name[of].as_policy, 0.0
    if isinstance(policy, GDPNCB):
        loss = gdp_ncb_loss(policy, experiment.design.horizon)
    else:
        loss, error = hybrid_loss(policy)
    epsilon = account_of(experiment, of).epsilon
    where = f"{of}: promised epsilon {epsilon:g}, the sequence loses {loss:.6g} by its likelihoods"
    # A sum of losses is off by a few last bits. If all draws agree, there is no error.
    return Measurement(
        round(loss / epsilon, 9), where, error / epsilon if error > 1e-9 * loss else None
    )


def finals_along(
    runs: Runs, of: list[str], along: str, minus: str = ""
) -> list[tuple[float, float]]:
    """The pairs (value of the parameter `along`, final value) of these series, in order.

    A series without the parameter has the value inf, like an epsilon without privacy.
    """
    known, names = runs.experiment.by_name, series_in(runs.experiment, of)
    values = [known[name].parameters.get(along, math.inf) for name in names]
    return sorted(zip(values, (runs.final(name, minus) for name in names), strict=True))


def bound_on(runs: Runs, series: str, bound: str, rounds: Sequence[int]) -> np.ndarray:
    """A bound on a series at these rounds."""
    game = json.dumps([runs.experiment.environment, runs.experiment.by_name[series].parameters])
    return _bounds_at(bound, game, tuple(rounds))


@cache  # bounds take longer than a resample
def _bounds_at(bound: str, game: str, rounds: Sequence[int]) -> np.ndarray:
    environment, parameters = json.loads(game)
    return np.array([bounds.at(bound, environment, int(t), parameters) for t in rounds])


def account_of(experiment: Experiment, series: str) -> Account:
    """The privacy account of a series. Raises InputError if it promises no privacy."""
    played = experiment.by_name[series]
    if (account := experiment.account(played.id)) is None:
        raise InputError(
            f"algorithm '{played.algorithm}' promises no privacy; ask this of a private one"
        )
    return account
