"""Measures of mishra2015's checks: paired runs, and ratios along a sweep."""

import math
from typing import Literal

import numpy as np

from dpbandits.audit.likelihoods import tuning_likelihoods
from dpbandits.checks.general import account_of, finals_along
from dpbandits.checks.measurement import Measurement, Runs
from dpbandits.statistics.estimators import students_t
from dpbandits.studies.experiment import Experiment

Average = Literal["median", "geometric_mean"]
AVERAGES = {"median": np.median, "geometric_mean": lambda ratios: np.exp(np.mean(np.log(ratios)))}


def paired_ratio(runs: Runs, *, of: list[str], to: list[str]) -> Measurement:
    """The mean over runs of the product of the final values of `of`, over that of `to`.

    Two series each, [a1, b0] and [a0, b1], give the change of a relative to that of b. Run n of
    every series meets the same realisation of the environment. The first runs of all are taken
    where a series has fewer.
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
    error = float(ratios.std(ddof=1) / math.sqrt(number))
    return Measurement(float(ratios.mean()), where, error, students_t(number - 1))


def smallest_paired_ratio(runs: Runs, *, of: list[str], to: list[str]) -> Measurement:
    """The smallest mean paired ratio of a series of `of` to the series of `to` in its place."""
    each = [paired_ratio(runs, of=[a], to=[b]) for a, b in zip(of, to, strict=True)]
    smallest = min(each)
    return smallest._replace(
        evidence=f"{smallest.evidence}; all: " + ", ".join(f"{ratio.value:.4g}" for ratio in each)
    )


def ratio_between_experiments(
    several: list[Runs], *, of: list[str], to: list[str], along: str = "", take: Average = "median"
) -> Measurement:
    """A ratio of final regrets of series, also in different experiments.

    Along a parameter it is the average over the values that both have.
    """
    ours, theirs = (
        dict(pair for runs in several for pair in finals_along(runs, names, along))
        for names in (of, to)
    )
    ratios = {value: ours[value] / theirs[value] for value in ours if value in theirs}
    at = "".join(
        f", {ratio:.3g} at {along} = {value:g}" for value, ratio in ratios.items() if along
    )
    return Measurement(
        float(AVERAGES[take]([*ratios.values()])), f"{' '.join(of)} / {' '.join(to)} at T{at}"
    )


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
