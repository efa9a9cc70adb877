"""YAML files as pydantic models: read a file, validate it, and name a mistake in one clear line.

A file is validated twice: as typed (`TYPED`), and after its matrices are expanded (`EXPANDED`).
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

import pydantic
import yaml

from dpbandits.errors import InputError, nearest, number_in_text

TYPED, EXPANDED = "typed", "expanded"  # contexts of validation
NAME = r"\{[a-z]\w*\}"
MERGE, NULL = "tag:yaml.org,2002:merge", "tag:yaml.org,2002:null"
EXPECTED = {  # by pydantic's name of an error
    "dict_type": "it should have keys with values",
    "model_type": "it should have keys with values",
    "list_type": "it should be a list, such as [a, b]",
}
Value = TypeVar("Value")


def repeated(names: Iterable[Value]) -> Value | None:
    """The first name that occurs twice, if there is one."""
    names = list(names)
    return next((name for n, name in enumerate(names) if name in names[:n]), None)


def _complete_schema(schema: dict[str, Any], kind: type["Keys"]) -> None:
    """Add what a matrix changes: it may have the needed keys, and values may be its names."""
    if kind.needs:
        schema["anyOf"] = [{"required": [*kind.needs]}, {"required": ["matrix"]}]
    for key, value in schema["properties"].items() if issubclass(kind, Entry) else ():
        about = {each: value.pop(each, "") for each in ("title", "default", "description")}
        anything = [value, {"type": "string", "pattern": f"^{NAME}$"}]
        schema["properties"][key] = {"anyOf": anything, "description": about["description"]}


class Keys(pydantic.BaseModel):
    """A mapping with known keys and exact types: neither "1e5" nor 100000.0 is an integer.

    Editors show the docstrings of keys, through config/schema (`schema`).
    """

    model_config = pydantic.ConfigDict(
        strict=True,
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
        json_schema_extra=_complete_schema,
    )
    needs: ClassVar[tuple[str, ...]] = ()  # keys that may also come from a matrix

    @pydantic.model_validator(mode="before")
    @classmethod
    def _refuse_unknown_keys(cls, content: Any) -> Any:
        for key in content if isinstance(content, dict) else ():
            if key not in cls.model_fields:
                raise ValueError(f"unknown key '{key}'; {nearest(key, cls.model_fields)}")
        return content

    @pydantic.model_validator(mode="after")
    def _is_whole(self) -> Self:
        for key in self.needs:
            if not {key, "matrix"} & self.typed.keys():
                raise ValueError(f"'{key}' is missing; add it")
        return self

    @property
    def typed(self) -> dict[str, Any]:
        """The keys that the file has, and those with a default."""
        return {key: value for key, value in self if value is not None}

    def changed(self, **changes: Any) -> Self:
        """A validated copy with other values of these keys; without those that become None."""
        keys = self.typed | changes
        return type(self)(**{key: value for key, value in keys.items() if value is not None})


class Entry(Keys):
    """Keys whose values may be typed as "{name}", of any type, for a matrix to replace."""

    @pydantic.field_validator("*", mode="wrap")
    @classmethod
    def _allow_name(cls, value: Any, validate: Any, info: pydantic.ValidationInfo) -> Any:
        is_name = isinstance(value, str) and re.fullmatch(NAME, value)
        return value if is_name and info.context == TYPED else validate(value)


class _StrictLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # C is several times faster
    """YAML in which a key may occur only once in a mapping."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value if key.tag != MERGE]
        if (key := repeated(keys)) is not None:
            raise ValueError(f"duplicate key '{key}'; keep one of them")
        for (_, before), (key, value) in pairwise(node.value):
            is_alone = value.tag == NULL and not value.value and str(key.value).isdigit()
            if node.flow_style and is_alone and isinstance(before.value, str):
                number, line = f"{before.value},{key.value}", node.start_mark.line + 1
                remedy = number.replace(",", ".")
                raise ValueError(f"'{number}' in line {line} is two values; write {remedy}")
        return super().construct_mapping(node, deep)


def read_yaml(path: str | Path) -> dict[str, Any]:
    """The content of a YAML file."""
    try:
        content = yaml.load(Path(path).read_text(encoding="utf-8"), _StrictLoader)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except (yaml.YAMLError, ValueError, TypeError) as error:
        reason = str(error).replace('in "<unicode string>", ', "in ")
        raise InputError(f"{path}: not valid YAML: {reason}") from None
    except (LookupError, AttributeError):  # by PyYAML, such as for "!!float" without a number
        says = "a value does not fit its tag; write values without tags"
        raise InputError(f"{path}: not valid YAML: {says}") from None
    if not isinstance(content, dict):
        what = "is empty" if content is None else "has no keys"
        remedy = "write keys with values, as docs/examples/mine2026.yaml has"
        raise InputError(f"{path}: it {what}; {remedy}")
    return content


def validated(
    content: Any, kind: type[Value], file: str | Path, place: str = "", context: str = EXPANDED
) -> Value:
    """The content of a place in a file as a value of this type.

    Raises InputError with file, place, key, value and what is expected.
    """
    try:
        return _adapter(kind).validate_python(content, strict=True, context=context)
    except pydantic.ValidationError as failure:
        errors = failure.errors(include_url=False)
    places = [_keys(content, error["loc"]) for error in errors]
    # Of alternatives, such as a list or a mapping, the intended one fails at the deepest key.
    keys = max((each for each in places if each[:1] == places[0][:1]), key=len)
    meant = [error for error, each in zip(errors, places, strict=True) if each == keys]
    meant = [error for error in meant if error["type"] in ("value_error", "missing")][:1] or meant
    where = ".".join(filter(None, [place, *map(str, keys)]))
    raise InputError(f"{file}: {where}{': ' * bool(where)}{_problem(meant)}")


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


def _problem(errors: Sequence[dict[str, Any]]) -> str:
    """The fault of a value, in the words of our own check or for all alternatives together."""
    first = errors[0]
    if first["type"] == "value_error":
        return first["msg"].removeprefix("Value error, ")
    if first["type"] == "missing":
        return f"'{first['loc'][-1]}' is missing; add it"
    value, expected = first["input"], ", or ".join(dict.fromkeys(map(_expected, errors)))
    return number_in_text(value) or f"invalid value {str(value)[:80]!r}: {expected}"


def _expected(error: dict[str, Any]) -> str:
    """What a value should be, in words where pydantic has none."""
    if error["type"] == "string_pattern_mismatch":
        form = re.sub(r"[()^$]", "", error["ctx"]["pattern"].replace(f"|{NAME}", ""))
        return f"it should have the form {form}"
    return EXPECTED.get(error["type"], error["msg"])
