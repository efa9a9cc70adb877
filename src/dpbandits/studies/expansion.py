"""Expands a study for one scale: experiments with their readings, sweeps and checkpoints; `panels`: its figures."""

from dataclasses import replace
from typing import Any

from dpbandits.errors import InputError, check_known, nearest
from dpbandits.studies import arena, model, panels
from dpbandits.studies.source import Source
from dpbandits.studies.study import CORRECTED, PUBLISHED, Design, Experiment, Policy, Series, Study
from dpbandits.studies.texts import label_of


def expand(source: Source) -> Study:
    """Expand a file for one scale. InputError if it uses a name that nothing has."""
    written = source.written
    experiments = {id: _experiment(source, id) for id in written.experiments}
    figures = panels.figures(source, experiments)
    check_known(f"{source.file}: preview", "figure", written.preview, figures)
    scored = arena.expanded(source, experiments) if written.arena else None
    return Study(source.id, source.file, written, experiments, figures, scored)


def _experiment(source: Source, id: str) -> Experiment:
    """An experiment with the series of both readings."""
    written, environment = source.written.experiments[id], source.environment(id)
    where, played = f"{source.file}: experiments.{id}", {"kind": environment.kind, **environment.model_extra}
    taken = {parameter for policy in written.policies.values() for parameter in policy.takes}
    for parameter in written.parameters:
        if parameter not in taken:
            raise InputError(f"{where}.parameters: no policy here takes '{parameter}'; {nearest(parameter, taken)}")
    design, policies = _design(source, id), []
    for name, policy in written.policies.items():
        expanded = Policy(
            name,
            _series(source, policy, name, id),
            _number_of_runs(source, id, policy, design.runs),
            tuple(policy.reconstructed),
            audit_games=(policy.audit_games or 0) if source.scale == "paper" else 0,
            guest=name not in source.written.policies,
        )
        if source.written.arena:
            expanded = arena.at_equal_privacy(expanded, played, design.horizon, source.where(id, name))
        policies.append(expanded)
    ids = [series.id for policy in policies for series in policy.series]
    if twice := {one for one in ids if ids.count(one) > 1}:
        raise InputError(f"{where}: two series are called '{min(twice)}'; give one of the policies another name")
    return Experiment(id, source.id, played, tuple(policies), design, written.stream, written.reconstructed)


def _number_of_runs(source: Source, experiment: str, policy: model.Policy, runs: int) -> int:
    """A policy's number of runs in an experiment whose design has `runs`."""
    most = source.written.experiments[experiment].runs or policy.runs
    own = policy.more_runs.get(experiment, min(policy.runs, most) if policy.runs else runs)
    return own if source.scale == "paper" else min(own, runs)


def _design(source: Source, id: str) -> Design:
    """The whole design of an experiment at this scale, with the paper's number of runs if one of its policies has more."""
    experiment = source.written.experiments[id]
    whole = source.written.design.changed(experiment.design)
    found = whole if source.scale == "paper" else whole.changed(source.written.smoke, experiment.smoke)
    most = max(_number_of_runs(source, id, policy, found.runs) for policy in experiment.policies.values())
    keys = found.as_written("runs_of_paper" if most <= (found.runs_of_paper or most) else "")
    return Design(**keys, **({"horizon_of_paper": whole.horizon} if found.horizon < whole.horizon else {}))


def _series(source: Source, policy: model.Policy, name: str, experiment: str) -> tuple[Series, ...]:
    """The series of a policy in an experiment, in both readings where these differ: one, or one for each value of its sweep."""
    published, corrected = (_in_reading(source, policy, name, experiment, r) for r in (PUBLISHED, CORRECTED))
    if published == corrected:
        return tuple(published)
    both = ((PUBLISHED, published), (CORRECTED, corrected))
    return tuple(replace(series, reading=reading) for reading, found in both for series in found)


def _in_reading(source: Source, policy: model.Policy, name: str, id: str, reading: str) -> list[Series]:
    experiment, where = source.written.experiments[id], source.where(id, name)
    own = {**policy.parameters, **getattr(policy, reading)}
    for parameter in policy.takes:
        if parameter not in {**experiment.parameters, **own}:
            raise InputError(f"{where}: it takes '{parameter}'; add it to the experiment's parameters")
    common = {parameter: experiment.parameters.get(parameter) for parameter in policy.takes} | own
    algorithm = policy.algorithm if isinstance(policy.algorithm, str) else getattr(policy.algorithm, reading)
    regret: dict[str, Any] = {}
    for counted in (experiment.regret, policy.regret):
        regret |= {**counted.model_extra, **getattr(counted, reading)}
    series = []
    for variant, values in enumerate(zip(*policy.sweep.values(), strict=True) if policy.sweep else [()]):
        parameters = common | dict(zip(policy.sweep or (), values, strict=True))
        suffix = f"-{str(values[0]).lower().replace('_', '-')}" if values else ""
        label = label_of(policy.label, parameters, where)
        series.append(Series(name + suffix, label, algorithm, parameters, name, variant, regret))
    return series
