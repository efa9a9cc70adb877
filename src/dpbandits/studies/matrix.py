"""Matrices in a study's file, one entry for many experiments, figures or panels, and texts with values in them.

    fig{environment}{epsilon}:
      matrix: {environment: {4: C1, 5: C2}, epsilon: {a: 0.1, b: 0.25}}

is expanded to fig4a, fig4b, fig5a and fig5b. Ids contain the keys, titles and captions the values; in a list, which has
no keys, a value is its own key. Other names in titles and captions are parameters of what is drawn (`panels`).
"""

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from dpbandits.errors import InputError, nearest
from dpbandits.studies import model
from dpbandits.studies.strict_yaml import FIGURE_ID

GAP = re.compile(r"\{([a-z]\w*)(?::([^{}]*))?\}")  # {name} or {name:g} in a text
IDS = ("stream", "experiment", "series")  # keys whose values are ids, or lists of them
TEXTS = ("title", "caption", "group")
Entry = TypeVar("Entry", model.Experiment, model.Figure, model.Panel)


def expanded(entries: Mapping[str, Entry], where: str) -> dict[str, Entry]:
    """The entries by id, in place of those with a matrix one for every combination of its values."""
    found: dict[str, Entry] = {}
    for pattern, entry in entries.items():
        place = f"{where}.{pattern}"
        for keys, each in combinations(entry, place):
            id = fill(pattern, keys, place)
            if not re.match(FIGURE_ID, id):
                raise InputError(f"{place}: '{id}' cannot be used as a name here; it should look like {FIGURE_ID}")
            if id in found:
                remedy = "remove one of the two, or name every value of its matrix in the id"
                raise InputError(f"{place}: duplicate id '{id}'; {remedy}")
            found[id] = each
    return found


def combinations(entry: Entry, where: str) -> Iterator[tuple[dict[str, str], Entry]]:
    """The keys of every combination of an entry's matrix, and the entry with its values; the last variable changes first."""
    rows = []
    for name, values in (entry.matrix or {}).items():
        pairs = values.items() if isinstance(values, dict) else [(str(value), value) for value in values]
        rows.append([(name, key, value) for key, value in pairs])
    for combination in itertools.product(*rows):
        keys = {name: key for name, key, _ in combination}
        yield keys, _with_values(entry, keys, {name: value for name, _, value in combination}, where)


def _with_values(entry: Entry, keys: Mapping[str, str], values: Mapping[str, Any], where: str) -> Entry:
    """The entry with a combination's keys in its ids, the values in its texts, and of an experiment the keys of a Part merged in."""
    changed: dict[str, Any] = {}
    for field in entry.model_fields_set.intersection(IDS):
        found = getattr(entry, field)
        changed[field] = (
            [fill(id, keys, where) for id in found] if isinstance(found, list) else fill(found, keys, where)
        )
    for field in entry.model_fields_set.intersection(TEXTS):
        changed[field] = fill(getattr(entry, field), values, f"{where}: {field}", others_stay=True)
    found = entry.model_copy(update=changed)
    for name, value in values.items() if isinstance(found, model.Experiment) else ():
        if not isinstance(value, model.Part):
            named = {"environment": value} if name == "environment" else {"parameters": {name: value}}
            value = model.Part.model_construct(**named)  # its values are validated
        found = found.with_part(value)
    return found


def fill(text: str, values: Mapping[str, Any], where: str, *, others_stay: bool = False) -> str:
    """A text with these values in place of {name} or {name:g}. InputError for another name, unless `others_stay`."""

    def value(gap: re.Match) -> str:
        if gap[1] not in values:
            if others_stay:
                return gap[0]
            known = nearest(gap[1], values)
            raise InputError(f"{where}: '{text}' names '{gap[1]}', which has no single value here; {known}")
        try:
            return format(values[gap[1]], gap[2] or "")
        except (TypeError, ValueError) as error:
            raise InputError(f"{where}: '{gap[0]}' does not fit the value {values[gap[1]]!r}: {error}") from None

    return GAP.sub(value, text)


def without_parameter(label: str, parameter: str) -> str:
    """The label of all series of a sweep together: without the parameter's value and the words that introduce it."""
    value = rf"\{{{parameter}[^}}]*\}}"
    label = re.sub(rf"([(,])[^(),{{}}]*{value}|\s*{value}", lambda found: "(" if found[1] == "(" else "", label)
    return re.sub(r"\s*\(\s*\)", "", label.replace("(, ", "(")).strip()
