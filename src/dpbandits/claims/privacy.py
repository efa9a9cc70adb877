"""Measures of privacy: the promised epsilon, and the epsilon that the ledger adds up."""

from typing import Any

from dpbandits.algorithms.games._tuning import gamma_of
from dpbandits.audit.promises import account_of
from dpbandits.claims.runs import Measurement, Runs, deterministic
from dpbandits.privacy import exp3_loss


@deterministic
def privacy_spent(runs: Runs, *, of: str) -> Measurement:
    """The epsilon that the ledger adds up for a policy, relative to the epsilon that it promises."""
    account = _account(runs, of)
    delta = f", delta {account.delta:.3g}" if account.delta else ""
    ratio = round(account.spent / account.epsilon, 9)  # a sum of some twenty losses is off by a few last bits
    return ratio, f"{of}: promised epsilon {account.epsilon:g}{delta}, spent {account.spent:.6g}"


@deterministic
def promised_epsilon(runs: Runs, *, of: str) -> Measurement:
    """The epsilon that a policy promises for the whole game."""
    account = _account(runs, of)
    delta = f" at delta = {account.delta:.3g}" if account.delta else ""
    return account.epsilon, f"{of}: (epsilon = {account.epsilon:.6g}){delta}; odds change by e^{account.epsilon:.4g}"


@deterministic
def privacy_spent_in_any_game(runs: Runs, *, of: str) -> Measurement:
    """The largest `privacy_spent` of the games of a sweep, in which every checkpoint is the horizon of a game of its own."""
    spent = []
    for T in runs.t.tolist():
        account = _account(runs, of, T)
        spent.append((round(account.spent / account.epsilon, 9), -T))
    value, T = max(spent)
    return value, f"{of}: T = {-T} of {len(spent)} games from T = {runs.t[0]} to {runs.t[-1]}"


def _account(runs: Runs, series: str, horizon: int = 0) -> Any:
    played = runs.series(series)
    T = horizon or runs.experiment.design.horizon
    return account_of(played.algorithm, played.parameters, T, runs.number_of_arms)


@deterministic
def spent_together(runs: Runs, *, of: list[str]) -> Measurement:
    """The epsilon that all these series spend on the same data, whichever of them is shown in the end."""
    total = sum(_account(runs, name).spent for name in of)
    return round(total, 9), f"{len(of)} series, of which the best may be picked"


@deterministic
def largest_per_round_loss(runs: Runs, *, of: str) -> Measurement:
    """The largest |ln p_i/p'_i| of EXP3 that a search over histories with one changed gain finds."""
    gamma = gamma_of(runs.experiment.design.horizon, runs.number_of_arms)
    value, later = exp3_loss.largest_loss(gamma, runs.number_of_arms)
    rounds = "1 round" if later == 1 else f"{later} rounds"
    return value, f"{of}, {rounds} after the changed gain, gamma = {gamma:.4g}"
