"""Reads a YAML file into a validated model; the error for a wrong one names file, key and what is wrong, in one line."""

import re
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from dpbandits.errors import InputError, nearest, number_in_text

Model = TypeVar("Model", bound=BaseModel)


class _StrictLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # the C parser is several times faster
    """YAML in which a key may occur only once in a mapping."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        seen = set()
        for key_node, _ in node.value:
            if key_node.tag == "tag:yaml.org,2002:merge":
                continue
            key = self.construct_object(key_node, deep=True)
            if isinstance(key, Hashable):
                if key in seen:
                    raise ValueError(f"duplicate key '{key}'; keep one of them")
                seen.add(key)
        return super().construct_mapping(node, deep)


def read_yaml(path: str | Path) -> Any:
    """The content of a YAML file."""
    try:
        return yaml.load(Path(path).read_text(encoding="utf-8"), _StrictLoader)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except (yaml.YAMLError, ValueError, TypeError) as error:
        raise InputError(f"{path}: not valid YAML: {' '.join(str(error).split())}") from None


def read(path: str | Path, model: type[Model]) -> Model:
    """Read a YAML file and validate its content."""
    return validated(read_yaml(path), model, str(path))


def validated(content: Any, model: type[Model], file: str) -> Model:
    """Validate `content`; if it is invalid, raise one message with file, key, value and what is expected."""
    try:
        return model.model_validate(content)
    except ValidationError as failure:
        found = [(_keys(content, error["loc"]), error) for error in failure.errors(include_url=False)]
    # Of alternatives, such as a list or a mapping, the one that was meant fails last; if none was meant, all are named.
    keys, _ = max(found, key=lambda pair: len(pair[0]))
    meant = [error for other, error in found if other == keys]
    meant = [error for error in meant if error["type"] == "value_error"][:1] or meant
    problems = dict.fromkeys(" ".join(_problem(error).split()) for error in meant)
    place = "".join(f"{key}." for key in keys).removesuffix(".") + ": " * bool(keys)
    raise InputError(f"{file}: {place}{', or '.join(problems)}")


def _keys(content: Any, place: Sequence[int | str]) -> list[int | str]:
    """The keys of the file in a place of pydantic's, which also names alternatives."""
    keys = []
    for key in place:
        if (isinstance(content, dict) and key in content) or (isinstance(content, list) and isinstance(key, int)):
            content = content[key]
            keys.append(key)
    return keys


def _problem(error: dict[str, Any]) -> str:
    kind, value, said = error["type"], error["input"], error["msg"].removeprefix("Value error, ")
    if kind == "missing":
        return f"'{error['loc'][-1]}' is missing; add it"
    if kind == "literal_error":
        known = re.findall(r"'([^']*)'", error["ctx"]["expected"])
        return f"{value!r} is not one of {', '.join(known)}; {nearest(value, known)}"
    if kind == "value_error":
        return said
    return number_in_text(value) or f"{str(value)[:80]!r} is wrong here: {said[0].lower()}{said[1:]}"
