"""Measures of tossou2017's claims: theorems on whole games of several lengths, and what EXP3 promises and loses."""

import inspect

import numpy as np

from dpbandits.algorithms.games._tuning import gamma_of
from dpbandits.claims.measurement import Measurement, measure
from dpbandits.claims.measures.general import account_of
from dpbandits.claims.runs import Runs, Together
from dpbandits.privacy import exp3_loss
from dpbandits.theory import bounds


@measure()
def final_over_theorem(runs: Runs, *, of: list[str], theorem: str) -> Measurement:
    """The largest ratio of a final regret to the bound of a theorem on the whole game."""
    T, K = runs.experiment.design.horizon, runs.number_of_arms
    function = bounds.THEOREMS[theorem]
    accepted = inspect.signature(function).parameters
    found = []
    for name in of:
        limit = function(T, K, **{k: v for k, v in runs.series(name).parameters.items() if k in accepted})
        final = float(runs.final(name))
        found.append(Measurement(final / limit, f"{name}: {final:.5g} against {limit:.5g} ({theorem})"))
    return max(found)


@measure(compares="experiments")
def growth_exponent(runs: Together, *, of: str) -> Measurement:
    """The slope of ln(final regret) in ln T over games of different lengths, by least squares."""
    T = [part.experiment.design.horizon for part in runs.parts]
    finals = [part.final(of) for part in runs.parts]
    slope = np.polyfit(np.log(T), np.log(finals), 1)[0]
    return Measurement(float(slope), f"{of}, T = {min(T)} to {max(T)}")


@measure(deterministic=True)
def promised_epsilon(runs: Runs, *, of: str) -> Measurement:
    """The epsilon that a policy promises for the whole game."""
    account = account_of(runs, of)
    delta = f" at delta = {account.delta:.3g}" if account.delta else ""
    where = f"{of}: (epsilon = {account.epsilon:.6g}){delta}; odds change by e^{account.epsilon:.4g}"
    return Measurement(account.epsilon, where)


@measure(deterministic=True)
def largest_per_round_loss(runs: Runs, *, of: str) -> Measurement:
    """The largest |ln p_i/p'_i| of EXP3 that a search over histories with one changed gain finds."""
    gamma = gamma_of(runs.experiment.design.horizon, runs.number_of_arms)
    value, later = exp3_loss.largest_loss(gamma, runs.number_of_arms)
    rounds = "1 round" if later == 1 else f"{later} rounds"
    return Measurement(value, f"{of}, {rounds} after the changed gain, gamma = {gamma:.4g}")
