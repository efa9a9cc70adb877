"""YAML files as pydantic models: what all models are made of, and reading a file, with one clear line for a mistake in it."""

from collections.abc import Container, Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, Self, TypeVar

import yaml
from annotated_types import MinLen
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    FiniteFloat,
    StringConstraints,
    ValidationError,
    model_validator,
)

from dpbandits.errors import InputError, nearest, number_in_text


class Written(BaseModel):
    """A mapping with known keys. Values are not converted: "1e5" is a text, 100.0 is no whole number, 1 is not 1.0."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, use_attribute_docstrings=True)

    @model_validator(mode="before")
    @classmethod
    def _check_keys(cls, content: Any) -> Any:
        """Refuse unknown keys, and a mapping without one that it should have."""
        if isinstance(content, dict):
            for key in content if cls.model_config["extra"] == "forbid" else ():
                if key not in cls.model_fields:
                    raise ValueError(f"unknown key '{key}'; {nearest(key, cls.model_fields)}")
            check_has(content, (key for key, field in cls.model_fields.items() if field.is_required()))
        return content

    def as_written(self, *but: str) -> dict[str, Any]:
        """The keys that are in the file, without defaults, but for these."""
        return self.model_dump(exclude_unset=True, exclude=set(but))

    def changed(self, *changes: "Written") -> Self:
        """The same with the keys that are in these."""
        keys: dict[str, Any] = {}
        for each in (self, *changes):
            keys |= each.as_written()
        return type(self)(**keys)


def check_has(content: Container[str], keys: Iterable[str]) -> None:
    """Refuse a mapping without one of these keys."""
    for key in keys:
        if key not in content:
            raise ValueError(f"'{key}' is missing; add it")


def _without_repetition(values: list) -> list:
    """Refuses a list with a value twice."""
    written = list(map(repr, values))  # 1 is not 1.0
    for value in written:
        if written.count(value) > 1:
            raise ValueError(f"{value} is there twice; keep one")
    return values


def in_step(sweep: dict[str, list]) -> dict[str, list]:
    """Refuses a sweep whose series cannot be told apart by the first parameter, or whose others have more or fewer values."""
    (first, values), *others = sweep.items()
    _without_repetition(values)
    for name, found in others:
        if len(found) != len(values):
            raise ValueError(
                f"{name} has {len(found)} values and {first} {len(values)}; write one for each of {first}'s"
            )
    return sweep


def _no_number_in_text(value: str) -> str:
    if hint := number_in_text(value):
        raise ValueError(hint)
    return value


Number = int | FiniteFloat  # 1 stays 1, and 1.0 stays 1.0
Scalar = int | float | Annotated[str, AfterValidator(_no_number_in_text)] | bool
Parameters = dict[str, Scalar]  # compared with the algorithm's signature in plan.checking
Once = AfterValidator(_without_repetition)
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9.-]*$")]
Names = Annotated[list[str], MinLen(1), Once]
FIGURE_ID = r"^[A-Za-z][A-Za-z0-9-]*$"  # s-... is a supplementary figure of ours
# The id of a figure or of an experiment; with a matrix, a pattern of ids: fig{environment}{epsilon}.
FigureId = Annotated[str, StringConstraints(pattern=r"^([A-Za-z]|\{[a-z0-9_]+\})([A-Za-z0-9-]|\{[a-z0-9_]+\})*$")]
# The name of a matrix's value in ids. A key written as 4 is a number in YAML and a text here.
Key = Annotated[
    str, BeforeValidator(lambda key: str(key) if type(key) is int else key), StringConstraints(pattern=r"^[a-z0-9-]+$")
]
Values = Annotated[list[Scalar], MinLen(1), Once]
Matrix = Annotated[dict[str, Values | Annotated[dict[Key, Scalar], MinLen(1)]], MinLen(1)]
MERGE = "tag:yaml.org,2002:merge"


class _StrictLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # the C parser is several times faster
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
        raise InputError(f"{path}: it {what}; write keys with values, as docs/examples/mine2026.yaml has")
    return found


Model = TypeVar("Model", bound=BaseModel)


def validated(content: Any, model: type[Model], where: str) -> Model:
    """Validate `content`; if it is invalid, raise one message with `where`, key, value and what is expected."""
    try:
        return model.model_validate(content)
    except ValidationError as failure:
        errors = [(_keys(content, error["loc"]), error) for error in failure.errors(include_url=False)]
    # Of alternatives, such as a list or a mapping, the one that was meant fails at the deepest key; all that fail there are named.
    keys, _ = max(errors, key=lambda pair: len(pair[0]))
    meant = [error for other, error in errors if other == keys]
    meant = [error for error in meant if error["type"] == "value_error"][:1] or meant
    place = ".".join(map(str, keys)) + ": " * bool(keys)
    raise InputError(f"{where}: {place}{', or '.join(dict.fromkeys(map(_problem, meant)))}")


def _keys(content: Any, place: Sequence[int | str]) -> list[int | str]:
    """The keys of the file in a place of pydantic's, which also names alternatives."""
    keys = []
    for key in place:
        if (isinstance(content, dict) and key in content) or (isinstance(content, list) and isinstance(key, int)):
            content = content[key]
            keys.append(key)
    return keys


def _problem(error: dict[str, Any]) -> str:
    """What pydantic says of a value, or what one of our own checks says."""
    if error["type"] == "value_error":
        return error["msg"].removeprefix("Value error, ")
    return number_in_text(error["input"]) or f"{str(error['input'])[:80]!r} is wrong here: {error['msg']}"
