"""Measures of mishra2015's checks: paired runs, and ratios along a sweep."""

import math

import numpy as np

from dpbandits.audit.likelihoods import tuning_likelihoods
from dpbandits.checks.general import account_of, finals_along
from dpbandits.checks.measurement import Measurement, Runs
from dpbandits.statistics.estimators import students_t
from dpbandits.studies.experiment import Experiment
from dpbandits.theory.mishra2015 import mishra2015_forced_pulls


def paired_ratio(runs: Runs, *, of: list[str], to: list[str]) -> Measurement:
    """The mean over runs of the product of the final values of `of`, over that of `to`.

    Two series each, [a1, b0] and [a0, b1], give the change of a relative to that of b. Run n of
    every series meets the same realisation of the environment. Runs beyond the fewest that a series
    has are left out.
    """
    number = min(len(runs.runs_of(name, -1)) for name in (*of, *to))
    over, under = (
        np.prod([runs.runs_of(name, -1)[:number] for name in names], axis=0) for names in (of, to)
    )
    ratios = over / under
    one_log = runs.experiment.environment["kind"] == "news_log"
    limit = (
        " on one log: the error does not include what another log would change" if one_log else ""
    )
    where = f"{' x '.join(of)} / {' x '.join(to)}, {number} paired runs{limit}"
    error = ratios.std(ddof=1) / math.sqrt(number)
    return Measurement(ratios.mean(), where, error, students_t(number - 1))


def ratio_between_experiments(
    several: list[Runs], *, of: list[str], to: list[str], along: str = "", in_most: bool = False
) -> Measurement:
    """A ratio of final regrets of series, also in different experiments.

    Along a parameter it is the largest one over the values that both have. `in_most`: the smallest
    number that more than half of these ratios do not exceed.
    """
    ours, theirs = (
        dict(pair for runs in several for pair in finals_along(runs, names, along))
        for names in (of, to)
    )
    ratios = {value: ours[value] / theirs[value] for value in ours if value in theirs}
    at = "".join(
        f", {ratio:.3g} at {along} = {value:g}" for value, ratio in ratios.items() if along
    )
    where = f"{' '.join(of)} / {' '.join(to)} at T{at}"
    ordered = sorted(ratios.values())
    return Measurement(ordered[len(ordered) // 2 if in_most else -1], where)


def loss_of_tuning(experiment: Experiment, *, of: list[str], chosen: str) -> Measurement:
    """The exact loss of the choice of one of several settings, over the epsilon of a run."""
    policy, design = experiment.by_name[chosen].as_policy, experiment.design
    one, zero = tuning_likelihoods(
        policy, design.horizon, experiment.bandit.number_of_arms, of.index(chosen)
    )
    loss = math.log(one / zero) if zero else math.inf
    where = f"{chosen} is the best of {len(of)} with probability {one:.4g} where one reward is 1"
    epsilon = account_of(experiment, chosen).epsilon
    return Measurement(loss / epsilon, f"{where}, and {zero:g} where it is 0")


def late_share_towards_linear(runs: Runs, *, of: str, to: str) -> Measurement:
    """The share of a regret that comes in the second half, between that of `to` and 1/2.

    It is in logarithms: 0 for the share of `to`, and 1 for a half. Below 1/2 the curve saturates
    like that of `to` rather than growing like t.
    """
    k = runs.half
    share, like = (1 - runs.curve(name)[k] / runs.final(name) for name in (of, to))
    way = np.log(share / like) / np.log(0.5 / like)
    where = f"{share:.3g} of {of} after t = {runs.t[k]}, {like:.3g} of {to}"
    return Measurement(way, where)


def harm_of_delay(runs: Runs, *, of: list[str], to: list[str]) -> Measurement:
    """The largest ratio of the costs of a delay: those of `of` over those of `to`, in turn.

    A cost is a final regret less that of the first series in its list, which has no delay.
    """
    pairs = [
        (runs.final(a, of[0]), runs.final(b, to[0])) for a, b in zip(of[1:], to[1:], strict=True)
    ]
    shown = ", ".join(f"{a:.4g} and {b:.4g}" for a, b in pairs)
    return Measurement(max(a / b for a, b in pairs), f"losses of {of[0]} and {to[0]}: {shown}")


def forced_over_order(experiment: Experiment, *, of: str, horizons: list[float]) -> Measurement:
    """The growth in T of the cost of Algorithm 2's forced pulls, relative to Theorem 8's order.

    The cost over the order is bounded if the order is right. The measure is its value at the second
    horizon over its value at the first.
    """
    epsilon = experiment.by_name[of].parameters["epsilon"]
    ratios, shares = zip(*(mishra2015_forced_pulls(T, epsilon) for T in horizons), strict=True)
    shown = ", ".join(
        f"{ratio:.3g} at T = {T:g} ({share:.2g} of the rounds)"
        for ratio, T, share in zip(ratios, horizons, shares, strict=True)
    )
    return Measurement(ratios[1] / ratios[0], f"{of}, cost over order: {shown}")
