"""A study's file as it is written, made whole before it is validated: matrices are expanded, and defaults filled in.

    fig{environment}{epsilon}:
      matrix: {environment: {4: C1, 5: C2}, epsilon: {a: 0.1, b: 0.25}}

is expanded to fig4a, fig4b, fig5a and fig5b. Ids contain the keys, titles and captions the values; in a list, which has
no keys, a value is its own key. Other names in titles and captions are parameters of what is drawn (`panels`). In an experiment
a value of `environment` is an environment's name; of anything else, the parameter of that name, or several keys of the
experiment at once: {environment: two-arms, parameters: {epsilon: 1}}.
"""

import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any

from annotated_types import MinLen

from dpbandits.errors import InputError, check_known, nearest, number_in_text, within
from dpbandits.studies.strict_yaml import Scalar, validated

GAP = re.compile(r"\{([a-z]\w*)(?::([^{}]*))?\}")  # {name} or {name:g} in a text
IDS = ("stream", "experiment", "series")  # keys whose values are ids, or lists of them
OF_A_FIGURE = (
    "kind",
    "caption",
    "columns",
)  # other keys of a figure without panels are those of its only one
# A key written as 4 is a number in YAML.
Values = Annotated[list[Scalar], MinLen(1)] | Annotated[dict[str | int, Any], MinLen(1)]
Matrix = Annotated[dict[str, Values], MinLen(1)]
Content = Mapping[str, Any]


def whole(content: Content) -> Content:
    """The content of a file in which every experiment and figure is whole. What is no mapping is left to the validation."""
    found, parts = (
        dict(content),
        {key: value for key, value in content.items() if isinstance(value, dict)},
    )
    with within("smoke"):
        found["smoke"] = _over(parts.get("design"), content.get("smoke", {}))
    if "arena" in parts:
        arena = {**parts["arena"], "smoke": None}
        with within("arena.smoke"):
            found["arena"] = {**arena, "smoke": _over(arena, parts["arena"].get("smoke", {}))}
    for kind, completed in (("experiments", _experiment), ("figures", _figure)):
        if kind in parts:
            found[kind] = _expanded(kind, parts, completed)
    return found


def _experiment(parts: Content, id: str, entry: Content, values: Content) -> Content:
    """An experiment with the values of its matrix, its environment, and its design at both scales."""
    for name, value in values.items():
        part = {"environment": value} if name == "environment" else {"parameters": {name: value}}
        entry = _over(entry, value if isinstance(value, dict) else part, 2)
    entry = _over({"design": parts.get("design", {})}, entry, 2)
    entry = _over({"smoke": _over(entry["design"], parts.get("smoke", {}))}, entry, 2)
    if isinstance(name := entry.get("environment"), str):
        known = parts.get("environments", {})
        check_known("", "environment", [name], known)
        entry = {**entry, "environment": _over({"label": name}, known[name])}
    return entry


def _figure(parts: Content, id: str, entry: Content, values: Content) -> Content:
    """A figure with all its panels, and these with whole axes."""
    panels = entry.get("panels")
    if "diagram" in str(entry.get("kind")):
        return entry
    if panels is None:  # a single one, which has the figure's keys
        panels = [
            {
                "experiment": id,
                **{key: value for key, value in entry.items() if key not in OF_A_FIGURE},
            }
        ]
        entry = {key: value for key, value in entry.items() if key in (*OF_A_FIGURE, "title")}
    if isinstance(panels, list):
        panels = [each for panel in panels for _, _, each in combinations(panel)]
        panels = [
            _over(parts.get("axes"), panel, 2) if isinstance(panel, dict) else panel
            for panel in panels
        ]
    return {**entry, "panels": panels}


def _over(first: Any, second: Any, depth: int = 1) -> Any:
    """The second value in place of the first; of two mappings, the keys of both, and so down to this depth."""
    if not depth or first is None or not (isinstance(first, dict) or isinstance(second, dict)):
        return second
    for each in (first, second):
        if not isinstance(each, dict):
            raise InputError(f"{str(each)[:80]!r} is wrong here: it should be a mapping")
    found = dict(first)
    for key, value in second.items():
        with within(str(key)):
            found[key] = _over(first.get(key), value, depth - 1)
    return found


def _expanded(kind: str, parts: Content, completed: Callable[..., Content]) -> Content:
    """The entries by id, in place of those with a matrix one for every combination of its values."""
    found: dict[str, Any] = {}
    for pattern, entry in parts[kind].items():
        with within(f"{kind}.{pattern}"):
            for keys, values, each in combinations(entry):
                id = fill(pattern, keys)
                if id in found:
                    remedy = "remove one of the two, or name every value of its matrix in the id"
                    raise InputError(f"duplicate id '{id}'; {remedy}")
                found[id] = completed(parts, id, each, values) if isinstance(each, dict) else each
    return found


def combinations(entry: Any) -> Iterator[tuple[Content, Content, Any]]:
    """Every combination of an entry's matrix: its keys, its values, and the entry with the keys in its ids and the values in its
    texts; the last variable changes first."""
    if not isinstance(entry, dict) or "matrix" not in entry:
        yield {}, {}, entry
        return
    rows = []
    for name, values in validated(entry["matrix"], Matrix, "matrix").items():
        pairs = values.items() if isinstance(values, dict) else [(value, value) for value in values]
        rows.append([(name, str(key), value) for key, value in pairs])
    for combination in itertools.product(*rows):
        keys = {name: key for name, key, _ in combination}
        values = {name: value for name, _, value in combination}
        found = {
            key: fill(value, values, others_stay=True)
            for key, value in entry.items()
            if key != "matrix"
        }
        found |= {key: fill(entry[key], keys) for key in IDS if key in entry}
        yield keys, values, found


def fill(text: Any, values: Mapping[str, Any], *, others_stay: bool = False) -> Any:
    """A text, or each of a list, with these values in place of {name} or {name:g}. InputError for another name, unless
    `others_stay`."""

    def value(gap: re.Match) -> str:
        if gap[1] not in values:
            if others_stay:
                return gap[0]
            known = nearest(gap[1], values)
            raise InputError(f"'{text}' names '{gap[1]}', which has no single value here; {known}")
        try:
            return format(values[gap[1]], gap[2] or "")
        except (TypeError, ValueError) as error:
            reason = number_in_text(values[gap[1]]) or error
            raise InputError(
                f"'{gap[0]}' does not fit the value {values[gap[1]]!r}: {reason}"
            ) from None

    if isinstance(text, list):
        return [fill(each, values, others_stay=others_stay) for each in text]
    return GAP.sub(value, text) if isinstance(text, str) else text
