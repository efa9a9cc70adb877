"""Figures and panels: their series and texts, in both readings if these differ."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from dpbandits.errors import InputError, check_known, within
from dpbandits.studies.claim import PRIVACY, kind_of
from dpbandits.studies.experiment import Experiment
from dpbandits.studies.model import Axis, Figure, Panel, Study
from dpbandits.studies.strict_yaml import repeated
from dpbandits.studies.texts import fill
from dpbandits.studies.things import DEFAULTS, Content, entries, keys_of, over, valid
from dpbandits.studies.types import CORRECTED, PUBLISHED, Id

Shown = Sequence[tuple[Experiment, Sequence[str]]]  # experiments with the series that panels show


class Drawn(NamedTuple):
    """A panel of a figure as typed, and the name of the figure that it is by itself, if any."""

    panel: Panel
    alone: str


def with_figures(study: Study) -> Study:
    """The study with its figures: the published reading and, if there are two, both."""
    with within(study.file):
        typed = _typed_figures(study)
    for name, claim in study.claims.items():
        for id, check in claim.checks.items():
            place = f"{study.claims_file}: {name}.checks.{id}.experiments"
            check_known(place, "experiment", check.experiments, [*study.experiments, *typed])
    judged, figures = _judged(study, typed), {}
    for name, (figure, panels) in typed.items():
        experiments = [study.experiments[panel.experiment] for panel, _ in panels]
        differ = any(len(experiment.by_reading) > 1 for experiment in experiments)
        for reading in (PUBLISHED, CORRECTED) if differ else ("",):
            with within(f"{study.file}: figures.{name}"):
                result = _in_reading(study, figure, panels, reading, judged)
            figures[result.id] = result
    check_known(f"{study.file}: preview", "figure", study.preview, figures)
    return replace(study, figures=figures)


def _typed_figures(study: Study) -> dict[str, tuple[Figure, list[Drawn]]]:
    """The figures of the file, each with all its panels."""
    figures, panels, alone = {}, {}, dict[str, Panel]()
    for place, id, entry in entries(None, study.figures, Id, "figures"):
        check_known(place, "key", entry, {*keys_of(Figure), *keys_of(Panel), DEFAULTS})
        own = {key: entry.pop(key) for key in keys_of(Panel).keys() - {"title"} & entry.keys()}
        shared = entry.pop(DEFAULTS, {})
        figures[id] = figure = replace(valid(Figure, entry, place), name=id)
        is_single = not figure.panels and "diagram" not in figure.kind
        if own and not is_single:
            remedy = f"write it in them, or once under '{DEFAULTS}'"
            raise InputError(f"{place}: {min(own)}: it is a key of panels; {remedy}")
        valid(Panel, shared, f"{place}.{DEFAULTS}", part=True)
        title = {"title": figure.title} if figure.title else {}
        typed = [(f"{place}.panels[{n}]", each) for n, each in enumerate(figure.panels)]
        panels[id] = [
            each if isinstance(each, str) else _typed_panel(study, over(shared, each), where)
            for where, each in (
                [(place, {"experiment": id, **title, **own})] if is_single else typed
            )
        ]
        if len(panels[id]) == 1 and isinstance(panels[id][0], Panel):
            alone[id] = panels[id][0]
    return {id: (figure, _drawn(study, id, panels[id], alone)) for id, figure in figures.items()}


def _typed_panel(study: Study, typed: Content, place: str) -> Panel:
    """A panel of the file, with all axes."""
    panel = valid(Panel, over(study.axes, typed), place, needed=("experiment",))
    check_known(f"{place}.y", "key", typed.get("y", ()), {*keys_of(Axis)} - {"least"})
    check_known(place, "experiment", [panel.experiment], study.experiments)
    return panel


def _drawn(
    study: Study, id: str, panels: Sequence[str | Panel], alone: Mapping[str, Panel]
) -> list[Drawn]:
    """The panels of a figure; some are named, as figures that are a single panel."""
    names = [each for each in panels if isinstance(each, str)]
    for name in names:
        if name in study.experiments and name not in alone:
            problem = f"'{name}' is an experiment; write {{experiment: {name}}}"
            raise InputError(f"figures.{id}: panels: {problem}")
    check_known(f"figures.{id}: panels", "figure in a single panel", names, alone)
    own = id if id in alone else ""
    return [Drawn(alone[p], p) if isinstance(p, str) else Drawn(p, own) for p in panels]


def _judged(study: Study, figures: Mapping[str, tuple[Figure, list[Drawn]]]) -> set[str]:
    """The experiments of which a check judges the statistic."""
    claims = [each for name, each in study.claims.items() if kind_of(name) != PRIVACY]
    named = {
        name for claim in claims for check in claim.checks.values() for name in check.experiments
    }
    return named | {
        panel.experiment for name in named & figures.keys() for panel, _ in figures[name][1]
    }


def _in_reading(
    study: Study, figure: Figure, drawn: Sequence[Drawn], reading: str, judged: set[str]
) -> Figure:
    """A figure in one reading."""
    panels, shown = [], []
    for typed, alone in drawn:
        experiment = study.experiments[typed.experiment].in_reading(reading)
        panel = _panel(typed, experiment)
        is_of_paper = not figure.ours and reading != CORRECTED
        is_judged, drawn_as = panel.experiment in judged, alone if is_of_paper else ""
        panels.append(replace(panel, judged=is_judged, drawn_as=drawn_as))
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
