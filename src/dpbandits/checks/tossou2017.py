"""Measures of tossou2017's checks: theorems on games of several lengths, and single losses."""

import numpy as np

from dpbandits.audit.likelihoods import exp3_loss
from dpbandits.checks.general import account_of, bound_on
from dpbandits.checks.measurement import Measurement, Runs
from dpbandits.statistics.estimators import gini_over_deviation, mean, power_of
from dpbandits.studies.experiment import Experiment


def mean_of(runs: Runs, *, quantity: str, of: list[str]) -> Measurement:
    """The largest mean at T of a quantity of the runs other than the regret."""
    return max(
        Measurement(mean(runs.runs_of(name, -1)), f"{quantity} of {name} at T") for name in of
    )


def growth_exponent(several: list[Runs], *, of: str, bound: str) -> Measurement:
    """The slope of ln(final regret/bound) in ln(T) over games of several lengths.

    It is by least squares, and 0 if the regret grows as the bound does.
    """
    T = [runs.experiment.design.horizon for runs in several]
    finals = [runs.final(of) for runs in several]
    limits = [bound_on(runs, of, bound, [t])[0] for runs, t in zip(several, T, strict=True)]
    slope, expected = power_of(T, finals), power_of(T, limits)
    first, *_, last = np.divide(finals, limits)
    shares = f"{first:.3g} of the bound at first, {last:.3g} at last"
    exponents = f"exponent {slope:.3f}, of the bound {expected:.3f} ({bound})"
    where = f"{of}, T = {min(T)} to {max(T)}: {exponents}; {shares}"
    return Measurement(slope - expected, where)


def largest_per_round_loss(experiment: Experiment, *, of: str) -> Measurement:
    """The largest |ln p_i/p'_i| in a later round of EXP3 from one changed gain (docs/readings)."""
    losses = [release.loss for release in account_of(experiment, of).ledger.releases]
    return Measurement(
        max(losses), f"{of}, in every round after the changed gain, by a proof for all games"
    )


def exp3_loss_over_ledger(experiment: Experiment, *, to: str) -> Measurement:
    """The least loss of EXP3, by its likelihoods, over the largest of a private series."""
    loss, rounds = exp3_loss(experiment.design.horizon, experiment.bandit.number_of_arms)
    account = account_of(experiment, to)
    where = f"EXP3 loses {loss:.6g} where arm 2 is played in {rounds} rounds"
    return Measurement(loss / account.spent, f"{where}; {to} at most {account.spent:.6g}")


def error_of_gini_over_deviation(runs: Runs, *, of: list[str]) -> Measurement:
    """The largest relative error of Gini's mean difference over that of the standard deviation.

    Both are of as many final regrets of a series as there are runs.
    """
    return max(
        Measurement(gini_over_deviation(runs.runs_of(name, -1)), f"final regrets of {name}")
        for name in of
    )
