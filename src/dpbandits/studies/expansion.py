"""Expands a validated file for one scale: experiments with their readings, sweeps and checkpoints; `panels`: its figures."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from dpbandits.errors import InputError, check_known
from dpbandits.studies import arena, matrix, model, panels, references
from dpbandits.studies.matrix import Source
from dpbandits.studies.study import (
    CORRECTED,
    NASH_REGRET,
    PUBLISHED,
    Design,
    Experiment,
    Paper,
    Policy,
    Series,
)
from dpbandits.studies.texts import label_of
from dpbandits.studies.written import STUDY_ID


def source(written: model.Paper, file: str, scale: str) -> Source:
    """The file with its matrices expanded, and the arena of this scale. InputError if something has an unknown name."""
    id = Path(file).stem
    if not re.match(STUDY_ID, id):
        raise InputError(f"{file}: '{id}' cannot be used as a name here; rename the file like {STUDY_ID}")
    if written.paper not in (id, None):
        raise InputError(f"{file}: paper: '{written.paper}' should be '{id}', as the file is called")
    found = Source(id, file, written, matrix.experiments(written, file), matrix.figures(written, file))
    references.check(found, scale)
    return arena.at_scale(found, scale) if written.arena else found


def expand(source: Source, scale: str) -> Paper:
    """Expand a file for one scale."""
    written, file = source.paper, source.file
    experiments = {id: _experiment(source, id, scale) for id in source.experiments}
    figures = {figure.id: figure for name in source.figures for figure in panels.figures(source, name, experiments)}
    check_known(f"{file}: preview", "figure", written.preview, figures)
    study = Paper(
        id=source.id,
        file=file,
        written=written,
        experiments=experiments,
        figures=figures,
        sentences=written.sentences,
        guests=tuple(dict.fromkeys(name for _, name in source.guests)),
        arena=arena.expanded(source, experiments) if written.arena else None,
    )
    return replace(study, figures={name: panels.with_lines(figure, study) for name, figure in figures.items()})


# Experiments.


def _experiment(source: Source, id: str, scale: str) -> Experiment:
    """An experiment with the series of both readings."""
    experiment, environment = source.experiments[id], source.environment(id)
    played = {"kind": environment.kind, **environment.model_extra}
    design = _design(source, id, scale)
    policies: list[Policy] = []
    for name, change in experiment.policies.items():
        written, place = source.policy(id, name), source.place(id, name)
        policy = Policy(
            name,
            series_of(written, name, experiment, change, place),
            _number_of_runs(source, id, name, design.runs, scale),
            tuple(written.reconstructed),
            audit_games=(written.audit_games or 0) if scale == "paper" else 0,
        )
        in_league = arena.at_equal_privacy if source.paper.arena else lambda policy, *_: policy
        policies.append(in_league(policy, played, design.horizon, place))
    ids = [series.id for policy in policies for series in policy.series]
    if twice := {one for one in ids if ids.count(one) > 1}:
        raise InputError(
            f"{source.file}: experiments.{id}: two series are called '{min(twice)}'; give one of the policies another name"
        )
    return Experiment(
        id,
        source.id,
        played,
        tuple(policies),
        design,
        stream=experiment.stream,
        environment_name=experiment.environment if isinstance(experiment.environment, str) else "",
        reconstructed=experiment.reconstructed,
    )


def _number_of_runs(source: Source, experiment: str, policy: str, runs: int, scale: str) -> int:
    """A policy's number of runs in an experiment whose design has `runs`."""
    written = source.policy(experiment, policy)
    own = runs if written.runs is None else min(written.runs, source.experiments[experiment].runs or written.runs)
    own = written.more_runs.get(experiment, own)
    return own if scale == "paper" else min(own, runs)


def _design(source: Source, id: str, scale: str) -> Design:
    experiment = source.experiments[id]
    whole = source.design(id)
    merged = whole.as_written()
    if scale != "paper":
        merged |= source.paper.smoke.as_written() | experiment.smoke.as_written()
    design = model.WholeDesign(**merged)
    runs = max(_number_of_runs(source, id, policy, design.runs, scale) for policy in experiment.policies)
    nash = design.quantity == NASH_REGRET  # one number for all runs; the regret is summarised run by run beside it
    expanded = {
        "checkpoints": design.checkpoints.rounds(design.horizon),
        "columns": tuple(design.columns),
        "runs_of_paper": design.runs_of_paper if runs > (design.runs_of_paper or runs) else None,
        "quantity": "regret" if nash else design.quantity,
        "horizon_of_paper": whole.horizon if design.horizon < whole.horizon else None,
        "judged": NASH_REGRET if nash else design.statistic.removesuffix("_std"),
    }
    return Design(**{**design.model_dump(), **expanded})


def series_of(
    policy: model.Policy, name: str, experiment: model.Experiment, change: Mapping[str, Any], where: str
) -> tuple[Series, ...]:
    """The series of a policy in an experiment, in both readings where these differ: one, or one for each value of its sweep.

    `change`: parameters that only this experiment changes.
    """
    published, corrected = (
        _in_reading(policy, name, experiment, change, reading, where) for reading in (PUBLISHED, CORRECTED)
    )
    if published == corrected:
        return tuple(published)
    both = ((PUBLISHED, published), (CORRECTED, corrected))
    return tuple(replace(series, reading=reading) for reading, found in both for series in found)


def _in_reading(
    policy: model.Policy, name: str, experiment: model.Experiment, change: Mapping[str, Any], reading: str, where: str
) -> list[Series]:
    common = {parameter: experiment.parameters[parameter] for parameter in policy.takes if parameter not in change}
    common |= {**policy.parameters, **getattr(policy, reading), **change}
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
