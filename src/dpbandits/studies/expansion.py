"""The experiments of a study at one scale, with a series for each value of a sweep and reading."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dpbandits.errors import InputError, check_known, within
from dpbandits.studies.experiment import Design, Experiment, Policy, Series
from dpbandits.studies.model import Study
from dpbandits.studies.strict_yaml import repeated
from dpbandits.studies.texts import common_label, fill
from dpbandits.studies.things import CORRECTED, PUBLISHED, whole

WITHOUT_ENVIRONMENT = "'environment' is missing; write environment: a string | keys with values"


def with_environments(study: Study) -> Study:
    """The study whose experiments have an environment each, not a name or a stream alone."""
    typed, result = study.experiments, {}
    independent = [id for id, each in typed.items() if not each.stream]
    for id, each in typed.items():
        place, stream = f"experiments.{id}", each.stream
        check_known(f"{place}.stream", "experiment", filter(None, [stream]), independent)
        if stream and each.environment:
            problem = f"it has that of {stream}, whose stream it has; remove it"
            raise InputError(f"{place}.environment: {problem}")
        environment = typed[stream or id].environment
        if not environment:
            raise InputError(f"{place}: {WITHOUT_ENVIRONMENT}")
        if isinstance(environment, str):  # its name is also its label
            check_known(place, "environment", [environment], study.environments)
            environment = {"label": environment} | study.environments[environment]
        result[id] = replace(each, id=id, paper=study.id, environment=environment)
    return replace(study, experiments=result)


def with_experiments(study: Study, scale: str) -> Study:
    """The study with its experiments at a scale; of an arena, the scored ones."""
    scored = study.arena.experiments if study.arena else ()
    experiments = {
        id: _at_scale(study, each, scale)
        for id, each in study.experiments.items()
        if not scored or each.instance in scored
    }
    return replace(study, experiments=experiments)


def _at_scale(study: Study, experiment: Experiment, scale: str) -> Experiment:
    """The experiment with its design and its policies."""
    place = f"experiments.{experiment.id}"
    keys = study.design | (experiment.design or {})
    of_paper = whole(Design, keys, f"{place}.design")
    small = whole(Design, keys | study.smoke | experiment.smoke, f"{place}.smoke")
    design = of_paper if scale == "paper" else small
    if design.horizon < of_paper.horizon:
        design = replace(design, horizon_of_paper=of_paper.horizon)
    playing, here = _playing(study, experiment, place), experiment.parameters
    taken = {parameter for policy in playing.values() for parameter in policy.takes or ()}
    check_known(f"{place}.parameters", "parameter of the policies here", here, taken)
    environment = {key: each for key, each in experiment.environment.items() if key != "label"}
    experiment = replace(experiment, environment=environment, design=design, smoke={})
    if study.arena:  # whose policies spend in each game what they promise
        with within(f"{place}: environment"):
            game = design.horizon, experiment.bandit.number_of_arms
        experiment = replace(experiment, calibrated_for=game)
    policies = {}
    for name, policy in playing.items():
        with within(f"{place}.policies.{name}"):
            runs = _runs(experiment, policy, design, scale)
            policies[name] = with_series(replace(policy, runs=runs, more_runs={}), experiment)
    if twice := repeated(each.id for policy in policies.values() for each in policy.series):
        remedy = "give one of the policies another name, or leave a value out"
        raise InputError(f"{place}: two series are called '{twice}'; {remedy}")
    if max((policy.runs for policy in policies.values()), default=0) <= (design.runs_of_paper or 0):
        design = replace(design, runs_of_paper=None)  # all have the paper's
    return replace(experiment, policies=policies, design=design)


def _playing(study: Study, experiment: Experiment, place: str) -> dict[str, Policy]:
    """The policies that play an experiment, with the parameters that it changes."""
    named = study.policies if experiment.policies == "all" else experiment.policies
    left_out = study.arena.left_out if study.arena else {}
    check_known(f"{place}.policies", "policy", named, study.policies)
    own = named if isinstance(experiment.policies, dict) else {}
    return {
        name: replace(policy, parameters={**policy.parameters, **own.get(name, {})})
        for name, policy in ((name, study.policies[name]) for name in named)
        if experiment.instance not in left_out.get(name, {})
    }


def _runs(experiment: Experiment, policy: Policy, design: Design, scale: str) -> int:
    """The runs of a policy: `more_runs`, else its own up to the experiment's, else the design's.

    Smaller scales have no more than the design's.
    """
    own = min(policy.runs, experiment.runs or policy.runs) if policy.runs else design.runs
    own = policy.more_runs.get(experiment.id, own)
    return own if scale == "paper" else min(own, design.runs)


def with_series(policy: Policy, experiment: Experiment) -> Policy:
    """The policy with a series for each value of its sweep, in both readings if these differ."""
    series, corrected = (_series(policy, experiment, each) for each in (PUBLISHED, CORRECTED))
    label = common_label(policy.label) if policy.sweep else policy.label
    label = fill(label, series[0].parameters)
    if series != corrected:
        both = ((PUBLISHED, series), (CORRECTED, corrected))
        series = [replace(each, reading=reading) for reading, of in both for each in of]
    return replace(policy, label=label, series=tuple(series))


def _series(policy: Policy, experiment: Experiment, reading: str) -> list[Series]:
    """The series of a policy in one reading: one, or one for each value of its sweep.

    `Series.as_policy` makes the policy of the parameters, such as epsilon.
    """
    own, here = _in_reading(policy.parameters, reading), experiment.parameters
    sweep, takes = policy.sweep or {}, policy.takes or ()
    if len({len(values) for values in sweep.values()}) > 1:
        remedy = "write one for each value of the first"
        raise InputError(f"sweep: one parameter has more values than another; {remedy}")
    for parameter in takes:
        if parameter not in {**here, **own}:
            raise InputError(f"it takes '{parameter}'; add it to the experiment's parameters")
    common = {parameter: here.get(parameter) for parameter in takes} | own
    algorithm = _in_reading({"algorithm": policy.algorithm}, reading).get("algorithm", "")
    regret = _in_reading({**experiment.regret, **policy.regret}, reading)
    series = []
    for values in zip(*sweep.values(), strict=True) if sweep else [()]:
        parameters = common | dict(zip(sweep, values, strict=True))
        value = f"-{str(values[0]).lower().replace('_', '-')}" if values else ""
        one = Series(
            name=policy.id + value,
            label=fill(policy.label, parameters, remedy="add it to 'takes' or to 'parameters'"),
            algorithm=algorithm,
            parameters=parameters,
            policy=policy.id,
            regret=regret,
            calibrated_for=experiment.calibrated_for,
        )
        series.append(one)
    return series


def _in_reading(values: Mapping[str, Any], reading: str) -> dict[str, Any]:
    """The values in one reading: some are for both, others are mappings from readings."""
    by_reading = {k: v if isinstance(v, dict) else {reading: v} for k, v in values.items()}
    return {name: each[reading] for name, each in by_reading.items() if reading in each}
