"""YAML files as pydantic models: what all models are made of, and reading a file, with one clear line for a mistake in it."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, TypeVar

import pydantic
import yaml
from annotated_types import MinLen

from dpbandits.errors import InputError, nearest, number_in_text

FROM_FILE = "from a file"  # the context of validation, in which no `Filled` field may be given
Value = TypeVar("Value")
Filled = Annotated[Value, pydantic.Field(exclude=True)]  # no key of files: the code computes it


class Written(pydantic.BaseModel):
    """A mapping with known keys. Values are not converted: "1e5" is a text, 100.0 is no whole number, 1 is not 1.0."""

    model_config = pydantic.ConfigDict(strict=True, extra="forbid", frozen=True)

    @pydantic.model_validator(mode="before")
    @classmethod
    def _check_keys(cls, content: Any, info: pydantic.ValidationInfo) -> Any:
        """Refuse unknown keys."""
        known = [
            key for key, field in cls.model_fields.items() if not (info.context and field.exclude)
        ]
        for key in content if isinstance(content, dict) else ():
            if key not in known:
                raise ValueError(f"unknown key '{key}'; {nearest(key, known)}")
        return content


Number = int | pydantic.FiniteFloat  # 1 stays 1, and 1.0 stays 1.0
Scalar = int | float | str | bool
Parameters = dict[str, Scalar]  # compared with the algorithm's signature in plan.checking
Slug = Annotated[str, pydantic.StringConstraints(pattern=r"^[a-z0-9][a-z0-9.-]*$")]
Names = Annotated[list[str], MinLen(1)]
Id = Annotated[
    str, pydantic.StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9-]*$")
]  # of a figure or an experiment
MERGE = "tag:yaml.org,2002:merge"


class _StrictLoader(
    getattr(yaml, "CSafeLoader", yaml.SafeLoader)
):  # the C parser is several times faster
    """YAML in which a key may occur only once in a mapping."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value if key.tag != MERGE]
        for place, key in enumerate(keys):
            if key in keys[:place]:
                raise ValueError(f"duplicate key '{key}'; keep one of them")
        return super().construct_mapping(node, deep)


def read_yaml(path: str | Path) -> dict[str, Any]:
    """The content of a YAML file."""
    try:
        found = yaml.load(Path(path).read_text(encoding="utf-8"), _StrictLoader)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except (yaml.YAMLError, ValueError, TypeError) as error:
        said = str(error).replace('in "<unicode string>", ', "in ")
        raise InputError(f"{path}: not valid YAML: {said}") from None
    if not isinstance(found, dict):
        what = "is empty" if found is None else "has no keys"
        raise InputError(
            f"{path}: it {what}; write keys with values, as docs/examples/mine2026.yaml has"
        )
    return found


def validated(content: Any, kind: type[Value], where: str) -> Value:
    """What a file says, as this type; if it is invalid, one message with `where`, key, value and what is expected."""
    try:
        return _adapter(kind).validate_python(content, strict=True, context=FROM_FILE)
    except pydantic.ValidationError as failure:
        errors = [
            error
            for error in failure.errors(include_url=False)
            if error["type"] != "is_instance_of"
        ]
    places = [_keys(content, error["loc"]) for error in errors]
    # Of alternatives, such as a list or a mapping, the one that was meant fails at the deepest key.
    keys = max((place for place in places if place[:2] == places[0][:2]), key=len)
    meant = [error for error, place in zip(errors, places, strict=True) if place == keys]
    meant = [error for error in meant if error["type"] in ("value_error", "missing")][:1] or meant
    place = f"{'.'.join(map(str, keys))}: " if keys else ""
    raise InputError(f"{where}: {place}{', or '.join(dict.fromkeys(map(_problem, meant)))}")


_adapter = cache(pydantic.TypeAdapter)


def _keys(content: Any, place: Sequence[int | str]) -> list[int | str]:
    """The keys of the file in a place of pydantic's, which also names alternatives."""
    keys = []
    for key in place:
        if (isinstance(content, dict) and key in content) or (
            isinstance(content, list) and isinstance(key, int)
        ):
            content = content[key]
            keys.append(key)
    return keys


def _problem(error: dict[str, Any]) -> str:
    """What pydantic says of a value, or what one of our own checks says."""
    if error["type"] == "value_error":
        return error["msg"].removeprefix("Value error, ")
    if error["type"] == "missing":
        return f"'{error['loc'][-1]}' is missing; add it"
    return (
        number_in_text(error["input"])
        or f"{str(error['input'])[:80]!r} is wrong here: {error['msg']}"
    )
