"""Figures and their panels: which series of which experiment, in both readings where these differ, and their texts."""

from collections.abc import Iterable, Sequence
from typing import Any

from dpbandits.errors import check_known, within
from dpbandits.studies.claim import PRIVACY, kind_of
from dpbandits.studies.experiment import (
    CORRECTED,
    NASH_REGRET,
    PUBLISHED,
    Experiment,
    is_of_the_paper,
)
from dpbandits.studies.matrix import fill
from dpbandits.studies.model import Figure, Panel, Study

Shown = Sequence[tuple[Experiment, list[str]]]  # experiments with the series that panels show


def figures(study: Study) -> dict[str, Figure]:
    """All figures of expanded experiments: the published reading and, where one of these has two readings, the corrected one."""
    judged, found = _judged(study), {}
    for name in study.figures:
        experiments = [study.experiments[panel.experiment] for _, panel in study.panels_of(name)]
        differ = any(len(experiment.by_reading) > 1 for experiment in experiments)
        for reading in (PUBLISHED, CORRECTED) if differ else ("",):
            with within(f"{study.file}: figures.{name}"):
                figure = _figure(study, name, reading, judged)
            found[figure.id] = figure
    return found


def _judged(study: Study) -> set[str]:
    """The experiments of which a check judges the statistic."""
    claims = [each for name, each in study.claims.items() if kind_of(name) != PRIVACY]
    named = {
        name for claim in claims for check in claim.checks.values() for name in check.experiments
    }
    return named | {
        panel.experiment
        for name in named & study.figures.keys()
        for _, panel in study.panels_of(name)
    }


def _figure(study: Study, name: str, reading: str, judged: set[str]) -> Figure:
    """A figure in one reading."""
    written, panels, shown = study.figures[name], [], []
    for alone, panel in study.panels_of(name):
        experiment = study.experiments[panel.experiment].in_reading(reading)
        panels.append(_panel(panel, experiment, with_guests=is_of_the_paper(name)))
        drawn_as = alone if is_of_the_paper(alone) and reading != CORRECTED else ""
        line = panel.column or _line(experiment, panel.experiment in judged)
        panels[-1] = panels[-1].model_copy(update={"line": line, "drawn_as": drawn_as})
        shown.append((experiment, panels[-1].series))
    known = {
        "name": name,
        "reading": reading,
        "reading_name": reading and study.reading_names.get(reading, f"{reading} reading"),
        "columns": written.columns or min(2, max(1, len(panels))),
        "panels": panels,
    }
    return written.model_copy(update=known | _filled(written, ("title", "caption"), shown))


def _line(experiment: Experiment, judged: bool) -> str:
    """The statistic of a panel's lines: the paper's own where a check judges it in this experiment, the mean where bands are
    its standard errors, and otherwise the median of means."""
    own = experiment.design.judged
    if judged or own == NASH_REGRET:
        return own
    return "mean" if experiment.design.band == "errors" else "median_of_means"


def _panel(panel: Panel, experiment: Experiment, with_guests: bool) -> Panel:
    """A panel of an experiment in one reading: the ids of its series, and texts with the values of parameters."""
    known, policies = (
        experiment.by_name,
        [policy for policy in experiment.policies.values() if not policy.guest],
    )
    of_policy = {policy.id: [series.name for series in policy.series] for policy in policies}
    names = [each for name in panel.series or of_policy for each in of_policy.get(name, [name])]
    check_known("series", "series", names, known)
    check_known("labels", "series of the panel", panel.labels, names)
    for name in names if panel.along else ():
        check_known("along", f"parameter of series {name}", [panel.along], known[name].parameters)
    if panel.column:
        check_known(
            "column",
            f"column of {experiment.id}'s design",
            [panel.column],
            experiment.design.columns,
        )
    series, labels = (
        [known[name].id for name in names],
        {known[name].id: text for name, text in panel.labels.items()},
    )
    guests = _guests(experiment, panel.along, series) if with_guests else {}
    changes = {"series": [*series, *guests], "labels": labels | (guests if panel.along else {})}
    return panel.model_copy(
        update=changes | _filled(panel, ("title", "group"), [(experiment, series)])
    )


def _guests(experiment: Experiment, along: str, shown: Iterable[str]) -> dict[str, str]:
    """The series of the experiment's guests with their policies' labels: of a sweep, only values of the panel's own series."""
    found = {}
    for policy in (policy for policy in experiment.policies.values() if policy.guest):
        values = {experiment.series[id].parameters.get(policy.swept) for id in shown} - {None}
        for series in policy.series:
            if (not along or along in series.parameters) and (
                not values or series.parameters[policy.swept] in values
            ):
                found[series.id] = policy.label
    return found


def _filled(written: Figure | Panel, texts: Iterable[str], shown: Shown) -> dict[str, str]:
    """These texts, with the values of those parameters that have one value in all that is shown but guests, as in {epsilon:g}."""
    values: dict[str, set[Any]] = {}
    for experiment, ids in shown:
        for series in (experiment.series[id] for id in ids):
            if not experiment.policies[series.policy].guest:
                for name, value in {**series.parameters, **experiment.parameters}.items():
                    values.setdefault(name, set()).add(value)
    single = {name: next(iter(found)) for name, found in values.items() if len(found) == 1}
    filled = {}
    for key in texts:
        with within(key):
            filled[key] = fill(getattr(written, key), single)
    return filled
