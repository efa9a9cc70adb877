"""Figures and their panels: which series of which experiment, in both readings where these differ, and their texts."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from dpbandits.errors import InputError, check_known, nearest
from dpbandits.studies import model
from dpbandits.studies.sentence import PRIVACY, kind_of
from dpbandits.studies.source import Source
from dpbandits.studies.study import CORRECTED, NASH_REGRET, PUBLISHED, Experiment, Figure, Panel
from dpbandits.studies.texts import GAP, fill, label_of, without_parameter

OF_FIGURES = ("kind", "caption", "columns", "panels")  # what a panel that is a figure by itself has besides
Judged = Collection[tuple[str, str]]  # experiments with the statistics that tests judge in them


def figures(source: Source, experiments: Mapping[str, Experiment]) -> dict[str, Figure]:
    """All figures: the published reading and, where one of its experiments has two readings, the corrected one."""
    panels_of = {name: list(source.panels(name)) for name in source.written.figures}
    judged, found = set(_judged(source, experiments, panels_of)), {}
    for name, shown in panels_of.items():
        differ = any(len(experiments[experiment].readings) > 1 for experiment, _, _ in shown)
        for reading in (PUBLISHED, CORRECTED) if differ else ("",):
            panels = []
            for id, own, panel in shown:
                experiment = experiments[id].in_reading(reading)
                drawn_as = own if model.is_of_the_paper(own) and reading != CORRECTED else ""
                panels.append(_panel(source, name, panel, experiment, judged, drawn_as))
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


def _judged(
    source: Source, experiments: Mapping[str, Experiment], panels_of: Mapping[str, list]
) -> Iterable[tuple[str, str]]:
    """The experiments that tests are about, with the statistics that they judge."""
    for name, sentence in source.written.sentences.items():
        for test in sentence.tests.values() if kind_of(name) != PRIVACY else ():
            for about in test.experiments:
                for id in [about] if about in experiments else [id for id, _, _ in panels_of.get(about, ())]:
                    yield id, test.statistic or experiments[id].design.judged


def _panel(
    source: Source,
    figure: str,
    panel: model.Panel | model.Figure,
    experiment: Experiment,
    judged: Judged,
    drawn_as: str,
) -> Panel:
    where, axes = f"{source.file}: figures.{figure}", source.written.axes
    ours = [policy for policy in experiment.policies if not source.is_guest(experiment.id, policy.id)]
    of_policy = {policy.id: [series.name for series in policy.series] for policy in ours}
    names = [each for name in panel.series or of_policy for each in of_policy.get(name, [name])]
    _check(panel, experiment, names, where)
    series = [experiment.by_name[name].id for name in names]
    labels = {experiment.by_name[name].id: label for name, label in panel.labels.items()}
    is_open = model.is_of_the_paper(figure) or source.written.experiments[experiment.id].guests
    guests = _guests(source, experiment, panel.along, series) if is_open else {}
    values = [_values_of(source, experiment, series)]
    computed = {
        "title": _with_values(panel.title, values, f"{where}: title"),
        "experiment": experiment.id,
        "series": [*series, *guests],
        "x": axes.x.changed(panel.x),
        "y": axes.y.changed(panel.y),
        "labels": {**labels, **(guests if panel.along else {})},
        "line": panel.column or _line(experiment, judged),
        "drawn_as": drawn_as,
    }
    if group := getattr(panel, "group", ""):
        computed["group"] = _with_values(group, values, f"{where}: group")
    return Panel(**{**panel.as_written("matrix", *OF_FIGURES), **computed})


def _check(panel: model.Panel | model.Figure, experiment: Experiment, names: list[str], where: str) -> None:
    """Raise InputError if a panel draws series, parameters or columns that its experiment does not have."""
    check_known(f"{where}: series", "series", names, experiment.by_name)
    check_known(f"{where}: labels", "series of the panel", panel.labels, names)
    for name in names if panel.along else ():
        if panel.along not in (given := experiment.by_name[name].parameters):
            known = nearest(panel.along, given)
            raise InputError(f"{where}: along: series '{name}' has no parameter '{panel.along}'; {known}")
    if panel.column and panel.column not in experiment.design.columns:
        raise InputError(
            f"{where}: column: {experiment.id} does not ask for '{panel.column}'; "
            f"add design: {{columns: [{panel.column}]}} to it"
        )


def _line(experiment: Experiment, judged: Judged) -> str:
    """The statistic of a panel's lines: the paper's own where a test judges it in this experiment, the mean where bands are
    its standard errors, and otherwise the median of means."""
    own = experiment.design.judged
    if own == NASH_REGRET or (experiment.id, own) in judged:
        return own
    return "mean" if experiment.design.band == "errors" else "median_of_means"


def _guests(source: Source, experiment: Experiment, along: str, shown: Iterable[str]) -> dict[str, str]:
    """The series of the experiment's guests with their labels: of a sweep, those values that the panel has of ours."""
    found = {}
    for policy in experiment.policies:
        if not source.is_guest(experiment.id, policy.id):
            continue
        guest = source.policy(experiment.id, policy.id)
        swept = next(iter(guest.sweep or {}), "")
        values = [experiment.series[id].parameters.get(swept) for id in shown]
        values = [value for value in values if value is not None]
        for series in policy.series:
            if (along and along not in series.parameters) or (values and series.parameters[swept] not in values):
                continue
            label = without_parameter(guest.label, along) if along else guest.label
            found[series.id] = label_of(label, series.parameters, source.where(experiment.id, policy.id))
    return found


def _values_of(source: Source, experiment: Experiment, series: Iterable[str]) -> dict[str, Any]:
    """The parameters of an experiment, and those of its drawn series that have one value only."""
    found: dict[str, list] = {}
    for id in series:
        if not source.is_guest(experiment.id, experiment.series[id].policy):
            for parameter, value in experiment.series[id].parameters.items():
                found.setdefault(parameter, []).append(value)
    single = {parameter: values[0] for parameter, values in found.items() if all(v == values[0] for v in values)}
    return single | source.written.experiments[experiment.id].parameters


def _with_values(text: str, panels: Sequence[Mapping[str, Any]], where: str) -> str:
    """A text of a figure with the values of parameters, as in {epsilon:g}, which all of its panels have in common."""
    common = {
        name: value
        for name, value in (panels[0] if panels else {}).items()
        if all(repr(panel.get(name)) == repr(value) for panel in panels)
    }
    text = fill(text, common, where)
    if left := GAP.search(text):
        known = nearest(left[1], {name for panel in panels for name in panel})
        raise InputError(f"{where}: '{left[0]}' names no parameter with one value for all that is drawn; {known}")
    return text
