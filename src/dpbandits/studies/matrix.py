"""Expands matrices in a paper file: one entry for many experiments, figures or panels.

    fig{environment}{epsilon}:
      matrix: {environment: {4: C1, 5: C2}, epsilon: {a: 0.1, b: 0.25}}

is expanded to fig4a, fig4b, fig5a and fig5b. Ids contain the keys, titles and captions the values; in a list, which has
no keys, a value is its own key. Other names in titles and captions are parameters of what is drawn (`expansion`).
"""

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from dpbandits.errors import InputError, nearest
from dpbandits.studies import model
from dpbandits.studies.texts import PLACE, fill
from dpbandits.studies.written import FIGURE_ID

IDS = ("experiment", "series", "panels")  # keys of figures and panels whose values are ids
TEXTS = ("title", "caption", "group")
Values = Mapping[str, tuple[str, Any]]  # a combination: variable -> its key and its value


@dataclass(frozen=True)
class Source:
    """A validated file with its matrices expanded, and with guests among its policies."""

    id: str
    file: str
    paper: model.Paper
    experiments: Mapping[str, model.Experiment]
    figures: Mapping[str, model.Figure]
    guests: Mapping[tuple[str, str], model.Policy] = field(default_factory=dict)  # by experiment and guest

    def policy(self, experiment: str, name: str) -> model.Policy:
        """A policy as it plays an experiment."""
        return self.guests.get((experiment, name)) or self.paper.policies[name]

    def place(self, experiment: str, name: str) -> str:
        """The beginning of an error message about a policy in an experiment."""
        if (experiment, name) in self.guests:
            return f"config/config.yaml: guests.{name}: in {self.id} {experiment}"
        return f"{self.file}: experiments.{experiment}.policies.{name}"

    def environment(self, experiment: str) -> model.Environment:
        """The environment of an experiment, looked up if it is given by name."""
        environment = self.experiments[experiment].environment
        return self.paper.environments[environment] if isinstance(environment, str) else environment

    def design(self, experiment: str) -> model.Design:
        """The paper's design with the experiment's changes, at the paper's scale."""
        changed = self.experiments[experiment].design.as_written()
        return model.Design(**{**self.paper.design.as_written(), **changed})


def experiments(written: model.Paper, file: str) -> dict[str, model.Experiment]:
    """All experiments by id, with matrices expanded. The `policies` of each are a mapping, however they are written."""
    found: dict[str, model.Experiment] = {}
    for pattern, experiment in written.experiments.items():
        where, policies = f"{file}: experiments.{pattern}", experiment.policies
        if not isinstance(policies, dict):
            policies = {policy: {} for policy in (written.policies if policies == "all" else policies)}
        experiment = experiment.model_copy(update={"policies": policies})
        for values in _combinations(experiment.matrix):
            _add(found, _id(pattern, values, where), _with_values(experiment, values, where), where)
    return found


def figures(written: model.Paper, file: str) -> dict[str, model.Figure]:
    """All figures by id, with matrices expanded; one that is a panel of a grid precedes the grid."""
    found: dict[str, model.Figure] = {}
    for pattern, figure in written.figures.items():
        where = f"{file}: figures.{pattern}"
        for values in _combinations(figure.matrix):
            _add(found, _id(pattern, values, where), _filled_in(figure, values, where), where)
    in_order: dict[str, None] = {}
    for id, figure in found.items():
        if written.figures.get(id):  # those of a matrix wait for their grid
            in_order |= dict.fromkeys(each for each in figure.panels or () if isinstance(each, str))
            in_order[id] = None
    return {id: found[id] for id in (*in_order, *found) if id in found}


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
    if left := PLACE.search(id):
        raise InputError(f"{where}: '{pattern}' names '{left[1]}'; {nearest(left[1], values)}")
    return id


def _with_values(experiment: model.Experiment, values: Values, where: str) -> model.Experiment:
    """The experiment with the values of one combination."""
    environment, parameters = experiment.environment, dict(experiment.parameters)
    design, smoke = experiment.design.as_written(), experiment.smoke.as_written()
    for name, (_, value) in values.items():
        if isinstance(value, model.Part):
            environment = value.environment or environment
            parameters |= value.parameters
            design |= value.design.as_written()
            smoke |= value.smoke.as_written()
        elif name == "environment":
            environment = value
        else:
            parameters[name] = value
    changed = {
        "environment": environment,
        "stream": _id(experiment.stream, values, where),
        "parameters": parameters,
        "design": model.Design(**design),
        "smoke": model.Design(**smoke),
    }
    return experiment.model_copy(update=changed)


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
