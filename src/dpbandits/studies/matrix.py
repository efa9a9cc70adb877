"""Expands matrices in a paper file: one entry for many experiments, figures or panels.

    fig{environment}{epsilon}:
      matrix: {environment: {4: C1, 5: C2}, epsilon: {a: 0.1, b: 0.25}}

is expanded to fig4a, fig4b, fig5a and fig5b. Ids contain the keys, titles and captions the values; in a list, which has
no keys, a value is its own key. Other names in titles and captions are parameters of what is drawn (`panels`).
"""

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any

from dpbandits.errors import InputError, nearest
from dpbandits.studies import model
from dpbandits.studies.strict_yaml import FIGURE_ID
from dpbandits.studies.texts import GAP, fill

IDS = ("experiment", "series", "panels")  # keys of figures and panels whose values are ids
TEXTS = ("title", "caption", "group")
Values = Mapping[str, tuple[str, Any]]  # a combination: variable -> its key and its value


def expanded(written: model.Study, file: str) -> model.Study:
    """The study with its matrices expanded."""
    experiments: dict[str, model.Experiment] = {}
    for pattern, experiment in written.experiments.items():
        where = f"{file}: experiments.{pattern}"
        for values in _combinations(experiment.matrix):
            _add(experiments, _id(pattern, values, where), _with_values(experiment, values, where), where)
    figures: dict[str, model.Figure] = {}
    for pattern, figure in written.figures.items():
        where = f"{file}: figures.{pattern}"
        for values in _combinations(figure.matrix):
            _add(figures, _id(pattern, values, where), _filled_in(figure, values, where), where)
    in_order: dict[str, None] = {}
    for id in filter(figures.get, written.figures):  # panels come before their grid, also those of a later matrix
        in_order |= dict.fromkeys(each for each in figures[id].panels or () if isinstance(each, str))
        in_order[id] = None
    figures = {id: figures[id] for id in (*in_order, *figures) if id in figures}
    return written.model_copy(update={"experiments": experiments, "figures": figures})


def panels(panel: model.Panel, where: str) -> list[model.Panel]:
    """The panels of an entry, with its matrix expanded."""
    return [_filled_in(panel, values, f"{where}: panels") for values in _combinations(panel.matrix)]


def _combinations(matrix: Mapping[str, Any] | None) -> Iterator[Values]:
    """Every combination of values; the last variable changes first. A single one without values where there is no matrix."""
    rows = [
        [(name, pair) for pair in (values.items() if isinstance(values, dict) else [(str(v), v) for v in values])]
        for name, values in (matrix or {}).items()
    ]
    return (dict(combination) for combination in itertools.product(*rows))


def _add(found: dict[str, Any], id: str, entry: Any, where: str) -> None:
    if not re.match(FIGURE_ID, id):
        raise InputError(f"{where}: '{id}' cannot be used as a name here; it should look like {FIGURE_ID}")
    if id in found:
        raise InputError(
            f"{where}: duplicate id '{id}'; remove one of the two, or name every value of its matrix in the id"
        )
    found[id] = entry


def _id(pattern: str, values: Values, where: str) -> str:
    """An id with the values' keys in place of {name}."""
    id = fill(pattern, {name: key for name, (key, _) in values.items()}, where)
    if left := GAP.search(id):
        raise InputError(f"{where}: '{pattern}' names '{left[1]}'; {nearest(left[1], values)}")
    return id


def _with_values(experiment: model.Experiment, values: Values, where: str) -> model.Experiment:
    """The experiment with the values of one combination."""
    found = experiment.model_copy(update={"stream": _id(experiment.stream, values, where)})
    for name, (_, value) in values.items():
        part = value
        if not isinstance(value, model.Part):
            key = {"environment": value} if name == "environment" else {"parameters": {name: value}}
            part = model.Part.model_construct(**key)
        changed = {
            "environment": part.environment or found.environment,
            "parameters": {**found.parameters, **part.parameters},
            "design": found.design.changed(part.design),
            "smoke": found.smoke.changed(part.smoke),
        }
        found = found.model_copy(update=changed)
    return found


def _filled_in(entry: Any, values: Values, where: str) -> Any:
    """A figure or a panel with the values of one combination in its ids and texts."""
    changed: dict[str, Any] = {}
    for key in IDS:
        value = getattr(entry, key, None)
        if isinstance(value, str):
            changed[key] = _id(value, values, where)
        elif isinstance(value, list):
            changed[key] = [_id(item, values, where) if isinstance(item, str) else item for item in value]
    for key in TEXTS:
        if text := getattr(entry, key, ""):
            changed[key] = fill(text, {name: value for name, (_, value) in values.items()}, f"{where}: {key}")
    return entry.model_copy(update=changed)
