"""Types of the keys in the files of config/, with words for messages."""

from typing import Annotated, Any, Literal

from annotated_types import MinLen
from pydantic import (
    AfterValidator,
    BeforeValidator,
    StringConstraints,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from dpbandits import looks
from dpbandits.parameters import Finite, Words
from dpbandits.studies.strict_yaml import repeated

Reading = Literal["published", "corrected"]
PUBLISHED, CORRECTED = "published", "corrected"
Scalar = Annotated[int | float | str | bool, Words("a number, a string, true or false")]
InReadings = dict[str, Scalar | dict[Reading, Scalar]]  # values for both readings, or for each
Slug = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z0-9][a-z0-9.-]*$"),
    Words("small letters, digits, dots and hyphens"),
]
Id = Annotated[
    str,
    StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9-]*$"),
    Words("letters, digits and hyphens"),
]


def _as_typed(value: Any, validate: ValidatorFunctionWrapHandler) -> Any:
    validate(value)
    return value


def _each_once(names: list[str]) -> list[str]:
    if twice := repeated(names):
        raise ValueError(f"'{twice}' occurs twice; keep one of them")
    return names


def _one_by_one(texts: dict[str, str]) -> dict[str, str]:
    """{"a, b": text} as {a: text, b: text}."""
    pairs = [(key, text) for keys, text in texts.items() for key in keys.split(", ")]
    if twice := repeated(key for key, _ in pairs):
        raise ValueError(f"duplicate key '{twice}'; keep one of them")
    return dict(pairs)


def _with_kind(environment: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(kind := environment.get("kind"), str):
        raise ValueError(f"kind: {kind!r} should be the name of a kind of environment")
    return environment


AS_TYPED = WrapValidator(_as_typed)  # 1 stays 1, and 1.0 stays 1.0
Number = Annotated[Finite, AS_TYPED]
Names = Annotated[list[str], MinLen(1), AfterValidator(_each_once)]
Texts = Annotated[dict[str, str], AfterValidator(_one_by_one)]  # a key may name several: "a, b"
Sweep = Annotated[dict[str, Annotated[list[Scalar], MinLen(1)]], MinLen(1)]
Environment = Annotated[dict[str, Any], AfterValidator(_with_kind)]
Look = Annotated[tuple[str, str], BeforeValidator(looks.valid)]
