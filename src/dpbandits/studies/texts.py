"""Labels, titles and captions, in which {epsilon:g} is the value of a parameter."""

import re
from collections.abc import Mapping
from typing import Any

from dpbandits.errors import InputError, nearest, number_in_text

PARAMETER = re.compile(r"\{([a-z]\w*)(?::([^{}]*))?\}")  # {name} or {name:g} in a string
# The part of a label that names a parameter, " (ε = {epsilon:g})" or ", ε = {epsilon:g}".
OF_PARAMETERS = re.compile(r"\s*\([^()]*\{[^()]*\)|,[^(),]*\{[^{}]*\}")


def fill(text: str, values: Mapping[str, Any], remedy: str = "there is none") -> str:
    """A text with these values in place of {name} or {name:g}.

    Raises InputError for another name. Without values it ends with `remedy`.
    """

    def value(gap: re.Match) -> str:
        if gap[1] not in values:
            known = nearest(gap[1], values) if values else remedy
            raise InputError(f"'{text}' names '{gap[1]}', which has no single value here; {known}")
        try:
            return format(values[gap[1]], gap[2] or "")
        except (TypeError, ValueError) as error:
            reason = number_in_text(values[gap[1]]) or error
            problem = f"{values[gap[1]]!r} does not fit '{gap[0]}' in '{text}': {reason}"
            raise InputError(f"{gap[1]}: {problem}") from None

    return PARAMETER.sub(value, text)


def common_label(label: str) -> str:
    """The label of a whole sweep: without the parameters."""
    return OF_PARAMETERS.sub("", label)
