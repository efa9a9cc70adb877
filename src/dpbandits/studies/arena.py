"""What an arena adds to a study: a series for each epsilon, and epsilons of equal privacy.

Each policy plays with the epsilon at which its ledger equals its promise.
"""

from dataclasses import replace

from dpbandits import playable
from dpbandits.errors import InputError
from dpbandits.privacy.promises import calibrate_epsilon
from dpbandits.studies.experiment import Experiment, of_entry
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


def at_equal_privacy(study: Study, file: ArenaFile) -> Study:
    """The arena with the epsilons at which the policies' ledgers equal what they promise."""
    experiments = {
        id: _at_equal_privacy(experiment) for id, experiment in study.experiments.items()
    }
    members = {
        id: policy
        for experiment in experiments.values()
        for id, policy in experiment.policies.items()
    }
    instances = {
        id: e.environment.get("label", id) for id, e in file.experiments.items() if not e.stream
    }
    arena = of_entry(Arena, file.arena, instances=instances, members=members)
    return replace(study, experiments=experiments, arena=arena)


def _at_equal_privacy(experiment: Experiment) -> Experiment:
    """The experiment at equal privacy; unchanged if a policy cannot play (`plan.validation`)."""
    horizon, adjusted = experiment.design.horizon, {}
    try:
        playable.check_bandit(experiment.bandit)
        for series in experiment.series.values():
            playable.check_policy(series.as_policy, experiment.bandit, horizon)
    except InputError:
        return experiment
    for series in experiment.series.values():
        parameters = dict(series.parameters)
        if "epsilon" in parameters:
            number_of_arms = experiment.bandit.number_of_arms
            parameters["epsilon"] = calibrate_epsilon(series.as_policy, horizon, number_of_arms)
        adjusted.setdefault(series.policy, []).append(replace(series, parameters=parameters))
    return experiment.with_series(adjusted)
