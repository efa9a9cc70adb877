"""Arenas: a series for each epsilon, calibrated so that each policy spends what it promises."""

from dataclasses import replace

from dpbandits.errors import InputError, within
from dpbandits.studies.experiment import of_entry
from dpbandits.studies.model import Arena, Study
from dpbandits.studies.study_files import ArenaFile


def at_scale(study: Study, file: ArenaFile, scale: str) -> ArenaFile:
    """The file at a scale: the scored experiments, and policies that sweep the arena's epsilons."""
    changes = file.arena.smoke.typed if file.arena.smoke and scale != "paper" else {}
    arena = file.arena.changed(**changes)
    scored = arena.experiments or file.independent
    policies = {}
    for name, policy in file.policies.items():
        if policy.sweep:
            remedy = "the only sweep of an arena is over its epsilons; write a policy per value"
            raise InputError(f"{study.file}: policies.{name}: sweep: {remedy}")
        if "epsilon" in policy.takes:
            takes = [parameter for parameter in policy.takes if parameter != "epsilon"]
            policy = policy.changed(takes=takes, sweep={"epsilon": arena.epsilons})
        policies[name] = policy
    experiments = {id: e for id, e in file.experiments.items() if (e.stream or id) in scored}
    return file.changed(arena=arena, policies=policies, experiments=experiments)


def scored(study: Study, file: ArenaFile) -> Study:
    """The study with its arena, whose policies spend in each game what they promise."""
    experiments, members = {}, {}
    for id, experiment in study.experiments.items():
        with within(f"{study.file}: experiments.{id}: environment"):
            game = experiment.design.horizon, experiment.bandit.number_of_arms
        series = {
            name: [replace(each, calibrated_for=game) for each in policy.series]
            for name, policy in experiment.policies.items()
        }
        experiments[id] = experiment.with_series(series)
        members |= experiments[id].policies
    instances = {
        id: e.environment.get("label", id) for id, e in file.experiments.items() if not e.stream
    }
    arena = of_entry(Arena, file.arena, instances=instances, members=members)
    return replace(study, experiments=experiments, arena=arena)
