"""Figures and their panels: which series of which experiment, in both readings where these differ, and their texts."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dpbandits.errors import check_known
from dpbandits.studies import model
from dpbandits.studies.matrix import fill
from dpbandits.studies.sentence import PRIVACY, kind_of
from dpbandits.studies.source import Source
from dpbandits.studies.study import CORRECTED, NASH_REGRET, PUBLISHED, Experiment, Figure, Panel

Values = set[tuple[str, Any]]  # parameters with their values in what is drawn


def along(source: Source) -> dict[str, set[str]]:
    """Experiment -> the parameters along which the paper's own figures draw it; "" for rounds."""
    found: dict[str, set[str]] = {}
    for name in filter(model.is_of_the_paper, source.written.figures):
        for _, panel in source.panels[name]:
            found.setdefault(panel.experiment, set()).add(panel.along)
    return found


def figures(source: Source, experiments: Mapping[str, Experiment]) -> dict[str, Figure]:
    """All figures: the published reading and, where one of its experiments has two readings, the corrected one."""
    judged, found = _judged(source), {}
    for name, shown in source.panels.items():
        differ = any(len(experiments[panel.experiment].readings) > 1 for _, panel in shown)
        for reading in (PUBLISHED, CORRECTED) if differ else ("",):
            panels = []
            for alone, panel in shown:
                drawn_as = alone if model.is_of_the_paper(alone) and reading != CORRECTED else ""
                experiment = experiments[panel.experiment].in_reading(reading)
                panels.append(_panel(source, name, panel, experiment, experiment.id in judged, drawn_as))
            figure = _figure(source, name, experiments, reading, panels)
            found[figure.id] = figure
    return found


def _figure(
    source: Source, name: str, experiments: Mapping[str, Experiment], reading: str, panels: list[Panel]
) -> Figure:
    where, written = f"{source.file}: figures.{name}", source.written.figures[name]
    values = [_values_of(source, experiments[panel.experiment], panel.series) for panel in panels]
    computed = {
        "name": name,
        "reading": reading,
        "reading_name": reading and source.written.reading_names.get(reading, f"{reading} reading"),
        **{key: _filled(getattr(written, key), values, f"{where}: {key}") for key in ("title", "caption")},
        "columns": written.columns or min(2, max(1, len(panels))),
        "panels": panels,
    }
    return Figure(**{**written.as_written("matrix", "experiment", "panels"), **computed})


def _judged(source: Source) -> set[str]:
    """The experiments of which a test judges the usual statistic."""
    sentences = [each for name, each in source.written.sentences.items() if kind_of(name) != PRIVACY]
    tests = [test for sentence in sentences for test in sentence.tests.values() if test.statistic is None]
    named = {name for test in tests for name in test.experiments}
    return named | {panel.experiment for name in named for _, panel in source.panels.get(name, ())}


def _panel(
    source: Source, figure: str, panel: model.Panel, experiment: Experiment, judged: bool, drawn_as: str
) -> Panel:
    where, axes = f"{source.file}: figures.{figure}", source.written.axes
    of_policy = {p.id: [series.name for series in p.series] for p in experiment.policies if not p.guest}
    names = [each for name in panel.series or of_policy for each in of_policy.get(name, [name])]
    check_known(f"{where}: series", "series", names, experiment.by_name)
    check_known(f"{where}: labels", "series of the panel", panel.labels, names)
    for name in names if panel.along else ():
        has = experiment.by_name[name].parameters
        check_known(f"{where}: along", f"parameter of series {name}", [panel.along], has)
    columns = experiment.design.columns
    check_known(f"{where}: column", f"column of {experiment.id}'s design", filter(None, [panel.column]), columns)
    series = [experiment.by_name[name].id for name in names]
    guests = _guests(experiment, panel.along, series) if model.is_of_the_paper(figure) else {}
    values = [_values_of(source, experiment, series)]
    computed = {
        **{key: _filled(getattr(panel, key), values, f"{where}: {key}") for key in ("title", "group")},
        "series": [*series, *guests],
        "x": axes.x.changed(panel.x),
        "y": axes.y.changed(panel.y),
        "labels": {experiment.by_name[name].id: label for name, label in panel.labels.items()},
        "line": panel.column or _line(experiment, judged),
        "drawn_as": drawn_as,
    }
    if panel.along:
        computed["labels"] |= guests
    return Panel(**{**panel.as_written("matrix"), **computed})


def _line(experiment: Experiment, judged: bool) -> str:
    """The statistic of a panel's lines: the paper's own where a test judges it in this experiment, the mean where bands are
    its standard errors, and otherwise the median of means."""
    own = experiment.design.judged
    if judged or own == NASH_REGRET:
        return own
    return "mean" if experiment.design.band == "errors" else "median_of_means"


def _guests(experiment: Experiment, along: str, shown: Iterable[str]) -> dict[str, str]:
    """The series of the experiment's guests with their policies' labels: of a sweep, only values of the panel's own series."""
    found = {}
    for policy in (policy for policy in experiment.policies if policy.guest):
        values = {experiment.series[id].parameters.get(policy.swept) for id in shown} - {None}
        for series in policy.series:
            if (not along or along in series.parameters) and (not values or series.parameters[policy.swept] in values):
                found[series.id] = policy.label
    return found


def _values_of(source: Source, experiment: Experiment, series: Iterable[str]) -> Values:
    """Parameter -> its values in these series but guests'; a parameter that the experiment sets has that one."""
    own = source.written.experiments[experiment.id].parameters
    ours = [each for each in map(experiment.series.get, series) if not experiment.policy(each.policy).guest]
    return {*own.items(), *(pair for each in ours for pair in each.parameters.items() if pair[0] not in own)}


def _filled(text: str, panels: Sequence[Values], where: str) -> str:
    """A text with the values of those parameters that have one value in all panels, as in {epsilon:g}."""
    drawn = set().union(*panels)
    several = Counter(parameter for parameter, _ in drawn)
    return fill(text, {parameter: value for parameter, value in drawn if several[parameter] == 1}, where)
