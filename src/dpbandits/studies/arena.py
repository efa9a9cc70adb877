"""What an arena adds to a study: a series for each epsilon, and for each policy the epsilon at which its ledger equals its promise."""

import math
from dataclasses import replace
from functools import lru_cache
from typing import Any

from dpbandits.audit.promises import promise_of
from dpbandits.errors import InputError
from dpbandits.studies import playable
from dpbandits.studies.experiment import Experiment, Series
from dpbandits.studies.model import Study

ATTEMPTS = 16
ENOUGH = 0.01  # relative: a ledger this little below the promise equals it


def at_scale(study: Study, scale: str) -> Study:
    """The arena at its scale: the experiments that are scored there, and policies with a series for each epsilon."""
    arena = study.arena if scale == "paper" else study.arena.smoke
    scored = arena.experiments or study.independent
    policies = {}
    for name, policy in study.policies.items():
        if policy.sweep:
            remedy = "the only sweep of an arena is over its epsilons; write a policy per value"
            raise InputError(f"{study.file}: policies.{name}: sweep: {remedy}")
        if "epsilon" in policy.takes:
            takes = [parameter for parameter in policy.takes if parameter != "epsilon"]
            policy = policy.model_copy(update={"takes": takes, "sweep": {"epsilon": arena.epsilons}})
        policies[name] = policy
    experiments = {id: e for id, e in study.experiments.items() if (e.stream or id) in scored}
    instances = {id: e.environment.get("label", id) for id, e in experiments.items() if not e.stream}
    arena = arena.model_copy(update={"instances": instances, "smoke": None})
    return study.model_copy(update={"arena": arena, "policies": policies, "experiments": experiments})


def at_equal_privacy(study: Study) -> Study:
    """The expanded arena, in which all policies have the epsilons at which their ledgers equal what they promise."""
    experiments = {id: _at_equal_privacy(experiment) for id, experiment in study.experiments.items()}
    members = {id: policy for experiment in experiments.values() for id, policy in experiment.policies.items()}
    arena = study.arena.model_copy(update={"members": members})
    return study.model_copy(update={"experiments": experiments, "arena": arena})


def _at_equal_privacy(experiment: Experiment) -> Experiment:
    """The experiment as it is if its policies cannot play, which the check of the whole study says."""
    kind, horizon = experiment.environment["kind"], experiment.design.horizon
    try:
        number_of_arms = playable.environment_of(experiment.environment).number_of_arms
        for series in experiment.series.values():
            playable.check_playable(series, kind, number_of_arms, horizon)
    except InputError:
        return experiment

    def adjusted(series: Series) -> Series:
        if "epsilon" not in series.parameters:
            return series
        given = tuple(sorted(series.parameters.items()))
        epsilon = epsilon_that_spends_the_promise(series.algorithm, given, horizon, number_of_arms)
        return replace(series, parameters={**series.parameters, "epsilon": epsilon})

    return experiment.with_series({id: map(adjusted, policy.series) for id, policy in experiment.policies.items()})


@lru_cache(maxsize=4096)
def epsilon_that_spends_the_promise(
    algorithm: str, parameters: tuple[tuple[str, Any], ...], horizon: int, number_of_arms: int
) -> float:
    """The largest epsilon tried whose ledger is within what an algorithm promises with these parameters; their own epsilon if
    nothing is promised or no try is."""
    own = dict(parameters)
    account = promise_of(algorithm, own, horizon, number_of_arms)
    if account is None:
        return own["epsilon"]
    promised, spent, epsilon = account.epsilon, account.spent, own["epsilon"]
    best, high = 0.0, math.inf
    for _ in range(ATTEMPTS):  # one step suffices where the ledger is proportional to epsilon
        if spent <= promised * (1 + 1e-9):
            best = epsilon
            if spent >= promised * (1 - ENOUGH):
                break
        else:
            high = epsilon
        epsilon *= promised / spent if spent else 2
        if not best < epsilon < high:
            epsilon = (best + min(high, 2 * best)) / 2 if best else high / 2
        try:
            spent = promise_of(algorithm, own | {"epsilon": epsilon}, horizon, number_of_arms).spent
        except InputError:
            spent = math.inf
    return best or own["epsilon"]
