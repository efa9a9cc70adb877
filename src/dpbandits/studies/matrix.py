"""Matrices: an entry of a file that stands for several.

    fig{environment}{epsilon}:
      matrix: {environment: {4: C1, 5: C2}, epsilon: {a: 0.1, b: 0.25}}

is expanded to fig4a, fig4b, fig5a and fig5b. Ids contain the keys, and other strings the values. In
a list, which has no keys, a value is its own key. The string "{name}" becomes the value itself.
Other names in strings stay, since they are parameters of what is drawn (`panels`). A value that is
a mapping is merged into the entry: {environment: two-arms, parameters: {epsilon: 1}}. Any other
value but a list sets the parameter of its name in an experiment or a policy, and `environment` sets
the environment of an experiment.
"""

import itertools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dpbandits.errors import InputError, nearest, number_in_text, within
from dpbandits.parameters import described
from dpbandits.studies.strict_yaml import NAME

GAP = re.compile(r"\{([a-z]\w*)(?::([^{}]*))?\}")  # {name} or {name:g} in a string
IDS = ("stream", "experiment", "series")  # keys whose values are ids, or lists of them
Content = Mapping[str, Any]


def expanded(file: Path, place: str, entries: Content) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The entries at a place, with one for each combination of the values of a matrix.

    Each follows its place, as messages name it, and its id: "figures.fig4{n} (fig4a)", "fig4a".
    """
    ids: list[str] = []
    for pattern, entry in entries.items():
        with within(f"{file}: {place}.{pattern}"):
            for keys, each in combinations(place.rpartition(".")[2], entry):
                id = fill(pattern, keys)
                if id in ids:
                    remedy = "remove one of the two, or name every value of its matrix in the id"
                    raise InputError(f"duplicate id '{id}'; {remedy}")
                ids.append(id)
                yield f"{place}.{pattern} ({id})" if keys else f"{place}.{id}", id, each


def combinations(kind: str, entry: Content) -> Iterator[tuple[dict[str, str], dict[str, Any]]]:
    """The keys of every combination, the last variable changing first, and the entry of each."""
    rows = []
    for name, values in entry.get("matrix", {}).items():
        pairs = values.items() if isinstance(values, dict) else zip(values, values, strict=True)
        rows.append([(name, str(key), value) for key, value in pairs])
    for combination in itertools.product(*rows):
        result = {key: value for key, value in entry.items() if key != "matrix"}
        keys, values = {}, {}
        for name, key, value in combination:
            keys[name], values[name] = key, key if isinstance(value, dict) else value
            result = over(result, _part(kind, name, value), 2)
        if rows:
            result = _filled(result, keys, values)
            result |= {key: fill(result[key], keys) for key in IDS if key in result}
        yield keys, result


def _part(kind: str, name: str, value: Any) -> Content:
    """The part of an entry that a value of its matrix stands for."""
    if isinstance(value, dict):
        return value
    if kind == "experiments" and name == "environment":
        return {name: value}
    sets = kind in ("experiments", "policies") and not isinstance(value, list)
    return {"parameters": {name: value}} if sets else {}


def over(first: Any, second: Any, depth: int = 1) -> Any:
    """The second value in place of the first; of two mappings, to this depth, the keys of both."""
    if not depth or first is None or not (isinstance(first, dict) or isinstance(second, dict)):
        return second
    for each in (first, second):
        if not isinstance(each, dict):
            raise InputError(f"{each!r:.80} should be {described(dict)}")
    result = dict(first)
    for key, value in second.items():
        with within(str(key)):
            result[key] = over(first.get(key), value, depth - 1)
    return result


def _filled(content: Any, keys: Mapping[str, str], values: Content) -> Any:
    """The content with values in its strings, and keys in its ids."""
    if isinstance(content, dict):
        return {
            key: _filled(value, keys, keys if key in IDS else values)
            for key, value in content.items()
        }
    if isinstance(content, list):
        return [_filled(each, keys, values) for each in content]
    if isinstance(content, str) and re.fullmatch(NAME, content) and content[1:-1] in values:
        return values[content[1:-1]]
    return fill(content, values, others_stay=True)


def fill(
    text: Any, values: Content, *, others_stay: bool = False, remedy: str = "there is none"
) -> Any:
    """A string, or those of a list, with these values in place of {name} or {name:g}.

    Raises InputError for another name, unless `others_stay`. Without values it ends with `remedy`.
    """

    def value(gap: re.Match) -> str:
        if gap[1] not in values:
            if others_stay:
                return gap[0]
            known = nearest(gap[1], values) if values else remedy
            raise InputError(f"'{text}' names '{gap[1]}', which has no single value here; {known}")
        try:
            return format(values[gap[1]], gap[2] or "")
        except (TypeError, ValueError) as error:
            reason = number_in_text(values[gap[1]]) or error
            problem = f"{values[gap[1]]!r} does not fit '{gap[0]}' in '{text}': {reason}"
            raise InputError(f"{gap[1]}: {problem}") from None

    if isinstance(text, list):
        return [fill(each, values, others_stay=others_stay) for each in text]
    return GAP.sub(value, text) if isinstance(text, str) else text
