"""The experiments of a study at one scale, with a series for each value of a sweep and reading."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from dpbandits.errors import InputError, check_known, within
from dpbandits.studies.experiment import Design, Experiment, Policy, Series
from dpbandits.studies.model import Study
from dpbandits.studies.strict_yaml import repeated
from dpbandits.studies.texts import common_label, fill
from dpbandits.studies.things import entries, over, valid, validated
from dpbandits.studies.types import CORRECTED, PUBLISHED, Environment, Id

WITHOUT_ENVIRONMENT = "'environment' is missing; write environment: a string | keys with values"


class Typed(NamedTuple):
    """An experiment as typed, and what it changes of the design and of the smoke scale."""

    place: str
    experiment: Experiment
    design: Mapping[str, Any]
    smoke: Mapping[str, Any]


def typed_experiments(study: Study) -> dict[str, Typed]:
    """The experiments of the file, each with its environment."""
    result: dict[str, Typed] = {}
    parts = {"design": Design, "smoke": Design}
    for place, id, entry in entries(Experiment, study.experiments, Id, "experiments", parts):
        changes = [entry.pop(part, {}) for part in parts]
        experiment = replace(valid(Experiment, entry, place), id=id, paper=study.id)
        result[id] = Typed(place, experiment, *changes)
    independent = [id for id, each in result.items() if not each.experiment.stream]
    for each in result.values():
        stream = each.experiment.stream
        check_known(f"{each.place}.stream", "experiment", filter(None, [stream]), independent)
        if stream and each.experiment.environment:
            problem = f"it has that of {stream}, whose stream it has; remove it"
            raise InputError(f"{each.place}.environment: {problem}")
    for id, each in result.items():
        typed_environment = result[each.experiment.stream or id].experiment.environment
        with within(each.place):
            environment = _environment(typed_environment, study)
        result[id] = each._replace(experiment=replace(each.experiment, environment=environment))
    return result


def _environment(typed: str | Mapping[str, Any], study: Study) -> dict[str, Any]:
    """The environment, by itself or by its name, which is also its label."""
    if not typed:
        raise InputError(WITHOUT_ENVIRONMENT)
    if isinstance(typed, str):
        check_known("", "environment", [typed], study.environments)
        return {"label": typed} | study.environments[typed]
    return validated(typed, Environment, "", "environment")


def with_experiments(study: Study, typed: Mapping[str, Typed], scale: str) -> Study:
    """The study with its experiments; of an arena, the scored ones."""
    scored = study.arena.experiments if study.arena else ()
    experiments = {
        id: _at_scale(study, each, scale)
        for id, each in typed.items()
        if not scored or each.experiment.instance in scored
    }
    return replace(study, experiments=experiments)


def _at_scale(study: Study, typed: Typed, scale: str) -> Experiment:
    """The experiment with its design and its policies."""
    place, experiment = typed.place, typed.experiment
    whole = over(study.design, typed.design, 1)
    of_paper = valid(Design, whole, f"{place}.design")
    small = valid(Design, over(over(whole, study.smoke, 1), typed.smoke, 1), f"{place}.smoke")
    design = of_paper if scale == "paper" else small
    if design.horizon < of_paper.horizon:
        design = replace(design, horizon_of_paper=of_paper.horizon)
    playing, here = _playing(study, experiment, place), experiment.parameters
    taken = {parameter for policy in playing.values() for parameter in policy.takes or ()}
    check_known(f"{place}.parameters", "parameter of the policies here", here, taken)
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
    environment = {key: each for key, each in experiment.environment.items() if key != "label"}
    return replace(experiment, environment=environment, policies=policies, design=design)


def _playing(study: Study, experiment: Experiment, place: str) -> dict[str, Policy]:
    """The policies that play an experiment, with the parameters that it changes."""
    named = study.policies if experiment.policies == "all" else experiment.policies
    left_out = study.arena.left_out if study.arena else {}
    check_known(f"{place}.policies", "policy", named, study.policies)
    result = {}
    for name in named:
        if experiment.instance not in left_out.get(name, {}):
            policy = result[name] = study.policies[name]
            if isinstance(experiment.policies, dict):
                result[name] = replace(policy, parameters={**policy.parameters, **named[name]})
    return result


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
    """The series of a policy in one reading: one, or one for each value of its sweep."""
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
    for variant, values in enumerate(zip(*sweep.values(), strict=True) if sweep else [()]):
        parameters = common | dict(zip(sweep, values, strict=True))
        value = f"-{str(values[0]).lower().replace('_', '-')}" if values else ""
        label = fill(policy.label, parameters, remedy="add it to 'takes' or to 'parameters'")
        name = policy.id + value
        series.append(Series(name, label, algorithm, parameters, policy.id, variant, regret))
    return series


def _in_reading(values: Mapping[str, Any], reading: str) -> dict[str, Any]:
    """The values in one reading: some are for both, others are mappings from readings."""
    by_reading = {k: v if isinstance(v, dict) else {reading: v} for k, v in values.items()}
    return {name: each[reading] for name, each in by_reading.items() if reading in each}
