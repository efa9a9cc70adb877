"""Things of studies: frozen classes whose fields are the keys of files, validated once.

A field is a key with the type of its annotation. A `Made` field is no key: the reader fills it in.
A field with a `Form` has another type in the file, such as a name. Types of keys are at the end.
"""

import ast
import inspect
import typing
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, is_dataclass
from functools import cache, partial
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from annotated_types import MinLen
from pydantic import (
    AfterValidator,
    BeforeValidator,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)
from pydantic.json_schema import SkipJsonSchema
from pydantic_core import core_schema

from dpbandits import looks
from dpbandits.errors import InputError, within
from dpbandits.parameters import Declared, Finite, Words, check_names, declared, validated
from dpbandits.studies.strict_yaml import repeated

Kind = TypeVar("Kind")
DEFAULTS = "defaults"


class Thing:
    """Base class of things, which are frozen dataclasses."""

    __pydantic_config__: ClassVar = {"strict": True}
    # Keys that a file must have, although the fields have defaults.
    needs: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Callable) -> Any:
        """Accept a mapping, though its values are strict."""
        schema = inner = handler(source)
        while "cls" not in inner:
            inner = inner["schema"]
        inner["strict"] = False
        return schema

    @classmethod
    def __get_pydantic_json_schema__(cls, source: Any, handler: Callable) -> dict[str, Any]:
        """Explain the keys, of which none is required: `defaults` may have it."""
        schema = handler(source)
        _explain(handler.resolve_ref_schema(schema), cls)
        return schema

    @model_validator(mode="before")
    @classmethod
    def _has_its_keys(cls, content: Any) -> Any:
        return _checked(keys_of(cls), cls.needs, content)


@dataclass(frozen=True)
class Form:
    """The type of a key in the file, if the reader turns it into something else."""

    kind: Any

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable) -> Any:
        """Validate this type in place of the annotated one."""
        return handler.generate_schema(self.kind)


@dataclass(frozen=True)
class Some:
    """A mapping with some of the keys of things, such as `defaults`."""

    of: tuple[type, ...]

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable) -> Any:
        """Validate the keys that there are."""
        keys = {name: each for kind in self.of for name, each in keys_of(kind).items()}
        fields = {
            name: core_schema.typed_dict_field(handler.generate_schema(each.kind), required=False)
            for name, each in keys.items()
        }
        schema = core_schema.typed_dict_schema(fields, config={"strict": True})
        return core_schema.no_info_before_validator_function(partial(_checked, keys, None), schema)

    def __get_pydantic_json_schema__(self, source: Any, handler: Callable) -> dict[str, Any]:
        """Explain the keys."""
        schema = handler(source)
        _explain(schema, *self.of)
        return schema


def _explain(schema: dict[str, Any], *kinds: type) -> None:
    """Add the strings below the fields of classes to the JSON schema of their keys."""
    schema.pop("required", None)
    schema["additionalProperties"] = False
    for each in (base for kind in kinds for base in kind.__mro__ if is_dataclass(base)):
        for field, below in pairwise(ast.parse(inspect.getsource(each)).body[0].body):
            if isinstance(field, ast.AnnAssign) and isinstance(below, ast.Expr):
                key = schema["properties"].get(field.target.id, {})
                key.setdefault("description", inspect.cleandoc(below.value.value))


def some_of(*kinds: type) -> Any:
    """The type of a mapping with some of the keys of these things."""
    return Annotated[dict[str, Any], Some(kinds)]


def _checked(known: Mapping[str, Declared], needs: Collection[str] | None, content: Any) -> Any:
    """The content, whose keys are known and, unless `needs` is None, complete."""
    if isinstance(content, dict):
        if "matrix" in content:  # of earlier versions
            remedy = "write each of its entries out, and under 'defaults' what they share"
            raise InputError(f"there is no 'matrix'; {remedy}")
        check_names(known, content, needs)
    return content


Made = Annotated[Kind, Form(Any), SkipJsonSchema()]


@cache
def keys_of(kind: type) -> dict[str, Declared]:
    """The keys of a thing in a file."""
    result = {}
    for name, each in declared(kind).items():
        marks = typing.get_args(each.kind)[1:]
        forms = [mark.kind for mark in marks if isinstance(mark, Form)]
        if not any(isinstance(mark, SkipJsonSchema) for mark in marks):
            result[name] = each._replace(kind=forms[0]) if forms else each
    return result


def whole(kind: type[Kind], keys: Mapping[str, Any], place: str) -> Kind:
    """A thing of valid keys. InputError if one is missing."""
    with within(place):
        check_names(keys_of(kind), keys, kind.needs)
        return kind(**keys)


def over(shared: Any, own: Any, depth: int = 2) -> Any:
    """The own value instead of the shared one; of two mappings, to this depth, all keys."""
    if not depth or not (isinstance(shared, dict) and isinstance(own, dict)):
        return own
    return shared | {key: over(shared.get(key), value, depth - 1) for key, value in own.items()}


def written_out(kind: type | None, typed: Any, place: str) -> dict[str, Any]:
    """The entries of a mapping as typed, each with the keys that all share, under `defaults`."""
    typed = dict(validated(dict, typed, place))
    shared = typed.pop(DEFAULTS, {})
    validated(some_of(kind) if kind else dict, shared, f"{place}.{DEFAULTS}")
    return {id: over(shared, each) for id, each in typed.items()}


# ---- types of keys, with words for messages

Reading = Literal["published", "corrected"]
PUBLISHED, CORRECTED = "published", "corrected"
BOTH = "both"  # the reading of a paper, or of an experiment, that has one
Scalar = Annotated[int | float | str | bool, Words("a number, a string, true or false")]
InReadings = dict[str, Scalar | dict[Reading, Scalar]]  # values for both readings, or for each
Slug = Annotated[str, Words("small letters, digits, dots and hyphens", r"^[a-z0-9][a-z0-9.-]*$")]
Id = Annotated[str, Words("letters, digits and hyphens", r"^[A-Za-z][A-Za-z0-9-]*$")]


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
