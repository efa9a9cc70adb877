"""Figures and panels: their series and texts, in both readings if these differ."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dpbandits.errors import InputError, check_known, within
from dpbandits.studies.claim import PRIVACY, kind_of
from dpbandits.studies.experiment import Experiment
from dpbandits.studies.model import Axis, Figure, Panel, Paper, VerticalAxis
from dpbandits.studies.strict_yaml import repeated
from dpbandits.studies.texts import fill
from dpbandits.studies.things import (
    CORRECTED,
    PUBLISHED,
    keys_of,
    over,
    whole,
)

OF_PANELS = keys_of(Panel).keys() - {"title"}
Shown = Sequence[tuple[Experiment, Sequence[str]]]  # experiments with the series that panels show


def with_figures(study: Paper) -> Paper:
    """The study with its figures: the published reading and, if there are two, both."""
    with within(study.file):
        study = replace(study, figures=_typed_figures(study))
    judged = set[str]()  # the experiments of which a check judges the statistic
    for name, claim in study.claims.items():
        for id, check in claim.checks.items():
            place = f"{study.claims_file}: {name}.checks.{id}.experiments"
            known = [*study.experiments, *study.figures]
            check_known(place, "experiment", check.experiments, known)
            if kind_of(name) != PRIVACY:
                judged.update(study.experiments_of(check.experiments))
    figures = {}
    for name, figure in study.figures.items():
        panels = [replace(each, judged=each.experiment in judged) for each in figure.panels]
        differ = any(len(study.experiments[id].by_reading) > 1 for id in figure.experiments)
        for reading in (PUBLISHED, CORRECTED) if differ else ("",):
            with within(f"{study.file}: figures.{name}"):
                result = _in_reading(study, replace(figure, panels=panels), reading)
            figures[result.id] = result
    check_known(f"{study.file}: preview", "figure", study.preview, figures)
    return replace(study, figures=figures)


def _typed_figures(study: Paper) -> dict[str, Figure]:
    """The figures of the file, each with all its panels."""
    typed, alone = {}, dict[str, Panel]()
    # First those that are a single panel, as lists of panels may name them.
    for id in sorted(study.figures, key=lambda id: "panels" in study.figures[id]):
        keys, place = study.figures[id], f"figures.{id}"
        own = {key: each for key, each in keys.items() if key in OF_PANELS}
        rest = {key: each for key, each in keys.items() if key not in own}
        figure = replace(whole(Figure, rest, place), name=id)
        given = {f"{place}.panels[{n}]": each for n, each in enumerate(figure.panels)}
        if not given and "diagram" not in figure.kind:
            title = {"title": figure.title} if figure.title else {}
            given = {place: {"experiment": id, **title, **own}}
        elif own:
            problem = f"{min(own)}: it is a key of panels; write it in them"
            raise InputError(f"{place}: {problem}, or once under 'defaults'")
        panels = [
            _named(study, each, alone, f"{place}: panels")
            if isinstance(each, str)
            else _whole(study, over(figure.defaults, each), place_of_panel)
            for place_of_panel, each in given.items()
        ]
        if len(panels) == 1 and not panels[0].drawn_as:
            panels = [replace(panels[0], drawn_as=id)]
            alone[id] = panels[0]
        typed[id] = replace(figure, panels=panels, defaults={})
    return {id: typed[id] for id in study.figures}


def _named(study: Paper, name: str, alone: Mapping[str, Panel], place: str) -> Panel:
    """The panel of a figure that is a single panel."""
    if name in study.experiments and name not in alone:
        raise InputError(f"{place}: '{name}' is an experiment; write {{experiment: {name}}}")
    check_known(place, "figure in a single panel", [name], alone)
    return alone[name]


def _whole(study: Paper, keys: Mapping[str, Any], place: str) -> Panel:
    """A panel of the file, with all axes."""
    keys = over(study.axes, keys)
    axes = {"x": Axis(**keys.pop("x", {})), "y": VerticalAxis(**keys.pop("y", {}))}
    panel = whole(Panel, keys | axes, place)
    check_known(place, "experiment", [panel.experiment], study.experiments)
    return panel


def _in_reading(study: Paper, figure: Figure, reading: str) -> Figure:
    """A figure in one reading."""
    panels, shown = [], []
    for each in figure.panels:
        experiment = study.experiments[each.experiment].in_reading(reading)
        panel = _panel(each, experiment)
        if figure.ours or reading == CORRECTED:
            panel = replace(panel, drawn_as="")
        panels.append(panel)
        shown.append((experiment, panel.series))
    return replace(
        figure,
        reading=reading,
        reading_name=reading and study.reading_names.get(reading, f"{reading} reading"),
        columns=figure.columns or min(2, max(1, len(panels))),
        panels=panels,
        **_filled(figure, ("title", "caption"), shown),
    )


def _panel(panel: Panel, experiment: Experiment) -> Panel:
    """A panel of an experiment in one reading, with series by id and parameters in its texts."""
    known = experiment.by_name
    of_policy = {id: [each.name for each in p.series] for id, p in experiment.policies.items()}
    names = [each for name in panel.series or of_policy for each in of_policy.get(name, [name])]
    check_known("series", "series", names, known)
    check_known("labels", "series of the panel", panel.labels, names)
    for name in names if panel.along else ():
        check_known("along", f"parameter of series {name}", [panel.along], known[name].parameters)
    if panel.column:
        columns = experiment.design.columns
        check_known("column", f"column of {experiment.id}'s design", [panel.column], columns)
    series = [known[name].id for name in names]
    labels = {known[name].id: text for name, text in panel.labels.items()}
    shown = [labels.get(id, experiment.series[id].label) for id in series]
    if not panel.along and (twice := repeated(shown)):
        problem = f"two of {experiment.id} have the label '{twice}'"
        raise InputError(f"series: {problem}; change one, or relabel one here in 'labels'")
    texts = _filled(panel, ("title", "group"), [(experiment, series)])
    return replace(panel, series=series, labels=labels, **texts)


def _filled(thing: Figure | Panel, keys: Iterable[str], shown: Shown) -> dict[str, str]:
    """Texts with the parameters that have one value in all series shown."""
    values: dict[str, set[Any]] = {}
    for experiment, ids in shown:
        for series in (experiment.series[id] for id in ids):
            for name, value in {**series.parameters, **experiment.parameters}.items():
                values.setdefault(name, set()).add(value)
    single = {name: next(iter(result)) for name, result in values.items() if len(result) == 1}
    filled = {}
    for key in keys:
        with within(key):
            filled[key] = fill(getattr(thing, key), single)
    return filled
