"""Figures and their panels: which series of which experiment, in both readings where these differ, and their texts."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from dpbandits.errors import InputError, check_known, nearest
from dpbandits.studies import model
from dpbandits.studies.sentence import PRIVACY, kind_of
from dpbandits.studies.source import Source
from dpbandits.studies.study import CORRECTED, NASH_REGRET, PUBLISHED, Experiment, Figure, Panel
from dpbandits.studies.texts import GAP, fill, label_of, without_parameter

OF_FIGURES = ("kind", "caption", "columns", "panels")  # keys of a figure that are none of its panel's


def figures(source: Source, experiments: Mapping[str, Experiment]) -> dict[str, Figure]:
    """All figures: the published reading and, where one of its experiments has two readings, the corrected one."""
    panels_of = {name: list(source.panels(name)) for name in source.written.figures}
    judged, found = _judged(source, panels_of), {}
    for name, shown in panels_of.items():
        differ = any(len(experiments[experiment].readings) > 1 for experiment, _, _ in shown)
        for reading in (PUBLISHED, CORRECTED) if differ else ("",):
            panels = []
            for id, own_id, panel in shown:
                drawn_as = own_id if model.is_of_the_paper(own_id) and reading != CORRECTED else ""
                panels.append(_panel(source, name, panel, experiments[id].in_reading(reading), id in judged, drawn_as))
            figure = _figure(source, name, experiments, reading, panels)
            found[figure.id] = figure
    return found


def _figure(
    source: Source, name: str, experiments: Mapping[str, Experiment], reading: str, panels: list[Panel]
) -> Figure:
    where, written = f"{source.file}: figures.{name}", source.written.figures[name]
    values = [_values_of(source, experiments[panel.experiment], panel.series) for panel in panels]
    named = getattr(source.written.reading_names, reading) if reading else ""
    computed = {
        "name": name,
        "reading": reading,
        "reading_name": named or (f"{reading} reading" if reading else ""),
        "title": _with_values(written.title, values, f"{where}: title"),
        "caption": _with_values(written.caption, values, f"{where}: caption"),
        "columns": written.columns or min(2, max(1, len(panels))),
        "panels": panels,
    }
    return Figure(**{**written.as_written("matrix", "experiment", "panels"), **computed})


def _judged(source: Source, panels_of: Mapping[str, list]) -> set[str]:
    """The experiments of which a test judges the usual statistic."""
    sentences = [each for name, each in source.written.sentences.items() if kind_of(name) != PRIVACY]
    tests = [test for sentence in sentences for test in sentence.tests.values() if test.statistic is None]
    named = {name for test in tests for name in test.experiments}
    return named | {id for name in named for id, _, _ in panels_of.get(name, ())}


def _panel(
    source: Source, figure: str, panel: model.Panel | model.Figure, experiment: Experiment, judged: bool, drawn_as: str
) -> Panel:
    where, axes = f"{source.file}: figures.{figure}", source.written.axes
    of_policy = {p.id: [series.name for series in p.series] for p in experiment.policies if not p.guest}
    names = [each for name in panel.series or of_policy for each in of_policy.get(name, [name])]
    _check(panel, experiment, names, where)
    series = [experiment.by_name[name].id for name in names]
    shows_guests = model.is_of_the_paper(figure) or source.written.experiments[experiment.id].guests
    guests = _guests(source, experiment, panel.along, series) if shows_guests else {}
    values = [_values_of(source, experiment, series)]
    computed = {
        "title": _with_values(panel.title, values, f"{where}: title"),
        "experiment": experiment.id,
        "series": [*series, *guests],
        "x": axes.x.changed(panel.x),
        "y": axes.y.changed(panel.y),
        "labels": {experiment.by_name[name].id: label for name, label in panel.labels.items()},
        "line": panel.column or _line(experiment, judged),
        "drawn_as": drawn_as,
    }
    if panel.along:
        computed["labels"] |= guests
    if group := getattr(panel, "group", ""):
        computed["group"] = _with_values(group, values, f"{where}: group")
    return Panel(**{**panel.as_written("matrix", *OF_FIGURES), **computed})


def _check(panel: model.Panel | model.Figure, experiment: Experiment, names: Collection[str], where: str) -> None:
    """Raise InputError if a panel draws series, parameters or columns that its experiment does not have."""
    check_known(f"{where}: series", "series", names, experiment.by_name)
    check_known(f"{where}: labels", "series of the panel", panel.labels, names)
    for name in names if panel.along else ():
        what = f"parameter of series {name}"
        check_known(f"{where}: along", what, [panel.along], experiment.by_name[name].parameters)
    check_known(
        f"{where}: column",
        f"column of {experiment.id}'s design",
        filter(None, [panel.column]),
        experiment.design.columns,
    )


def _line(experiment: Experiment, judged: bool) -> str:
    """The statistic of a panel's lines: the paper's own where a test judges it in this experiment, the mean where bands are
    its standard errors, and otherwise the median of means."""
    own = experiment.design.judged
    if judged or own == NASH_REGRET:
        return own
    return "mean" if experiment.design.band == "errors" else "median_of_means"


def _guests(source: Source, experiment: Experiment, along: str, shown: Iterable[str]) -> dict[str, str]:
    """The series of the experiment's guests with their labels: of a sweep, those values that the panel has of ours."""
    found = {}
    for policy in (policy for policy in experiment.policies if policy.guest):
        guest = source.written.experiments[experiment.id].policies[policy.id]
        swept = next(iter(guest.sweep or {}), "")
        values = {experiment.series[id].parameters.get(swept) for id in shown} - {None}
        for series in policy.series:
            if (along and along not in series.parameters) or (values and series.parameters[swept] not in values):
                continue
            label = without_parameter(guest.label, along) if along else guest.label
            found[series.id] = label_of(label, series.parameters, source.where(experiment.id, policy.id))
    return found


def _values_of(source: Source, experiment: Experiment, series: Iterable[str]) -> dict[str, Any]:
    """The parameters of an experiment, and those of its drawn series that have one value only."""
    found: dict[str, list] = {}
    for drawn in (experiment.series[id] for id in series):
        if not experiment.policy(drawn.policy).guest:
            for parameter, value in drawn.parameters.items():
                found.setdefault(parameter, []).append(value)
    single = {parameter: values[0] for parameter, values in found.items() if all(v == values[0] for v in values)}
    return single | source.written.experiments[experiment.id].parameters


def _with_values(text: str, panels: Sequence[Mapping[str, Any]], where: str) -> str:
    """A text of a figure with the values of parameters, as in {epsilon:g}, which all of its panels have in common."""
    first, *others = panels or [{}]
    common = {
        name: value for name, value in first.items() if all(repr(each.get(name)) == repr(value) for each in others)
    }
    text = fill(text, common, where)
    if left := GAP.search(text):
        known = nearest(left[1], {name for panel in panels for name in panel})
        raise InputError(f"{where}: '{left[0]}' names no parameter with one value for all that is drawn; {known}")
    return text
