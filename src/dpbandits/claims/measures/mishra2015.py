"""Measures of mishra2015's claims: paired runs, runs that lose the best arm, sweeps, and budgets composed by hand."""

import math

import numpy as np

from dpbandits import algorithms
from dpbandits.claims.measurement import Measurement, measure
from dpbandits.claims.measures.general import Extreme, account_of, extreme, share_locked_in
from dpbandits.claims.runs import Runs, Together
from dpbandits.statistics.estimators import error_of_share, students_t
from dpbandits.theory import bounds


@measure()
def paired_ratio(runs: Runs, *, of: list[str], to: list[str]) -> Measurement:
    """The product of the final values of `of`, divided by that of `to`, in each run; mean and standard error over the runs.

    Run n of every series meets the same realisation of the environment; where a series has fewer runs, the first ones of
    all are taken. One series each: `of` relative to `to`. Two each, [a1, b0] to [a0, b1]: the change of a relative to
    that of b. Few runs need Student's t, at the level of 2 standard errors. Runs on a recorded log differ in the
    policies' own random numbers, not in the log.
    """
    finals = [runs.runs_of(name)[:, -1] for name in [*of, *to]]
    ratios = np.ones(min(map(len, finals)))
    for place, final in enumerate(finals):
        ratios = ratios * final[: len(ratios)] if place < len(of) else ratios / final[: len(ratios)]
    one_log = runs.experiment.environment["kind"] == "news_log"
    over = " on one log: the error does not include what another log would change" if one_log else ""
    return Measurement(
        float(ratios.mean()),
        f"{' x '.join(of)} / {' x '.join(to)}, {len(ratios)} paired runs{over}",
        error=float(ratios.std(ddof=1) / math.sqrt(len(ratios))),
        needed=students_t(len(ratios) - 1),
    )


@measure()
def extreme_paired_ratio(runs: Runs, *, of: list[str], to: list[str], take: Extreme) -> Measurement:
    """The largest, or smallest, mean of the paired ratios of the first of `of` to the first of `to`, and so on."""
    each = [paired_ratio(runs, of=[a], to=[b]) for a, b in zip(of, to, strict=True)]
    found = extreme(each, take)
    return found._replace(evidence=f"{found.evidence}; all: " + ", ".join(f"{one.value:.4g}" for one in each))


@measure()
def locked_in_share(runs: Runs, *, of: list[str]) -> Measurement:
    """The largest share of runs that lose at least a quarter of the smallest gap per round in their second half."""
    shares = [(share_locked_in(runs, name, len(runs.t) - 1), name) for name in runs.series_of(of)]
    value, worst = max(shares)
    evidence = ", ".join(f"{share:.3g} in {name}" for share, name in shares)
    return Measurement(value, evidence, error_of_share(value, len(runs.runs_of(worst))))


@measure()
def late_share(runs: Runs, *, of: list[str], since: float) -> Measurement:
    """The largest share of a final regret that comes after the fraction `since` of the horizon."""
    k = int((runs.t <= since * runs.t[-1]).sum()) - 1  # the last checkpoint up to there
    curves = ((name, runs.curve(name)) for name in runs.series_of(of))
    value, name = max((1 - float(curve[k] / curve[-1]), name) for name, curve in curves)
    return Measurement(value, f"{name} after t = {runs.t[k]}")


@measure()
def middle_ratio(runs: Runs, *, of: list[str], to: str) -> Measurement:
    """The median, over the series of a sweep, of the ratio of their final regrets to that of another series."""
    reference = float(runs.final(to))
    ratios = {name: final / reference for name, final in runs.finals(of).items()}
    where = f"over {to}: " + ", ".join(f"{name} {ratio:.3g}" for name, ratio in ratios.items())
    return Measurement(float(np.median([*ratios.values()])), where)


@measure(compares="series of experiments")
def ratio_between_experiments(runs: Together, *, of: list[str], to: list[str], along: str = "") -> Measurement:
    """The largest ratio of final regrets of series in different experiments, at equal values of the parameter `along`."""
    ours, theirs = (
        {
            part.series(name).parameters.get(along): final
            for part in runs.parts
            for name, final in part.finals(names).items()
        }
        for names in (of, to)
    )
    ratios = {value: ours[value] / theirs[value] for value in ours if value in theirs}
    at = "".join(f", {ratio:.3g} at {along} = {value:g}" for value, ratio in ratios.items() if along)
    return Measurement(max(ratios.values()), f"{' '.join(of)} / {' '.join(to)} at T{at}")


@measure(deterministic=True)
def bound_over_uniform_play(runs: Runs, *, of: str, bound: str) -> Measurement:
    """A theorem's bound at T relative to the regret of playing all arms equally often: above 1 the bound is vacuous."""
    T = int(runs.t[-1])
    limit, uniform = bounds.at(bound, runs.means, T, runs.series(of).parameters), _regret_of_uniform_play(runs)
    return Measurement(limit / uniform, f"{limit:.5g} against {uniform:.5g} at t = {T}")


@measure()
def final_over_uniform_play(runs: Runs, *, of: list[str]) -> Measurement:
    """The smallest final regret relative to that of playing all arms equally often: at 1 nothing is learned."""
    uniform = _regret_of_uniform_play(runs)
    value, name = min((round(final / uniform, 9), name) for name, final in runs.finals(of).items())
    return Measurement(value, f"{name} against {uniform:.5g}")


def _regret_of_uniform_play(runs: Runs) -> float:
    return float(runs.gaps.mean() * runs.t[-1])


@measure(deterministic=True)
def spent_together(runs: Runs, *, of: list[str]) -> Measurement:
    """The epsilon that all these series spend on the same data, whichever of them is shown in the end."""
    total = sum(account_of(runs, name).spent for name in of)
    return Measurement(round(total, 9), f"{len(of)} series, of which the best may be picked")


@measure(deterministic=True)
def privacy_composed(runs: Runs, *, of: str) -> Measurement:
    """The epsilon spent by the source's own composition, which adds the arms up, relative to the promised epsilon."""
    parts, epsilon = _composition(runs, of), account_of(runs, of).epsilon
    says = ", ".join(f"{step} {value:.6g}" for step, value in parts.items())
    return Measurement(round(sum(parts.values()) / epsilon, 9), f"{of}: promised epsilon {epsilon:g}; {says}")


@measure(deterministic=True)
def privacy_of_the_best_of(runs: Runs, *, of: str) -> Measurement:
    """The same for a sweep whose best setting is chosen on the same data: basic composition over the settings."""
    names = [series.id for series in runs.experiment.policy(of).series]
    spent = sum(sum(_composition(runs, name).values()) for name in names)
    promised = max(account_of(runs, name).epsilon for name in names)
    return Measurement(round(spent / promised, 9), f"{of}: {len(names)} settings")


def _composition(runs: Runs, series: str) -> dict[str, float]:
    played = runs.series(series)
    module = algorithms.find(played.algorithm)
    return module.composition(runs.experiment.design.horizon, runs.number_of_arms, **played.parameters)
