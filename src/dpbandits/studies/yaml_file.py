"""Reads a YAML file into a validated model, or raises an error that says in one line what is wrong with the file."""

import re
from collections.abc import Hashable
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from dpbandits.errors import InputError, nearest

Model = TypeVar("Model", bound=BaseModel)


Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the C parser is several times faster


class _StrictLoader(Loader):
    """YAML in which a key may occur only once in a mapping."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        seen = set()
        for key_node, _ in node.value:
            if key_node.tag == "tag:yaml.org,2002:merge":
                continue
            key = self.construct_object(key_node, deep=True)
            if isinstance(key, Hashable) and key in seen:
                problem = f"duplicate key '{key}'; keep one of them"
                raise yaml.constructor.ConstructorError(None, None, problem, key_node.start_mark)
            if isinstance(key, Hashable):
                seen.add(key)
        return super().construct_mapping(node, deep)


def read_yaml(path: str | Path) -> Any:
    """The content of a YAML file."""
    text = ""
    try:
        text = Path(path).read_text(encoding="utf-8")
        return yaml.load(text, _StrictLoader)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not a text in UTF-8 ({error.reason}); save it as UTF-8") from None
    except (yaml.YAMLError, ValueError, TypeError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f", line {min(mark.line + 1, len(text.splitlines()))}" if mark else ""
        raise InputError(f"{path}{place}: not valid YAML: {getattr(error, 'problem', None) or error}") from None


def read(path: str | Path, model: type[Model]) -> Model:
    """Read a YAML file and validate its content."""
    return validated(read_yaml(path), model, str(path))


def validated(content: Any, model: type[Model], file: str) -> Model:
    """Validate `content`; if it is invalid, raise one message with file, key, value and remedy."""
    try:
        return model.model_validate(content)
    except ValidationError as failure:
        # The mistake nearest to the top of the file's structure is the one to correct first.
        error = min(failure.errors(include_url=False), key=lambda e: (len(e["loc"]), str(e["loc"])))
        raise InputError(f"{file}: {_message(error)}") from None


def _message(error: dict[str, Any]) -> str:
    """One of pydantic's errors in words: what is wrong, where, and what to write instead."""
    # Names in <> are the alternatives of a union (model.py), which a file does not show.
    path = [str(part) for part in error["loc"] if not str(part).startswith("<")]
    kind, value, context = error["type"], error["input"], error.get("ctx", {})
    if kind == "missing":
        return f"{_prefix(path[:-1])}'{path[-1]}' is missing; add it"
    if kind == "keys":
        return f"{_prefix(path)}{context['says']}"
    if path[-1:] == ["[key]"] and kind == "literal_error":
        return f"{_prefix(path[:-2])}unknown key '{value}'; {nearest(value, _choices(context))}"
    if path[-1:] == ["[key]"]:
        expected = f"; it should look like {context['pattern']}" if "pattern" in context else ""
        return f"{_prefix(path[:-2])}'{value}' cannot be used as a name here{expected}"
    where = _prefix(path)
    if kind == "unknown_key":
        return f"{where}unknown key '{context['key']}'; {nearest(context['key'], context['known'])}"
    if kind == "literal_error":
        choices = _choices(context)
        return f"{where}{value!r} is not one of {', '.join(choices)}; {nearest(value, choices)}"
    if kind in _KINDS:
        return f"{where}{value!r} should be {_KINDS[kind]}{_as_number(value, kind)}"
    if kind in _LIMITS:
        key, words = _LIMITS[kind]
        return f"{where}{value!r} should be {words} {context[key]}"
    if kind == "string_pattern_mismatch":
        return f"{where}{value!r} should look like {context['pattern']}"
    if kind in ("too_short", "too_long"):
        wanted = f"at least {context['min_length']}" if kind == "too_short" else f"at most {context['max_length']}"
        return f"{where}{value!r} should have {wanted} {'entry' if wanted.endswith(' 1') else 'entries'}"
    return f"{where}{value!r} {error['msg']}"


def _choices(context: dict[str, Any]) -> list[str]:
    """The values that a literal may have, which pydantic gives as 'this', 'that' or 'the other'."""
    return [choice for choice in re.findall(r"'([^']*)'", context["expected"]) if choice]


def _prefix(path: list[str]) -> str:
    return f"{'.'.join(path)}: " if path else ""


def _as_number(value: Any, kind: str) -> str:
    """A suggestion where 1e5 (a text in YAML) or 100000.0 is written in place of a number."""
    if isinstance(value, (str, float)) and kind in ("int_type", "int_from_float", "number"):
        try:
            number, whole = float(value), int(float(value))  # an infinite number has no whole one
            return f"; write {number if kind == 'number' else whole}"
        except (ValueError, OverflowError):
            pass
    return ""


_KINDS = {
    "model_type": "a mapping of keys to values",
    "model_attributes_type": "a mapping of keys to values",
    "dict_type": "a mapping of keys to values",
    "list_type": "a list",
    "string_type": "a text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "number": "a number",
    "scalar": "a number, a text, or true or false",
    "bool_type": "true or false",
}
_LIMITS = {
    "greater_than_equal": ("ge", "at least"),
    "greater_than": ("gt", "above"),
    "less_than_equal": ("le", "at most"),
    "less_than": ("lt", "below"),
}
