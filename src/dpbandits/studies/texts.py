"""Texts with values in them: ids, labels, titles and captions with {epsilon} or {epsilon:g} in place of a number."""

import re
from collections.abc import Mapping
from typing import Any

from dpbandits.errors import InputError, nearest

GAP = re.compile(r"\{([a-z]\w*)(?::([^{}]*))?\}")


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
