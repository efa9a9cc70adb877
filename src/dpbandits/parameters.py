"""The parameters of algorithms and environments, and the validation of the values that a paper file gives.

A function declares its parameters in its signature (`epsilon: Positive`, `hybrid: Literal["half_log2", ...]`), any
range with the constraints of annotated_types and the words for it; a paper file supplies them by name. Nothing else needs to
be registered.
"""

import inspect
import math
import types
import typing
from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, Any, Literal, Union

from annotated_types import DocInfo, Ge, Gt, Le, Lt, MinLen, doc

from dpbandits.errors import InputError, check_known, nearest, number_in_text

Positive = Annotated[float, Gt(0), Lt(math.inf), doc("a number above 0")]
NotNegative = Annotated[float, Ge(0), Lt(math.inf), doc("a number of at least 0")]
Probability = Annotated[float, Gt(0), Lt(1), doc("a number in (0, 1)")]
Mean = Annotated[float, Ge(0), Le(1), doc("a mean in [0, 1]")]
Whole = Annotated[int, Ge(1), doc("a whole number of at least 1")]


def check(function: Callable, given: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The keyword parameters of `function`: the given values, validated, and defaults for the others. Errors begin with `where`."""
    from pydantic import (
        ValidationError,
    )  # imported here, since a simulate job validates nothing and the import is slow

    declared = _declared(function)
    check_known(where, "key", given, declared)
    prefix = f"{where}: " if where else ""
    filled = {}
    for name, (validator, kind, default) in declared.items():
        if name in given:
            try:
                filled[name] = validator.validate_python(given[name])
            except ValidationError as failure:
                raise InputError(f"{prefix}{name}{_problem(kind, given[name], failure)}") from None
        elif default is not inspect.Parameter.empty:
            filled[name] = default
        else:
            raise InputError(f"{prefix}'{name}' is missing; write {name}: {described(kind)}")
    return filled


def as_numbers(function: Callable, given: Mapping[str, Any]) -> dict[str, Any]:
    """The given values and the defaults of `function`, whole numbers as floats where it declares a float.

    A kernel is compiled for the types of its arguments: `epsilon: 1` shall not cost what `epsilon: 0.5` has cost already.
    """
    kinds, values = typing.get_type_hints(function), {**defaults_of(function), **given}
    for name, value in values.items():
        allowed = typing.get_args(kinds.get(name)) or (kinds.get(name),)
        if type(value) is int and float in allowed and int not in allowed:
            values[name] = float(value)
    return values


def defaults_of(function: Callable) -> dict[str, Any]:
    """The keyword parameters of a function that have defaults."""
    keywords = (
        p for p in inspect.signature(function).parameters.values() if p.kind is p.KEYWORD_ONLY
    )
    return {p.name: p.default for p in keywords if p.default is not p.empty}


def passes_to(other: Callable) -> Callable[[Callable], Callable]:
    """A decorator: the further keyword parameters of a function are those of `other`, to which it passes them."""

    def declare(function: Callable) -> Callable:
        own = [
            p
            for p in inspect.signature(function).parameters.values()
            if p.kind is not p.VAR_KEYWORD
        ]
        passed = [
            p for p in inspect.signature(other).parameters.values() if p.kind is p.KEYWORD_ONLY
        ]
        function.__signature__ = inspect.Signature([*own, *passed])
        function.__annotations__.update({p.name: p.annotation for p in passed})
        return function

    return declare


def accepted(function: Callable) -> list[str]:
    """The names of the parameters that a paper file may give to `function`."""
    return list(_declared(function))


@cache
def _declared(function: Callable) -> dict[str, tuple[Any, Any, Any]]:
    """Validator, annotation and default of each keyword parameter."""
    from pydantic import ConfigDict, TypeAdapter

    kinds = typing.get_type_hints(function, include_extras=True)
    found = {}
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            kind = kinds.get(parameter.name, Any)
            if _is_union(kind):  # None only marks a default
                kind = Union[tuple(k for k in typing.get_args(kind) if k is not types.NoneType)]  # noqa: UP007
            given = Annotated[kind, MinLen(1)] if typing.get_origin(kind) is list else kind
            found[parameter.name] = (
                TypeAdapter(given, config=ConfigDict(strict=True)),
                kind,
                parameter.default,
            )
    return found


def _is_union(kind: Any) -> bool:
    return typing.get_origin(kind) in (Union, types.UnionType)


def _problem(kind: Any, value: Any, failure: Any) -> str:
    """': 0 should be a number above 0'; for a list, the index and the message of the first invalid item."""
    if _is_union(kind):  # a string was meant as a choice, a number as a number
        words = [k for k in typing.get_args(kind) if typing.get_origin(k) is Literal]
        kind = next(
            (k for k in typing.get_args(kind) if (k in words) == isinstance(value, str)), kind
        )
    place = ""
    for index in failure.errors(include_url=False)[0]["loc"]:
        if isinstance(value, list) and isinstance(index, int):
            kind, value, place = typing.get_args(kind)[0], value[index], f"{place}[{index}]"
    if typing.get_origin(kind) is Literal:
        choices = [str(choice) for choice in typing.get_args(kind)]
        return f"{place}: {value!r} is not one of {', '.join(choices)}; {nearest(value, choices)}"
    return f"{place}: {number_in_text(value) or f'{value!r} should be {described(kind)}'}"


def described(kind: Any) -> str:
    """Describe an annotation in words: its own (`doc`), if it has some."""
    arguments = typing.get_args(kind)
    if _is_union(kind):
        return " | ".join(map(described, arguments))
    if typing.get_origin(kind) is Literal:
        return " | ".join(map(str, arguments))
    if typing.get_origin(kind) is list:
        return f"a list of {described(arguments[0])}"
    if typing.get_origin(kind) is Annotated:
        in_words = [each.documentation for each in arguments if isinstance(each, DocInfo)]
        return (
            in_words[0]
            if in_words
            else f"{described(arguments[0])}: {', '.join(map(str, arguments[1:]))}"
        )
    words = {
        str: "a text",
        bool: "true or false",
        int: "a whole number",
        float: "a number",
        Any: "a value",
    }
    return words.get(kind, str(kind))
