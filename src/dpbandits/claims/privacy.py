"""Measures of privacy: the promised epsilon, and the epsilon that the ledger adds up."""

from typing import Any, Literal

import numpy as np

from dpbandits import algorithms
from dpbandits.algorithms.games._tuning import gamma_of
from dpbandits.claims.runs import Measurement, Runs, deterministic
from dpbandits.privacy import exp3_loss
from dpbandits.randomness import stream


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
def promised_ratio(runs: Runs, *, of: str, to: str) -> Measurement:
    """The epsilon that one policy promises relative to another's."""
    one, other = _account(runs, of).epsilon, _account(runs, to).epsilon
    return one / other, f"{of}: {one:.6g}, {to}: {other:.6g}"


def _account(runs: Runs, series: str, **options: Any) -> Any:
    played = runs.series(series)
    module = algorithms.find(played.algorithm)
    return module.privacy(runs.experiment.design.horizon, runs.number_of_arms, **played.parameters, **options)


@deterministic
def spent_between_neighbours(runs: Runs, *, of: str, neighbours: Literal["visit", "reward"]) -> Measurement:
    """The epsilon that the ledger adds up where two logs differ in a whole visit, its vector included, or in a reward only."""
    account = _account(runs, of, neighbours=neighbours)
    return round(account.spent, 9), f"{of}: logs that differ in a {neighbours}, {account.ledger.releases} noisy sums"


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
    return value, f"{of}, {later} rounds after the changed gain, gamma = {gamma:.4g}"


@deterministic
def redundant_sums(runs: Runs, *, of: str) -> Measurement:
    """How many of the sums of z z' follow from the others and from the number of observations, whatever the contexts are."""
    context = runs.series(of).parameters.get("context", "shared_product")
    rng = stream(runs.seed, "contexts in general position")  # the rank is the same for all of them
    user, article = (np.c_[np.ones(200), rng.dirichlet(np.ones(5), 200)] for _ in range(2))
    z = {"shared_product": user * article, "shared_article": article, "disjoint_user": user}[context]
    i, j = np.tril_indices(z.shape[1])
    independent = np.linalg.matrix_rank(np.c_[np.ones(len(z)), z[:, i] * z[:, j]]) - 1
    return float(
        len(i) - independent
    ), f"{of}: of {len(i)} sums, {independent} and the number of observations give the others"
