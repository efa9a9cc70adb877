"""Expands matrices in a paper file: one entry for many experiments, figures or panels.

    fig{environment}{epsilon}:
      matrix: {environment: {4: C1, 5: C2}, epsilon: {a: 0.1, b: 0.25}}

is expanded to fig4a, fig4b, fig5a and fig5b. Ids contain the keys, titles and captions the values; in a list, which has
no keys, a value is its own key. Other names in titles and captions are parameters of what is drawn (`expansion`).
"""

import itertools
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from dpbandits.errors import InputError, check_known, nearest
from dpbandits.studies import model

IDS = ("experiment", "series", "panels")  # keys of figures and panels whose values are ids
TEXTS = ("title", "caption", "group")


def combinations(matrix: Mapping[str, Any]) -> Iterator[dict[str, tuple[str, Any]]]:
    """Every combination: variable -> (key, value). The last variable changes first."""
    rows = [
        [(name, pair) for pair in (values.items() if isinstance(values, dict) else [(str(v), v) for v in values])]
        for name, values in matrix.items()
    ]
    return (dict(combination) for combination in itertools.product(*rows))


def experiments(written: model.Paper, file: str) -> tuple[dict[str, model.Experiment], dict[str, str]]:
    """All experiments by id, with matrices expanded, and the aliases given by `same_as`: another id -> the id.

    The `policies` of each are a mapping, however they are written.
    """
    found: dict[str, model.Experiment] = {}
    aliases: dict[str, str] = {}
    for pattern, experiment in written.experiments.items():
        where = f"{file}: experiments.{pattern}"
        experiment = experiment.model_copy(update={"policies": experiment.changes(written.policies)})
        if experiment.matrix is None:
            if experiment.same_as:
                raise InputError(f"{where}: same_as: there is no matrix here; remove it")
            _add(found, pattern, experiment, where)
            continue
        by_id = {_id(pattern, values, where): values for values in combinations(experiment.matrix)}
        if len(by_id) < math.prod(len(values) for values in experiment.matrix.values()):
            raise InputError(f"{where}: two combinations have the same id; name every value of the matrix in the id")
        for id in experiment.same_as:
            if id not in by_id:
                raise InputError(f"{where}: same_as: the matrix has no '{id}'; {nearest(id, by_id)}")
        for id, values in by_id.items():
            if id not in experiment.same_as:
                _add(found, id, _with_values(experiment, values, where), where)
        aliases |= experiment.same_as
    for id, other in aliases.items():
        check_known(f"{file}: experiments: same_as", "experiment", [other], found)
        if id in found:
            raise InputError(f"{file}: experiments: same_as: '{id}' is an experiment of its own")
    return found, aliases


def figures(written: model.Paper, file: str) -> dict[str, model.Figure]:
    """All figures by id, with matrices expanded; each precedes the first figure that has it as a panel."""
    found: dict[str, model.Figure] = {}
    waiting: dict[str, model.Figure] = {}  # from a matrix
    for pattern, figure in written.figures.items():
        where = f"{file}: figures.{pattern}"
        if figure.matrix is not None:
            for values in combinations(figure.matrix):
                _add(waiting, _id(pattern, values, where), _filled_in(figure, values, where), where)
    for id, figure in written.figures.items():
        where = f"{file}: figures.{id}"
        if figure.matrix is None:
            for panel in figure.panels or ():
                if isinstance(panel, str) and panel in waiting:
                    _add(found, panel, waiting.pop(panel), where)
            _add(found, id, figure, where)
    for id, figure in waiting.items():
        _add(found, id, figure, f"{file}: figures.{id}")
    return found


def panels(panel: model.Panel, where: str) -> list[model.Panel]:
    """The panels of an entry, with its matrix expanded."""
    if panel.matrix is None:
        return [panel]
    return [_filled_in(panel, values, f"{where}: panels") for values in combinations(panel.matrix)]


def _add(found: dict[str, Any], id: str, entry: Any, where: str) -> None:
    if not re.match(model.FIGURE_ID, id):
        raise InputError(f"{where}: '{id}' cannot be used as a name here; it should look like {model.FIGURE_ID}")
    if id in found:
        raise InputError(
            f"{where}: duplicate id '{id}'; remove one of the two, or name every value of its matrix in the id"
        )
    found[id] = entry


def _id(pattern: str, values: Mapping[str, tuple[str, Any]], where: str) -> str:
    """An id with the values' keys in place of {name}."""

    def key(match: re.Match) -> str:
        if match[1] not in values:
            raise InputError(f"{where}: '{pattern}' names '{match[1]}'; {nearest(match[1], values)}")
        return values[match[1]][0]

    return re.sub(r"\{(\w+)\}", key, pattern)


def _with_values(experiment: model.Experiment, values: Mapping[str, tuple[str, Any]], where: str) -> model.Experiment:
    """The experiment with the values of one combination."""
    environment, parameters = experiment.environment, dict(experiment.parameters)
    design = experiment.design.as_written()
    scales = {scale: getattr(experiment.scales, scale).as_written() for scale in ("draft", "smoke")}
    for name, (_, value) in values.items():
        if isinstance(value, model.Part):
            environment = value.environment or environment
            parameters |= value.parameters
            design |= value.design.as_written()
            for scale, changed in scales.items():
                changed |= getattr(value.scales, scale).as_written()
        elif name == "environment":
            environment = value
        else:
            parameters[name] = value
    if isinstance(environment, (bool, int, float)):
        raise InputError(f"{where}: matrix.environment: {environment!r} should be the name of an environment")
    return experiment.model_copy(
        update={
            "environment": environment,
            "stream": _id(experiment.stream, values, where),
            "parameters": parameters,
            "design": model.Design(**design),
            "scales": model.Scales(**scales),
        }
    )


class _Known(dict):
    """Values by name; a name without one stays in the text, as it may be a parameter of the experiment."""

    def __missing__(self, name: str) -> Any:
        return _Unknown(name)


class _Unknown(str):
    def __format__(self, spec: str) -> str:
        return "{" + self + (f":{spec}" if spec else "") + "}"


def _filled_in(entry: Any, values: Mapping[str, tuple[str, Any]], where: str) -> Any:
    """A figure or a panel with the values of one combination in its ids and texts."""
    shown = _Known({name: value for name, (_, value) in values.items()})
    changed = {}
    for key in IDS:
        value = getattr(entry, key, None)
        if isinstance(value, str):
            changed[key] = _id(value, values, where)
        elif isinstance(value, list):
            changed[key] = [_id(item, values, where) if isinstance(item, str) else item for item in value]
    for key in TEXTS:
        try:
            changed[key] = getattr(entry, key, "").format_map(shown)
        except (IndexError, AttributeError, ValueError) as error:
            raise InputError(
                f"{where}: {key}: '{getattr(entry, key)}' does not fit the matrix ({', '.join(values)}): {error}"
            ) from None
    return entry.model_copy(update={key: value for key, value in changed.items() if hasattr(entry, key)})
