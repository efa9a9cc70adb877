"""YAML files as pydantic models: read a file, validate it, and name a mistake in one clear line.

A file is validated twice: as typed (`TYPED`), and after its matrices are expanded (`EXPANDED`).
"""

import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

import pydantic
import yaml

from dpbandits import parameters
from dpbandits.errors import InputError, within

TYPED, EXPANDED = "typed", "expanded"  # contexts of validation
NAME = r"\{[a-z]\w*\}"
MERGE, NULL = "tag:yaml.org,2002:merge", "tag:yaml.org,2002:null"
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
    def _has_known_keys(cls, content: Any) -> Any:
        if isinstance(content, dict):
            parameters.check_names(cls, content, () if "matrix" in content else cls.needs)
        return content

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
    with within(str(file)):
        return parameters.validated(kind, content, place, context)
