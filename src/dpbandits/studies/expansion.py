"""Expand a study for one scale: experiments with readings and sweeps, and figures."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dpbandits.errors import InputError, check_known, within
from dpbandits.studies import arena, cross_references, guests, panels
from dpbandits.studies.entries import (
    DesignEntry,
    DesignPart,
    ExperimentEntry,
    GuestEntry,
    PolicyPart,
)
from dpbandits.studies.experiment import (
    CORRECTED,
    PUBLISHED,
    Checkpoints,
    Design,
    Experiment,
    Policy,
    Series,
    of_entry,
)
from dpbandits.studies.matrix import fill
from dpbandits.studies.model import Study
from dpbandits.studies.settings import GUESTS
from dpbandits.studies.strict_yaml import repeated
from dpbandits.studies.study_files import ArenaFile, PaperFile

# The part of a label that names a parameter, " (ε = {epsilon:g})" or ", ε = {epsilon:g}". The label
# of a whole sweep does without it.
OF_PARAMETERS = r"\s*\([^()]*\{[^()]*\)|,[^(),]*\{[^{}]*\}"


def expand(
    study: Study, file: PaperFile | ArenaFile, scale: str, invited: Mapping[str, GuestEntry]
) -> Study:
    """The study with experiments and figures for one scale, and with these guests.

    Raises InputError for an undefined name.
    """
    cross_references.check(study, file)
    for name in invited.keys() & file.policies.keys():
        raise InputError(f"{GUESTS}.{name}: a policy of {study.id} has this name; choose another")
    if file.arena:
        file = arena.at_scale(study, file, scale)
    experiments = {id: _experiment(study, file, id, scale, invited) for id in file.experiments}
    study = replace(study, experiments=experiments)
    if file.arena:
        return arena.scored(study, file)
    study = replace(study, figures=panels.figures(study, file))
    check_known(f"{study.file}: preview", "figure", study.preview, study.figures)
    return study


def _experiment(
    study: Study,
    file: PaperFile | ArenaFile,
    id: str,
    scale: str,
    invited: Mapping[str, GuestEntry],
) -> Experiment:
    """An experiment at one scale, in both readings."""
    entry, place = file.experiments[id], f"{study.file}: experiments.{id}"
    of_paper = _design(file.design, entry.design)
    smoke = (file.smoke, entry.smoke) if scale != "paper" else ()
    design = _design(file.design, entry.design, *smoke)
    playing = _playing(file, id)
    with within(f"{place}: environment"):
        playing |= guests.joining(file, id, invited, playing, of_paper.runs_of_paper)
    taken = {parameter for policy in playing.values() for parameter in policy.takes}
    check_known(f"{place}.parameters", "parameter of the policies here", entry.parameters, taken)
    policies, labels = {}, set[str]()
    for name, policy in playing.items():
        further = {"guest": isinstance(policy, GuestEntry), "swept": policy.swept}
        runs = _runs(id, entry, policy, design, scale)
        result = of_entry(Policy, policy, id=name, runs=runs, **further)
        with within(study.place(id, result)):
            policies[name] = _with_series(result, policy, entry)
            own = {series.label for series in policies[name].series}
            if result.guest and (same := own & labels):
                raise InputError(f"label: another curve is called '{min(same)}'; change it")
            labels |= own
    if twice := repeated(each.id for policy in policies.values() for each in policy.series):
        remedy = "give one of the policies another name, or leave a value out"
        raise InputError(f"{place}: two series are called '{twice}'; {remedy}")
    if design.horizon < of_paper.horizon:
        design = replace(design, horizon_of_paper=of_paper.horizon)
    if max((policy.runs for policy in policies.values()), default=0) <= (design.runs_of_paper or 0):
        design = replace(design, runs_of_paper=None)  # all have the paper's
    environment = {key: value for key, value in entry.environment.items() if key != "label"}
    known = {"environment": environment, "policies": policies, "design": design}
    return of_entry(Experiment, entry, id=id, paper=study.id, **known)


def _design(design: DesignEntry, *changes: DesignPart | None) -> Design:
    """The design with what each part changes of it."""
    for part in filter(None, changes):
        design = design.changed(**part.typed)
    return of_entry(Design, design, checkpoints=of_entry(Checkpoints, design.checkpoints))


def _playing(file: PaperFile | ArenaFile, id: str) -> dict[str, PolicyPart]:
    """The policies of the file that play an experiment, with the parameters that it changes."""
    experiment, left_out = file.experiments[id], file.arena.left_out if file.arena else {}
    named = file.policies if experiment.policies == "all" else experiment.policies
    result: dict[str, PolicyPart] = {}
    for name in named:
        if (experiment.stream or id) not in left_out.get(name, {}):
            result[name] = file.policies[name]
            if isinstance(experiment.policies, dict):
                parameters = {**result[name].parameters, **named[name]}
                result[name] = result[name].changed(parameters=parameters)
    return result


def _runs(
    id: str, experiment: ExperimentEntry, policy: PolicyPart, design: Design, scale: str
) -> int:
    """The runs of a policy: `more_runs`, else its own up to the experiment's, else the design's.

    Smaller scales have no more than the design's.
    """
    own = min(policy.runs, experiment.runs or policy.runs) if policy.runs else design.runs
    own = policy.more_runs.get(id, own)
    return own if scale == "paper" else min(own, design.runs)


def _with_series(result: Policy, policy: PolicyPart, experiment: ExperimentEntry) -> Policy:
    """The policy with a series for each value of its sweep, in both readings where these differ."""
    series, corrected = (
        _series(result.id, policy, experiment, reading) for reading in (PUBLISHED, CORRECTED)
    )
    label = re.sub(OF_PARAMETERS, "", policy.label) if policy.sweep else policy.label
    label = fill(label, series[0].parameters)
    if series != corrected:
        both = ((PUBLISHED, series), (CORRECTED, corrected))
        series = [replace(each, reading=reading) for reading, of in both for each in of]
    return replace(result, label=label, series=tuple(series))


def _series(id: str, policy: PolicyPart, experiment: ExperimentEntry, reading: str) -> list[Series]:
    """The series of a policy in one reading: one, or one for each value of its sweep."""
    own, here = _in_reading(policy.parameters, reading), experiment.parameters
    sweep = policy.sweep or {}
    if len({len(values) for values in sweep.values()}) > 1:
        remedy = "write one for each value of the first"
        raise InputError(f"sweep: one parameter has more values than another; {remedy}")
    for parameter in policy.takes:
        if parameter not in {**here, **own}:
            raise InputError(f"it takes '{parameter}'; add it to the experiment's parameters")
    common = {parameter: here.get(parameter) for parameter in policy.takes} | own
    algorithm = _in_reading({"algorithm": policy.algorithm}, reading).get("algorithm", "")
    regret = _in_reading({**experiment.regret, **policy.regret}, reading)
    series = []
    for variant, values in enumerate(zip(*sweep.values(), strict=True) if sweep else [()]):
        parameters = common | dict(zip(sweep, values, strict=True))
        suffix = f"-{str(values[0]).lower().replace('_', '-')}" if values else ""
        label = fill(policy.label, parameters, remedy="add it to 'takes' or to 'parameters'")
        series.append(Series(id + suffix, label, algorithm, parameters, id, variant, regret))
    return series


def _in_reading(values: Mapping[str, Any], reading: str) -> dict[str, Any]:
    """The values in one reading: some are for both, others are mappings from readings."""
    by_reading = {k: v if isinstance(v, dict) else {reading: v} for k, v in values.items()}
    return {name: each[reading] for name, each in by_reading.items() if reading in each}
