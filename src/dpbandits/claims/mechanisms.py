"""Measures of the mechanisms themselves, apart from any run: budgets added up as the sources add them up."""

from dpbandits import algorithms
from dpbandits.audit.promises import account_of
from dpbandits.claims.runs import Measurement, Runs, deterministic


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
    promised = account_of(played.algorithm, played.parameters, T, K).epsilon
    return promised, module.composition(T, K, **played.parameters)
