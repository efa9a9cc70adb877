"""Expands a study for one scale: experiments with their readings, sweeps and checkpoints; `panels`: its figures."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dpbandits.errors import InputError, check_known
from dpbandits.studies import arena, guests, model, panels
from dpbandits.studies.matrix import fill, without_parameter
from dpbandits.studies.source import Source
from dpbandits.studies.study import CORRECTED, PUBLISHED, Design, Experiment, Policy, Series, Study


def expand(source: Source) -> Study:
    """Expand a file for one scale. InputError if it uses a name that nothing has."""
    written, along = source.written, panels.along(source) if source.guests else {}
    experiments = {id: _experiment(source, id, along.get(id, {""})) for id in written.experiments}
    figures = panels.figures(source, experiments)
    check_known(f"{source.file}: preview", "figure", written.preview, figures)
    scored = arena.expanded(source, experiments) if written.arena else None
    return Study(source.id, source.file, written, experiments, figures, scored)


def _experiment(source: Source, id: str, along: set[str]) -> Experiment:
    """An experiment in both readings; `along`: parameters along which figures draw it ("" for rounds), which decide who joins."""
    written, environment = source.written.experiments[id], source.environment(id)
    where, played = f"{source.file}: experiments.{id}", {"kind": environment.kind, **environment.model_extra}
    playing = source.policies(id)
    playing |= guests.joining(source, id, playing, along)
    taken = {parameter for policy in playing.values() for parameter in policy.takes}
    check_known(f"{where}.parameters", "parameter of the policies here", written.parameters, taken)
    design = _design(source, id, playing)
    policies = tuple(_policy(source, id, name, policy, design) for name, policy in playing.items())
    ids = [series.id for policy in policies for series in policy.series]
    if twice := {one for one in ids if ids.count(one) > 1}:
        raise InputError(f"{where}: two series are called '{min(twice)}'; give one of the policies another name")
    experiment = Experiment(id, source.id, played, policies, design, written.stream, written.reconstructed)
    return arena.at_equal_privacy(experiment) if source.written.arena else experiment


def _number_of_runs(source: Source, experiment: str, policy: model.Policy, runs: int) -> int:
    """A policy's runs: `more_runs` here, else its own up to the experiment's, else the design's (`runs`), the most at smaller scales."""
    most = source.written.experiments[experiment].runs or policy.runs
    own = policy.more_runs.get(experiment, min(policy.runs, most) if policy.runs else runs)
    return own if source.scale == "paper" else min(own, runs)


def _design(source: Source, id: str, playing: Mapping[str, model.Policy]) -> Design:
    """The whole design of an experiment at this scale, with the paper's number of runs if one of its policies has more."""
    experiment = source.written.experiments[id]
    whole = source.written.design.changed(experiment.design)
    found = whole if source.scale == "paper" else whole.changed(source.written.smoke, experiment.smoke)
    most = max([_number_of_runs(source, id, policy, found.runs) for policy in playing.values()], default=0)
    keys = found.as_written()
    if most <= keys.get("runs_of_paper", 0):
        keys.pop("runs_of_paper", None)
    return Design(**keys, **({"horizon_of_paper": whole.horizon} if found.horizon < whole.horizon else {}))


def _policy(source: Source, id: str, name: str, policy: model.Policy, design: Design) -> Policy:
    """A policy in an experiment: a series for each value of its sweep, in both readings where these differ."""
    series, corrected = (_series(source, id, name, policy, reading) for reading in (PUBLISHED, CORRECTED))
    label = policy.label
    for parameter in policy.sweep or ():
        label = without_parameter(label, parameter)
    label = fill(label, series[0].parameters, source.where(id, name))
    if series != corrected:
        both = ((PUBLISHED, series), (CORRECTED, corrected))
        series = [replace(each, reading=reading) for reading, found in both for each in found]
    return Policy(
        name,
        tuple(series),
        _number_of_runs(source, id, policy, design.runs),
        tuple(policy.reconstructed),
        audit_games=(policy.audit_games or 0) if source.scale == "paper" else 0,
        guest=name in source.guests,
        label=label,
        swept=next(iter(policy.sweep or {}), ""),
        knows_horizon=policy.knows_horizon,
    )


def _in_reading(values: Mapping[str, Any], reading: str) -> dict[str, Any]:
    """The values in one reading, of which some are there for both, and others are mappings from readings."""
    found = {name: value if isinstance(value, dict) else {reading: value} for name, value in values.items()}
    return {name: of_reading[reading] for name, of_reading in found.items() if reading in of_reading}


def _series(source: Source, id: str, name: str, policy: model.Policy, reading: str) -> list[Series]:
    """The series of a policy in an experiment in one reading: one, or one for each value of its sweep."""
    experiment, where = source.written.experiments[id], source.where(id, name)
    own = _in_reading(policy.parameters, reading)
    for parameter in policy.takes:
        if parameter not in {**experiment.parameters, **own}:
            raise InputError(f"{where}: it takes '{parameter}'; add it to the experiment's parameters")
    common = {parameter: experiment.parameters.get(parameter) for parameter in policy.takes} | own
    algorithm = _in_reading({"algorithm": policy.algorithm}, reading).get("algorithm", "")
    regret = _in_reading({**experiment.regret, **policy.regret}, reading)
    series = []
    for variant, values in enumerate(zip(*policy.sweep.values(), strict=True) if policy.sweep else [()]):
        parameters = common | dict(zip(policy.sweep or (), values, strict=True))
        suffix = f"-{str(values[0]).lower().replace('_', '-')}" if values else ""
        label = fill(policy.label, parameters, f"{where}: label")
        series.append(Series(name + suffix, label, algorithm, parameters, name, variant, regret))
    return series
