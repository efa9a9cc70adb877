"""Texts with values in them: ids, labels, titles and captions with {epsilon} or {epsilon:g} in place of a number."""

import re
from collections.abc import Mapping
from typing import Any

from dpbandits.errors import InputError, nearest

GAP = re.compile(r"\{([a-z]\w*)(?::([^{}]*))?\}")


def fill(text: str, values: Mapping[str, Any], where: str) -> str:
    """A text with these values in place of {name} or {name:g}; other names stay."""

    def value(match: re.Match) -> str:
        if match[1] not in values:
            return match[0]
        try:
            return format(values[match[1]], match[2] or "")
        except (TypeError, ValueError) as error:
            raise InputError(f"{where}: '{match[0]}' does not fit the value {values[match[1]]!r}: {error}") from None

    return GAP.sub(value, text)


def label_of(label: str, parameters: Mapping[str, Any], where: str) -> str:
    """A policy's label with the values of its parameters in it."""
    if unknown := [name for name, _ in GAP.findall(label) if name not in parameters]:
        known = nearest(unknown[0], parameters)
        raise InputError(
            f"{where}: label: '{label}' names '{unknown[0]}', which is no parameter of the policy; {known}"
        )
    return fill(label, parameters, f"{where}: label")


def without_parameter(label: str, parameter: str) -> str:
    """The label of all series of a sweep together: without the parameter's value and the words that introduce it."""
    value = rf"\{{{parameter}[^}}]*\}}"
    label = re.sub(rf"([(,])[^(),{{}}]*{value}|\s*{value}", lambda found: "(" if found[1] == "(" else "", label)
    return re.sub(r"\s*\(\s*\)", "", label.replace("(, ", "(")).strip()
