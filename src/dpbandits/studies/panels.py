"""Figures and their panels: which series of which experiment, in both readings where these differ, and their texts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dpbandits.errors import InputError, check_known, nearest
from dpbandits.studies import matrix, model, references
from dpbandits.studies.matrix import Source
from dpbandits.studies.sentence import PRIVACY, kind_of
from dpbandits.studies.study import CORRECTED, NASH_REGRET, PUBLISHED, Experiment, Figure, Panel, Paper
from dpbandits.studies.texts import PLACE, fill, label_of, without_parameter


def figures(source: Source, name: str, experiments: Mapping[str, Experiment]) -> list[Figure]:
    """A figure in its published reading and, where one of its experiments has two readings, in the corrected one."""
    where = f"{source.file}: figures.{name}"
    figure = source.figures[name]
    panels = list(panels_of(source, name, where))
    differ = any(len(experiments[experiment].readings) > 1 for experiment, _, _ in panels)
    found = []
    for reading in (PUBLISHED, CORRECTED) if differ else ("",):
        drawn = []
        for id, own, panel in panels:
            experiment = experiments[id].in_reading(reading)
            ours = _panel(source, panel, experiment, "" if reading == CORRECTED else own, where)
            drawn.append(_with_guests(source, name, experiment, ours))
        values = [_values_of(source, experiments[panel.experiment], panel.series) for panel in drawn]
        reading_name = getattr(source.paper.reading_names, reading) if reading else ""
        found.append(
            Figure(
                name=name,
                kind=figure.kind,
                reading=reading,
                reading_name=reading_name or (f"{reading} reading" if reading else ""),
                title=_with_values(figure.title, values, f"{where}: title"),
                caption=_with_values(figure.caption, values, f"{where}: caption"),
                columns=figure.columns or min(2, max(1, len(drawn))),
                panels=tuple(drawn),
            )
        )
    return found


def panels_of(source: Source, name: str, where: str) -> Iterable[tuple[str, str, model.Panel | model.Figure]]:
    """A figure's panels, each with its experiment and the id of the figure that it is by itself, or "".

    Curves without `panels` are a single panel.
    """
    figure, panels = source.figures[name], source.figures[name].panels or ()
    if figure.is_a_panel:
        check_known(where, "experiment", [figure.experiment or name], source.experiments)
        yield figure.experiment or name, name, figure
    for panel in panels:
        if isinstance(panel, str):
            yield from panels_of(source, panel, where)
            continue
        for each in matrix.panels(panel, where):
            check_known(where, "experiment", [each.experiment], source.experiments)
            yield each.experiment, "", each


def _panel(source: Source, panel: model.Panel | model.Figure, experiment: Experiment, id: str, where: str) -> Panel:
    ours = [policy for policy in experiment.policies if (experiment.id, policy.id) not in source.guests]
    of_policy = {policy.id: [series.name for series in policy.series] for policy in ours}
    names = [each for name in panel.series or of_policy for each in of_policy.get(name, [name])]
    references.check_panel(panel, experiment, names, where)
    series = [experiment.by_name[name].id for name in names]
    nash = source.design(experiment.id).quantity == NASH_REGRET
    values = [_values_of(source, experiment, series)]
    return Panel(
        title=_with_values(panel.title, values, f"{where}: title"),
        experiment=experiment.id,
        series=tuple(series),
        x={**source.paper.axes.x.as_written(), **panel.x.as_written()},
        y={**source.paper.axes.y.as_written(), **panel.y.as_written()},
        along=panel.along,
        overlay=panel.overlay,
        column=panel.column,
        line=panel.column or (NASH_REGRET if nash else "median_of_means"),
        drawn_as=id if model.is_of_the_paper(id) else "",
        group=_with_values(getattr(panel, "group", ""), values, f"{where}: group"),
        baseline=getattr(panel, "baseline", 0.0),
        regimes=panel.regimes,
        legend=panel.legend,
        labels={experiment.by_name[name].id: label for name, label in panel.labels.items()},
    )


def _with_guests(source: Source, figure: str, experiment: Experiment, panel: Panel) -> Panel:
    """The panel with the guests of its experiment: of a sweep, those values that the panel has of ours. A supplementary figure
    draws guests only where the paper file opens the experiment to them."""
    if not (model.is_of_the_paper(figure) or source.experiments[experiment.id].guests):
        return panel
    shown, labels = [experiment.series[id].parameters for id in panel.series], dict(panel.labels)
    drawn: list[str] = []
    for policy in experiment.policies:
        guest = source.guests.get((experiment.id, policy.id))
        if guest is None:
            continue
        swept = next(iter(guest.sweep or {}), "")
        values = [parameters[swept] for parameters in shown if swept in parameters]
        for series in policy.series:
            if (not panel.along or panel.along in series.parameters) and (
                not values or series.parameters[swept] in values
            ):
                drawn.append(series.id)
                if panel.along:
                    label = without_parameter(guest.label, panel.along)
                    labels[series.id] = label_of(label, series.parameters, source.place(experiment.id, policy.id))
    return replace(panel, series=(*panel.series, *drawn), labels=labels)


def _values_of(source: Source, experiment: Experiment, series: Iterable[str]) -> dict[str, Any]:
    """The parameters of an experiment, and those of its drawn series that have one value only."""
    found: dict[str, list] = {}
    for id in series:
        if (experiment.id, experiment.series[id].policy) in source.guests:
            continue
        for parameter, value in experiment.series[id].parameters.items():
            found.setdefault(parameter, []).append(value)
    single = {parameter: values[0] for parameter, values in found.items() if all(v == values[0] for v in values)}
    return single | source.experiments[experiment.id].parameters


def _with_values(text: str, panels: Sequence[Mapping[str, Any]], where: str) -> str:
    """A text of a figure with the values of parameters, as in {epsilon:g}, which all of its panels have in common."""
    common = {
        name: value
        for name, value in (panels[0] if panels else {}).items()
        if all(repr(panel.get(name)) == repr(value) for panel in panels)
    }
    text = fill(text, common, where)
    if left := PLACE.search(text):
        known = nearest(left[1], {name for panel in panels for name in panel})
        raise InputError(f"{where}: '{left[0]}' names no parameter with one value for all that is drawn; {known}")
    return text


def with_lines(figure: Figure, study: Paper) -> Figure:
    """The figure with the statistic of every panel's lines: the paper's own where a test judges that one on the panel, and the
    mean where bands are its standard errors."""
    judged = {
        (id, test.statistic or study.experiments[id].design.judged)
        for name, sentence in study.sentences.items()
        if kind_of(name) != PRIVACY
        for test in sentence.tests.values()
        for id in study.experiments_of(test.experiments)
    }
    panels = []
    for panel in figure.panels:
        experiment = study.experiments[panel.experiment]
        own = experiment.design.judged
        line = own if (experiment.id, own) in judged else "mean" if experiment.design.band == "errors" else panel.line
        panels.append(replace(panel, line=line) if panel.line == "median_of_means" else panel)
    return replace(figure, panels=tuple(panels))
