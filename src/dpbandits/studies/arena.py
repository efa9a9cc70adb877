"""What an arena adds to a study: a series for each epsilon, and for each policy the epsilon at which its ledger equals its promise."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from dpbandits.audit.promises import promise_of
from dpbandits.errors import InputError, check_known
from dpbandits.studies import model, playable
from dpbandits.studies.study import Arena, Experiment

if TYPE_CHECKING:
    from dpbandits.studies.source import Source

ATTEMPTS = 16
ENOUGH = 0.01  # relative: a ledger this little below the promise equals it


def at_scale(source: "Source") -> "Source":
    """The arena at its scale: the experiments that are scored there, and policies with a series for each epsilon."""
    written, arena, where = source.written, source.written.arena, f"{source.file}: arena"
    smaller = model.SmallerArena() if source.scale == "paper" else arena.smoke
    scored, epsilons = smaller.experiments or written.independent, smaller.epsilons or arena.epsilons
    check_known(f"{where}.yardstick", "policy", [arena.yardstick], written.policies)
    check_known(f"{where}.left_out", "policy", arena.left_out, written.policies)
    for policy, named in arena.left_out.items():
        check_known(f"{where}.left_out.{policy}", "experiment", named, written.independent)
    check_known(f"{where}.{source.scale}.experiments", "experiment", scored, written.independent)
    changed = {
        "arena": arena.model_copy(update={"epsilons": epsilons}),
        "policies": {
            name: _with_epsilons(epsilons, p, f"{source.file}: policies.{name}") for name, p in written.policies.items()
        },
        "experiments": {id: e for id, e in written.experiments.items() if (e.stream or id) in scored},
    }
    return replace(source, written=written.model_copy(update=changed))


def _with_epsilons(epsilons: list[float], policy: model.Policy, where: str) -> model.Policy:
    """A policy with a series for each epsilon, if it takes epsilon."""
    if policy.sweep:
        raise InputError(f"{where}: sweep: the only sweep of an arena is over its epsilons; write a policy per value")
    if "epsilon" not in policy.takes:
        return policy
    takes = [parameter for parameter in policy.takes if parameter != "epsilon"]
    return policy.model_copy(update={"takes": takes, "sweep": {"epsilon": list(epsilons)}})


def expanded(source: "Source", experiments: Mapping[str, Experiment]) -> Arena:
    """What is scored: the instances' labels, and all policies."""
    written, instances = source.written, {}
    for id in written.independent:
        named = written.experiments[id].environment
        instances[id] = source.environment(id).label or (named if isinstance(named, str) else id)
    members = {policy.id: policy for experiment in experiments.values() for policy in experiment.policies}
    return Arena(tuple(written.arena.epsilons), instances, written.arena.yardstick, members)


def at_equal_privacy(experiment: Experiment) -> Experiment:
    """An experiment whose policies have the epsilons at which their ledgers equal what they promise; as it is if they cannot
    play, which the check of the whole study says."""
    kind, horizon, policies = experiment.environment["kind"], experiment.design.horizon, []
    try:
        number_of_arms = playable.environment_of(experiment.environment).number_of_arms
        for series in experiment.series.values():
            playable.check_playable(series, kind, number_of_arms, horizon)
    except InputError:
        return experiment
    for policy in experiment.policies:
        series = list(policy.series)
        for i, each in enumerate(series):
            if "epsilon" in each.parameters:
                given = tuple(sorted(each.parameters.items()))
                epsilon = epsilon_that_spends_the_promise(each.algorithm, given, horizon, number_of_arms)
                series[i] = replace(each, parameters={**each.parameters, "epsilon": epsilon})
        policies.append(replace(policy, series=tuple(series)))
    return replace(experiment, policies=tuple(policies))


@lru_cache(maxsize=4096)
def epsilon_that_spends_the_promise(
    algorithm: str, parameters: tuple[tuple[str, Any], ...], horizon: int, number_of_arms: int
) -> float:
    """The largest epsilon tried whose ledger is within what an algorithm promises with these parameters; their own epsilon if
    nothing is promised or no try is."""
    own = dict(parameters)["epsilon"]

    def spent_at(epsilon: float) -> float:
        try:
            return promise_of(algorithm, {**dict(parameters), "epsilon": epsilon}, horizon, number_of_arms).spent
        except InputError:
            return math.inf

    account = promise_of(algorithm, dict(parameters), horizon, number_of_arms)
    if account is None:
        return own
    promised, spent, epsilon = account.epsilon, account.spent, own
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
        spent = spent_at(epsilon)
    return best or own
