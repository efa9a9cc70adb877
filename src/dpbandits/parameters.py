"""The parameters of algorithms and environments, and the validation of the values that a paper file gives.

A function declares its parameters in its signature (`epsilon: Positive`, `hybrid: Literal["half_log2", ...]`), any
range with the constraints of annotated_types; a paper file supplies them by name. Nothing else needs to be registered.
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

Positive = Annotated[float, Gt(0), Lt(math.inf)]
NotNegative = Annotated[float, Ge(0), Lt(math.inf)]
Probability = Annotated[float, Gt(0), Lt(1)]
Mean = Annotated[float, Ge(0), Le(1), doc("a mean in [0, 1]")]
Whole = Annotated[int, Ge(1)]


def check(function: Callable, given: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The keyword parameters of `function`: the given values, validated, and defaults for the others.

    Every error message begins with `where`.
    """
    from pydantic import ValidationError  # imported here, since a simulate job validates nothing and the import is slow

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
    kinds = typing.get_type_hints(function)
    return {name: _as_number(kinds.get(name), value) for name, value in {**defaults_of(function), **given}.items()}


def defaults_of(function: Callable) -> dict[str, Any]:
    """The keyword parameters of a function that have defaults."""
    keywords = (p for p in inspect.signature(function).parameters.values() if p.kind is p.KEYWORD_ONLY)
    return {p.name: p.default for p in keywords if p.default is not p.empty}


def _as_number(kind: Any, value: Any) -> Any:
    is_float = kind is float or (float in typing.get_args(kind) and int not in typing.get_args(kind))
    return float(value) if is_float and type(value) is int else value


def passes_to(other: Callable) -> Callable[[Callable], Callable]:
    """A decorator: the further keyword parameters of a function are those of `other`, to which it passes them."""

    def declare(function: Callable) -> Callable:
        own = [p for p in inspect.signature(function).parameters.values() if p.kind is not p.VAR_KEYWORD]
        passed = [p for p in inspect.signature(other).parameters.values() if p.kind is p.KEYWORD_ONLY]
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
            kind = _in_file(kinds.get(parameter.name, Any))
            found[parameter.name] = TypeAdapter(kind, config=ConfigDict(strict=True)), kind, parameter.default
    return found


def _in_file(kind: Any) -> Any:
    """The annotation for a value in a file: without None, which only marks a default, and for lists not empty."""
    if typing.get_origin(kind) in (Union, types.UnionType):
        return Union[tuple(k for k in typing.get_args(kind) if k is not types.NoneType)]  # noqa: UP007
    return Annotated[kind, MinLen(1)] if typing.get_origin(kind) is list else kind


def _problem(kind: Any, value: Any, failure: Any) -> str:
    """': 0 should be a number above 0'; for a list, the index and the message of the first invalid item."""
    if typing.get_origin(kind) in (Union, types.UnionType):  # a string was meant as a choice, a number as a number
        words = [k for k in typing.get_args(kind) if typing.get_origin(k) is Literal]
        kind = next((k for k in typing.get_args(kind) if (k in words) == isinstance(value, str)), kind)
    place = ""
    for index in failure.errors(include_url=False)[0]["loc"]:
        if isinstance(value, list) and isinstance(index, int):
            listed = typing.get_args(kind)[0] if typing.get_origin(kind) is Annotated else kind
            kind, value, place = typing.get_args(listed)[0], value[index], f"{place}[{index}]"
    if typing.get_origin(kind) is Literal:
        choices = [str(choice) for choice in typing.get_args(kind)]
        return f"{place}: {value!r} is not one of {', '.join(choices)}; {nearest(value, choices)}"
    return f"{place}: {number_in_text(value) or f'{value!r} should be {described(kind)}'}"


def described(kind: Any) -> str:
    """Describe an annotation in words."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (Union, types.UnionType):
        return " | ".join(described(k) for k in arguments)
    if origin is Literal:
        return " | ".join(map(str, arguments))
    if origin is list:
        return f"a list of {described(arguments[0])}"
    if origin is not Annotated:
        return _WORDS.get(kind, str(kind))
    in_words = next((c.documentation for c in arguments[1:] if isinstance(c, DocInfo)), None)
    if in_words:
        return in_words
    base = described(arguments[0])
    ends = {key: getattr(c, key) for c in arguments[1:] for key in _ENDS if isinstance(c, _ENDS[key][0])}
    ends = {key: end for key, end in ends.items() if math.isfinite(end)}
    if len(ends) == 2:
        (left, low), (right, high) = ends.items()
        return f"{base} in {'(' if left == 'gt' else '['}{low:g}, {high:g}{')' if right == 'lt' else ']'}"
    return base + "".join(f" {_ENDS[key][1]} {end:g}" for key, end in ends.items())


_WORDS = {str: "a text", bool: "true or false", int: "a whole number", float: "a number", Any: "a value"}
_ENDS = {"gt": (Gt, "above"), "ge": (Ge, "of at least"), "lt": (Lt, "below"), "le": (Le, "of at most")}
