"""Measures of tossou2017's claims: theorems on whole games of several lengths, and what the policies spend and lose."""

import inspect

import numpy as np

from dpbandits.theory import bounds
from dpbandits.verdicts.measurement import Measurement, measure
from dpbandits.verdicts.measures.general import account_of
from dpbandits.verdicts.runs import Runs, Together


@measure()
def final_over_theorem(runs: Runs, *, of: list[str], theorem: str) -> Measurement:
    """The largest ratio of a final regret to the bound of a theorem on the whole game."""
    found = []
    for name in of:
        final, limit = float(runs.final(name)), _bound(runs, name, theorem)
        found.append(Measurement(final / limit, f"{name}: {final:.5g} against {limit:.5g} ({theorem})"))
    return max(found)


def _bound(runs: Runs, series: str, theorem: str) -> float:
    """The bound of a theorem on the whole game, with the parameters of a series."""
    function = bounds.THEOREMS[theorem]
    accepted = inspect.signature(function).parameters
    given = {k: v for k, v in runs.series(series).parameters.items() if k in accepted}
    return function(runs.experiment.design.horizon, runs.number_of_arms, **given)


@measure(compares="experiments")
def growth_exponent(runs: Together, *, of: str, theorem: str = "") -> Measurement:
    """The slope of ln(final regret) in ln T over games of different lengths, by least squares.

    With a theorem, that of ln(final regret/its bound): 0 if the regret grows as the bound does.
    """
    T = [part.experiment.design.horizon for part in runs.parts]
    finals = [float(part.final(of)) for part in runs.parts]
    slope = float(np.polyfit(np.log(T), np.log(finals), 1)[0])
    where = f"{of}, T = {min(T)} to {max(T)}"
    if not theorem:
        return Measurement(slope, where)
    limits = [_bound(part, of, theorem) for part in runs.parts]
    expected = float(np.polyfit(np.log(T), np.log(limits), 1)[0])
    shares = f"{finals[0] / limits[0]:.3g} of the bound at first, {finals[-1] / limits[-1]:.3g} at last"
    where += f": exponent {slope:.3f}, of the bound {expected:.3f} ({theorem}); {shares}"
    return Measurement(slope - expected, where)


@measure(deterministic=True)
def spent_relative_to(runs: Runs, *, of: str, to: str) -> Measurement:
    """The epsilon that the ledger adds up for a policy, relative to that of another one."""
    accounts = {name: account_of(runs, name) for name in (of, to)}
    shown = (
        f"{name} {it.spent:.6g}" + (f" at delta = {it.delta:.3g}" if it.delta else "") for name, it in accounts.items()
    )
    return Measurement(accounts[of].spent / accounts[to].spent, f"spent: {', '.join(shown)}")


@measure(deterministic=True)
def largest_per_round_loss(runs: Runs, *, of: str) -> Measurement:
    """The largest |ln p_i/p'_i| of a round after one changed gain that the proof in `dpbandits.privacy.exp3_loss` leaves to EXP3."""
    losses = [release.loss for release in account_of(runs, of).ledger.releases]
    return Measurement(max(losses), f"{of}, in every round after the changed gain, by a proof for all games")
