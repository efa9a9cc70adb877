"""What an arena adds to a study: a series for each epsilon, and for each policy the epsilon at which its ledger equals its promise."""

from dataclasses import replace

from dpbandits.errors import InputError
from dpbandits.privacy.promises import calibrate_epsilon
from dpbandits.studies import playable
from dpbandits.studies.experiment import Experiment
from dpbandits.studies.model import Study


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
            policy = policy.model_copy(
                update={"takes": takes, "sweep": {"epsilon": arena.epsilons}}
            )
        policies[name] = policy
    experiments = {id: e for id, e in study.experiments.items() if (e.stream or id) in scored}
    instances = {
        id: e.environment.get("label", id) for id, e in experiments.items() if not e.stream
    }
    arena = arena.model_copy(update={"instances": instances, "smoke": None})
    return study.model_copy(
        update={"arena": arena, "policies": policies, "experiments": experiments}
    )


def at_equal_privacy(study: Study) -> Study:
    """The expanded arena, in which all policies have the epsilons at which their ledgers equal what they promise."""
    experiments = {
        id: _at_equal_privacy(experiment) for id, experiment in study.experiments.items()
    }
    members = {
        id: policy
        for experiment in experiments.values()
        for id, policy in experiment.policies.items()
    }
    arena = study.arena.model_copy(update={"members": members})
    return study.model_copy(update={"experiments": experiments, "arena": arena})


def _at_equal_privacy(experiment: Experiment) -> Experiment:
    """The experiment as it is if its policies cannot play, which the check of the whole study says."""
    kind, horizon, adjusted = experiment.environment["kind"], experiment.design.horizon, {}
    try:
        number_of_arms = playable.environment_of(experiment.environment).number_of_arms
        for series in experiment.series.values():
            playable.check_playable(series, kind, number_of_arms, horizon)
    except InputError:
        return experiment
    for series in experiment.series.values():
        parameters = dict(series.parameters)
        if "epsilon" in parameters:
            played = series.algorithm, tuple(sorted(parameters.items())), horizon, number_of_arms
            parameters["epsilon"] = calibrate_epsilon(*played)
        adjusted.setdefault(series.policy, []).append(replace(series, parameters=parameters))
    return experiment.with_series(adjusted)
