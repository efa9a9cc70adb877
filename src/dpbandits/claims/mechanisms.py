"""Measures of the mechanisms themselves, apart from any run: errors of a tree, of a gap estimate, budgets added up.

Their random draws come from streams of their own; the claim gives the number of draws.
"""

import math

import numpy as np

from dpbandits import algorithms
from dpbandits.algorithms.arms.private_thompson_gap import estimate_gap
from dpbandits.claims.runs import Measurement, Runs, deterministic
from dpbandits.compiled import kernel
from dpbandits.estimators import error_of_share
from dpbandits.parameters import Probability, Whole
from dpbandits.privacy.tree import tree_levels, tree_noise
from dpbandits.randomness import stream
from dpbandits.simulation import make_environment


def tree_error_within(runs: Runs, *, of: str, failure_prob: Probability, streams: Whole) -> Measurement:
    """How often the error of a tree with T leaves stays within ln(T)^2 ln(K T ln(T)/g)/eps0 for all prefixes at once."""
    T, K = runs.experiment.design.horizon, runs.number_of_arms
    eps0 = runs.series(of).parameters["epsilon"] / K
    bound = math.log(T) ** 2 * math.log(K * T * math.log(T) / failure_prob) / eps0
    rng = stream(runs.seed, runs.experiment.paper, "tree_error_within")
    largest = np.array([largest_tree_error(rng, T, tree_levels(T) / eps0) for _ in range(streams)])
    share = float(np.mean(largest <= bound))
    evidence = f"{streams} streams of {T}: {largest.max():.4g} at most, the bound is {bound:.4g}"
    return share, evidence, error_of_share(share, streams)


@kernel
def largest_tree_error(rng, leaves, scale):
    """sup over the prefixes of |noise|."""
    memory, largest = np.zeros(64), 0.0
    for n in range(1, leaves + 1):
        largest = max(largest, abs(tree_noise(rng, n, memory, scale)))
    return largest


def gap_estimate_within(runs: Runs, *, of: str, low: float, high: float, estimates: Whole) -> Measurement:
    """How often the gap that is estimated first lies between `low` and `high` times the true one."""
    environment, T = runs.experiment.environment, runs.experiment.design.horizon
    gap = float(runs.gaps[runs.gaps > 0].min())
    arms, _ = make_environment(environment).begin(
        stream(runs.seed, runs.experiment.paper, "arms of gap_estimate_within"), T, np.array([T])
    )
    rng = stream(runs.seed, runs.experiment.paper, "gap_estimate_within")
    epsilon = runs.series(of).parameters["epsilon"]
    found = np.array([estimate_gap(rng, arms, epsilon, T, 2**62)[0] for _ in range(estimates)])
    values = ", ".join(f"{value:g} in {np.mean(found == value):.3g}" for value in np.unique(found))
    share = float(np.mean((low * gap <= found) & (found <= high * gap)))
    return share, f"{estimates} estimates: {values}", error_of_share(share, estimates)


@deterministic
def nodes_of_a_reward(runs: Runs, *, of: str) -> Measurement:
    """The largest number of noisy sums that contain one reward, relative to the number of the tree's levels."""
    played, T = runs.series(of), runs.experiment.design.horizon
    account = algorithms.find(played.algorithm).privacy(T, runs.number_of_arms, **played.parameters)
    most = int(account.ledger.touched().max())
    return most / tree_levels(T), f"{of}: {most} of {tree_levels(T)} levels"


@deterministic
def privacy_composed(runs: Runs, *, of: str) -> Measurement:
    """The epsilon spent by the source's own composition, which adds the arms up, relative to the promised epsilon."""
    epsilon, parts = _composed(runs, of)
    says = ", ".join(f"{step} {value:.6g}" for step, value in parts.items())
    return round(sum(parts.values()) / epsilon, 9), f"{of}: promised epsilon {epsilon:g}; {says}"


@deterministic
def privacy_of_the_best_of(runs: Runs, *, of: str) -> Measurement:
    """The same for a sweep whose best setting is chosen on the same data: basic composition over the settings."""
    series = runs.experiment.policy(of).series
    spent = [(sum(parts.values()), epsilon) for epsilon, parts in (_composed(runs, s.id) for s in series)]
    return round(sum(s for s, _ in spent) / max(e for _, e in spent), 9), f"{of}: {len(series)} settings"


def _composed(runs: Runs, series: str) -> tuple[float, dict[str, float]]:
    played = runs.series(series)
    module, T, K = algorithms.find(played.algorithm), runs.experiment.design.horizon, runs.number_of_arms
    return module.privacy(T, K, **played.parameters).epsilon, module.composition(T, K, **played.parameters)
