"""From a paper file as it is written to what is run and drawn: readings, sweeps, scales, checkpoints, panels."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dpbandits.errors import InputError, nearest
from dpbandits.papers import model
from dpbandits.papers.expanded import (
    CORRECTED,
    PUBLISHED,
    Claim,
    Design,
    Experiment,
    Figure,
    Panel,
    Paper,
    Policy,
    Series,
    checkpoints,
)


def expand(written: model.Paper, file: str, scale: str) -> Paper:
    """A paper file for one scale."""
    if written.paper != Path(file).stem:
        raise InputError(f"{file}: paper: '{written.paper}' should be '{Path(file).stem}', as the file is called")
    experiments = {
        experiment.id: experiment
        for base in written.experiments
        for experiment in _in_both_readings(written, base, scale, file)
    }
    figures = {figure.id: figure for name in written.figures for figure in _figures(written, name, experiments, file)}
    for name in written.preview:
        if name not in figures:
            raise InputError(f"{file}: preview: unknown figure '{name}'; {nearest(name, figures)}")
    return Paper(
        id=written.paper,
        file=file,
        title=written.title,
        authors=tuple(written.authors),
        venue=written.venue,
        link=written.link,
        readings=written.readings.as_written(),
        experiments=experiments,
        figures=figures,
        preview=tuple(written.preview),
        claims=tuple(_claim(name, claim, written, file) for name, claim in written.claims.items()),
    )


# Experiments.


def _in_both_readings(written: model.Paper, base: str, scale: str, file: str) -> list[Experiment]:
    """An experiment, once or, where the readings differ, twice."""
    where = f"{file}: experiments.{base}"
    experiment = written.experiments[base]
    changed = experiment.policies if isinstance(experiment.policies, dict) else {p: {} for p in experiment.policies}
    for policy in changed:
        if policy not in written.policies:
            raise InputError(f"{where}.policies: unknown policy '{policy}'; {nearest(policy, written.policies)}")
    taken = {parameter for policy in changed for parameter in written.policies[policy].takes}
    for parameter in experiment.parameters:
        if parameter not in taken:
            raise InputError(f"{where}.parameters: no policy here takes '{parameter}'; {nearest(parameter, taken)}")

    def series_in(reading: str) -> dict[str, tuple[Series, ...]]:
        return {
            name: series_of(
                written.policies[name], name, experiment.parameters, change, reading, f"{where}.policies.{name}"
            )
            for name, change in changed.items()
        }

    published, corrected = (
        (series_in(reading), _environment(experiment.environment, reading)) for reading in (PUBLISHED, CORRECTED)
    )
    readings = [(PUBLISHED, base, *published)]
    if corrected != published:
        readings.append((CORRECTED, f"{base}.{CORRECTED}", *corrected))
    design = _design(written, experiment, scale, where)
    return [
        Experiment(
            id=name,
            base=base,
            reading=reading if len(readings) > 1 else "",
            paper=written.paper,
            environment=environment,
            policies=tuple(
                Policy(policy, base if (found, environment) == (published[0][policy], published[1]) else name, found)
                for policy, found in series.items()
            ),
            design=design,
        )
        for reading, name, series, environment in readings
    ]


def _environment(environment: model.Environment, reading: str) -> dict[str, Any]:
    """The environment of a reading."""
    return {"kind": environment.kind, **environment.model_extra, **getattr(environment, reading)}


def _design(written: model.Paper, experiment: model.Experiment, scale: str, where: str) -> Design:
    design = {**written.design.as_written(), **experiment.design.as_written()}
    if scale != "paper":
        design |= getattr(written.scales, scale).as_written() | getattr(experiment.scales, scale).as_written()
    design = model.WholeDesign(**design)
    if design.runs % design.groups:
        raise InputError(
            f"{where}: groups: {design.runs} runs cannot be cut into {design.groups} equal groups; "
            f"write a divisor of {design.runs}"
        )
    return Design(
        horizon=design.horizon,
        runs=design.runs,
        groups=design.groups,
        block=design.block,
        checkpoints=checkpoints(design.horizon, design.checkpoints.model_dump()),
        statistic=design.statistic,
        gmd_scale=design.gmd_scale,
        columns=tuple(design.columns),
        quantity=design.quantity,
    )


def series_of(
    policy: model.Policy, name: str, given: Mapping[str, Any], change: Mapping[str, Any], reading: str, where: str
) -> tuple[Series, ...]:
    """The series of a policy in an experiment: one, or one for each value of its sweep.

    `given` are the experiment's parameters, of which the policy has what it takes; `change` is what only this experiment
    changes.
    """
    for parameter in policy.takes:
        if parameter not in given and parameter not in change:
            raise InputError(f"{where}: it takes '{parameter}'; add it to the experiment's parameters")
    common = {parameter: given[parameter] for parameter in policy.takes if parameter in given}
    common |= {**policy.parameters, **getattr(policy, reading), **change}
    if policy.sweep is None:
        return (Series(name, _label(policy, common, where), policy.algorithm, common, name, 0),)
    ((swept, values),) = policy.sweep.items()
    series = []
    for variant, value in enumerate(values):
        parameters = {**common, swept: value}
        suffix = str(value).lower().replace("_", "-")
        label = _label(policy, parameters, where)
        series.append(Series(f"{name}-{suffix}", label, policy.algorithm, parameters, name, variant))
    return tuple(series)


def _label(policy: model.Policy, parameters: Mapping[str, Any], where: str) -> str:
    """The label with the parameters' values in it."""
    shown = {key: {True: "on", False: "off"}[v] if isinstance(v, bool) else v for key, v in parameters.items()}
    try:
        return policy.label.format(**shown)
    except (KeyError, IndexError, AttributeError) as error:
        raise InputError(
            f"{where}: label: '{policy.label}' names {error}, which is no parameter of the policy"
        ) from None
    except ValueError as error:
        raise InputError(
            f"{where}: label: '{policy.label}' does not fit the values {dict(parameters)}: {error}"
        ) from None


# Figures.


def _figures(written: model.Paper, name: str, experiments: Mapping[str, Experiment], file: str) -> list[Figure]:
    """A figure, once or, where the readings of an experiment in it differ, twice."""
    where = f"{file}: figures.{name}"
    figure = written.figures[name]
    for key, kinds in (("experiment", ("curves",)), ("panels", ("grid", "growth", "bars", "contrasts"))):
        if (getattr(figure, key) is not None) != (figure.kind in kinds):
            raise InputError(f"{where}: a figure of kind {' or '.join(kinds)} has '{key}', and no other kind has")
    panels = [figure] if figure.experiment else [_written_out(panel, written, where) for panel in figure.panels or []]
    for panel in panels:
        if panel.experiment not in written.experiments:
            known = nearest(panel.experiment, written.experiments)
            raise InputError(f"{where}: unknown experiment '{panel.experiment}'; {known}")
    differ = any(f"{panel.experiment}.{CORRECTED}" in experiments for panel in panels)
    figures = []
    for reading in (PUBLISHED, CORRECTED) if differ else ("",):
        suffix = f".{CORRECTED}" if reading == CORRECTED else ""
        drawn = [
            _panel(
                panel,
                experiments.get(panel.experiment + suffix, experiments[panel.experiment]),
                reading or PUBLISHED,
                written,
                where,
            )
            for panel in panels
        ]
        said = getattr(written.reading_names, reading) if reading else ""
        figures.append(
            Figure(
                id=name + suffix,
                kind=figure.kind,
                reading=reading,
                reading_name=said or (f"{reading} reading" if reading else ""),
                title=figure.title,
                caption=figure.caption,
                columns=figure.columns or min(2, max(1, len(drawn))),
                panels=tuple(drawn),
            )
        )
    return figures


def _written_out(
    panel: str | model.Panel | model.Figure, written: model.Paper, where: str
) -> model.Panel | model.Figure:
    """The panel, or the figure of kind curves that is drawn as one."""
    if not isinstance(panel, str):
        return panel
    if panel not in written.figures or written.figures[panel].kind != "curves":
        curves = [name for name, figure in written.figures.items() if figure.kind == "curves"]
        raise InputError(f"{where}: panels: '{panel}' is no figure of kind curves; {nearest(panel, curves)}")
    return written.figures[panel]


def _panel(
    panel: model.Panel | model.Figure, experiment: Experiment, reading: str, written: model.Paper, where: str
) -> Panel:
    series = _drawn_series(panel, experiment, where)
    for name in series if panel.along else ():
        if panel.along not in experiment.series[name].parameters:
            known = nearest(panel.along, experiment.series[name].parameters)
            raise InputError(f"{where}: along: series '{name}' has no parameter '{panel.along}'; {known}")
    if panel.column and not panel.along:
        raise InputError(f"{where}: column: '{panel.column}' is drawn along a parameter; add along: <parameter>")
    if panel.column and panel.column not in experiment.design.columns:
        raise InputError(
            f"{where}: column: {experiment.id} does not ask for '{panel.column}'; "
            f"add design: {{columns: [{panel.column}]}} to it"
        )
    here = {key: getattr(panel, key) for key in ("overlay", "regimes", "colours")} | getattr(
        panel, reading
    ).as_written()
    return Panel(
        title=panel.title,
        experiment=experiment.id,
        series=tuple(series),
        x={**written.axes.x.as_written(), **panel.x.as_written()},
        y={**written.axes.y.as_written(), **panel.y.as_written()},
        along=panel.along,
        overlay=here["overlay"],
        column=panel.column,
        group=getattr(panel, "group", ""),
        baseline=getattr(panel, "baseline", 0.0),
        regimes=here["regimes"],
        colours=here["colours"],
    )


def _drawn_series(panel: model.Panel | model.Figure, experiment: Experiment, where: str) -> list[str]:
    """The ids of the series that a panel draws; the id of a policy stands for all its series."""
    of_policy = {policy.id: [series.id for series in policy.series] for policy in experiment.policies}
    series = [s for name in panel.series or experiment.series for s in of_policy.get(name, [name])]
    for name in series:
        if name not in experiment.series:
            raise InputError(f"{where}: series: unknown series '{name}'; {nearest(name, experiment.series)}")
    return series


# Claims.


def _claim(name: str, claim: model.Claim, written: model.Paper, file: str) -> Claim:
    for experiment in claim.experiments:
        if experiment not in written.experiments:
            known = nearest(experiment, written.experiments)
            raise InputError(f"{file}: claims.{name}.experiments: unknown experiment '{experiment}'; {known}")
    ((predicate, arguments),) = claim.measure.items()
    return Claim(
        id=name,
        says=claim.says,
        source=claim.source,
        experiments=tuple(claim.experiments),
        statistic=claim.statistic,
        predicate=predicate,
        arguments=arguments,
        expect=claim.expect,
        because=claim.because,
        together=claim.together,
    )
