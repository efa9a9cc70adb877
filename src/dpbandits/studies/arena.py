"""Arenas: a series for each epsilon, calibrated so that each policy spends what it promises."""

from collections.abc import Mapping
from dataclasses import replace

from dpbandits.errors import InputError, check_known, within
from dpbandits.studies.expansion import Typed
from dpbandits.studies.experiment import Policy
from dpbandits.studies.model import Arena, Study
from dpbandits.studies.strict_yaml import repeated
from dpbandits.studies.things import over, valid


def at_scale(study: Study, typed: Mapping[str, Typed], scale: str) -> Study:
    """The study with its arena at a scale, and with policies that sweep the arena's epsilons."""
    independent = {
        id: each.experiment.environment.get("label", id)
        for id, each in typed.items()
        if not each.experiment.stream
    }
    if twice := repeated(policy.label for policy in study.policies.values()):
        raise InputError(f"policies: two have the label '{twice}'; change one")
    large = {key: value for key, value in study.arena.items() if key != "smoke"}
    small = over(large, study.arena.get("smoke", {}), 1)
    arenas = {}
    for of, keys, place in (("paper", large, "arena"), ("smoke", small, "arena.smoke")):
        arenas[of] = arena = valid(Arena, keys, place)
        check_known(f"{place}.experiments", "experiment", arena.experiments, independent)
    arena = arenas[scale]
    check_known("arena.yardstick", "policy", [arena.yardstick], study.policies)
    check_known("arena.left_out", "policy", arena.left_out, study.policies)
    for policy, places in arena.left_out.items():
        check_known(f"arena.left_out.{policy}", "experiment", places, independent)
    scored = arena.experiments or list(independent)
    instances = {id: label for id, label in independent.items() if id in scored}
    arena = replace(arena, experiments=scored, instances=instances)
    policies = {id: _sweeping(policy, arena) for id, policy in study.policies.items()}
    return replace(study, arena=arena, policies=policies)


def _sweeping(policy: Policy, arena: Arena) -> Policy:
    """A policy of the arena: with its epsilons, if it takes one."""
    if policy.sweep:
        remedy = "the only sweep of an arena is over its epsilons; write a policy per value"
        raise InputError(f"policies.{policy.id}: sweep: {remedy}")
    takes = [parameter for parameter in policy.takes or () if parameter != "epsilon"]
    swept = "epsilon" in (policy.takes or ())
    return replace(policy, takes=takes, sweep={"epsilon": arena.epsilons}) if swept else policy


def scored(study: Study) -> Study:
    """The study with its arena, whose policies spend in each game what they promise."""
    experiments = {}
    for id, experiment in study.experiments.items():
        with within(f"{study.file}: experiments.{id}: environment"):
            game = experiment.design.horizon, experiment.bandit.number_of_arms
        series = {
            name: [replace(each, calibrated_for=game) for each in policy.series]
            for name, policy in experiment.policies.items()
        }
        experiments[id] = experiment.with_series(series)
    return with_members(replace(study, experiments=experiments))


def with_members(study: Study) -> Study:
    """The study whose arena knows all policies that play."""
    policies = [each.policies for each in study.experiments.values()]
    members = {id: policy for each in policies for id, policy in each.items()}
    return replace(study, arena=replace(study.arena, members=members))
