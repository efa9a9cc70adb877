"""Figures and panels: their series and texts, in both readings where these differ."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from dpbandits.errors import InputError, check_known, within
from dpbandits.studies.claim import PRIVACY, kind_of
from dpbandits.studies.experiment import (
    CORRECTED,
    NASH_REGRET,
    PUBLISHED,
    Experiment,
    is_of_the_paper,
    of_entry,
)
from dpbandits.studies.matrix import fill
from dpbandits.studies.model import Axis, Figure, Panel, Study
from dpbandits.studies.strict_yaml import repeated
from dpbandits.studies.study_files import FigureEntry, PanelEntry, PaperFile

Shown = Sequence[tuple[Experiment, list[str]]]  # experiments with the series that panels show


def figures(study: Study, file: PaperFile) -> dict[str, Figure]:
    """All figures of expanded experiments: the published reading and, where there are two, both."""
    judged, result = _judged(study, file), {}
    for name in file.figures:
        experiments = [study.experiments[panel.experiment] for _, panel in file.panels_of(name)]
        differ = any(len(experiment.by_reading) > 1 for experiment in experiments)
        for reading in (PUBLISHED, CORRECTED) if differ else ("",):
            with within(f"{study.file}: figures.{name}"):
                figure = _figure(study, file, name, reading, judged)
            result[figure.id] = figure
    return result


def _judged(study: Study, file: PaperFile) -> set[str]:
    """The experiments of which a check judges the statistic."""
    claims = [each for name, each in study.claims.items() if kind_of(name) != PRIVACY]
    named = {
        name for claim in claims for check in claim.checks.values() for name in check.experiments
    }
    return named | {
        panel.experiment
        for name in named & file.figures.keys()
        for _, panel in file.panels_of(name)
    }


def _figure(study: Study, file: PaperFile, name: str, reading: str, judged: set[str]) -> Figure:
    """A figure in one reading."""
    entry, panels, shown = file.figures[name], [], []
    for alone, panel in file.panels_of(name):
        experiment = study.experiments[panel.experiment].in_reading(reading)
        result = _panel(panel, experiment, with_guests=is_of_the_paper(name))
        drawn_as = alone if is_of_the_paper(alone) and reading != CORRECTED else ""
        line = panel.column or _line(experiment, panel.experiment in judged)
        panels.append(replace(result, line=line, drawn_as=drawn_as))
        shown.append((experiment, panels[-1].series))
    names = {
        "name": name,
        "reading": reading,
        "reading_name": reading and file.reading_names.get(reading, f"{reading} reading"),
    }
    texts = _filled(entry, ("title", "caption"), shown)
    columns = entry.columns or min(2, max(1, len(panels)))
    return of_entry(Figure, entry, columns=columns, panels=panels, **names, **texts)


def _line(experiment: Experiment, judged: bool) -> str:
    """The statistic of a panel's lines.

    It is the paper's own where a check judges it in this experiment, the mean where bands are its
    standard errors, and otherwise the median of means.
    """
    own = experiment.design.judged
    if judged or own == NASH_REGRET:
        return own
    return "mean" if experiment.design.band == "errors" else "median_of_means"


def _panel(panel: PanelEntry, experiment: Experiment, with_guests: bool) -> Panel:
    """A panel of an experiment in one reading, with series by id and parameters in its texts."""
    known = experiment.by_name
    policies = [policy for policy in experiment.policies.values() if not policy.guest]
    of_policy = {policy.id: [series.name for series in policy.series] for policy in policies}
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
    guests = _guests(experiment, panel.along, series) if with_guests else {}
    result = {"series": [*series, *guests], "labels": labels | (guests if panel.along else {})}
    axes = {"x": of_entry(Axis, panel.x), "y": of_entry(Axis, panel.y)}
    texts = _filled(panel, ("title", "group"), [(experiment, series)])
    return of_entry(Panel, panel, **result, **axes, **texts)


def _guests(experiment: Experiment, along: str, shown: Iterable[str]) -> dict[str, str]:
    """The series of the experiment's guests with their policies' labels.

    Of a sweep they have only the values of the panel's own series.
    """
    result = {}
    for policy in (policy for policy in experiment.policies.values() if policy.guest):
        values = {experiment.series[id].parameters.get(policy.swept) for id in shown} - {None}
        for series in policy.series:
            if (not along or along in series.parameters) and (
                not values or series.parameters[policy.swept] in values
            ):
                result[series.id] = policy.label
    return result


def _filled(entry: FigureEntry | PanelEntry, keys: Iterable[str], shown: Shown) -> dict[str, str]:
    """Texts with the parameters that have one value in all series shown, guests apart."""
    values: dict[str, set[Any]] = {}
    for experiment, ids in shown:
        for series in (experiment.series[id] for id in ids):
            if not experiment.policies[series.policy].guest:
                for name, value in {**series.parameters, **experiment.parameters}.items():
                    values.setdefault(name, set()).add(value)
    single = {name: next(iter(result)) for name, result in values.items() if len(result) == 1}
    filled = {}
    for key in keys:
        with within(key):
            filled[key] = fill(getattr(entry, key) or "", single)
    return filled
