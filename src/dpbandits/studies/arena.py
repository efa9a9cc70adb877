"""Arenas: a series for each epsilon, calibrated so that each policy spends what it promises."""

from dataclasses import replace

from dpbandits.errors import InputError, check_known
from dpbandits.parameters import validated
from dpbandits.studies.experiment import Policy
from dpbandits.studies.model import Arena, Study
from dpbandits.studies.strict_yaml import repeated
from dpbandits.studies.things import some_of


def at_scale(study: Study, scale: str) -> Study:
    """The study with its arena at a scale, and with policies that sweep the arena's epsilons."""
    independent = {
        id: each.environment.get("label", id)
        for id, each in study.experiments.items()
        if not each.stream
    }
    if twice := repeated(policy.label for policy in study.policies.values()):
        raise InputError(f"policies: two have the label '{twice}'; change one")
    small = validated(some_of(Arena), study.arena.smoke, "arena.smoke")
    scales = {"arena": study.arena, "arena.smoke": replace(study.arena, **small)}
    for place, arena in scales.items():
        check_known(f"{place}.experiments", "experiment", arena.experiments, independent)
        check_known(f"{place}.yardstick", "policy", [arena.yardstick], study.policies)
        check_known(f"{place}.left_out", "policy", arena.left_out, study.policies)
        for policy, places in arena.left_out.items():
            check_known(f"{place}.left_out.{policy}", "experiment", places, independent)
        for family, members in arena.families.items():
            check_known(f"{place}.families.{family}", "experiment", members, independent)
    arena = scales["arena" if scale == "paper" else "arena.smoke"]
    scored = arena.experiments or list(independent)
    instances = {id: label for id, label in independent.items() if id in scored}
    arena = replace(arena, experiments=scored, instances=instances, smoke={})
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


def with_members(study: Study) -> Study:
    """The study whose arena knows all policies that play."""
    policies = [each.policies for each in study.experiments.values()]
    members = {id: policy for each in policies for id, policy in each.items()}
    return replace(study, arena=replace(study.arena, members=members))
