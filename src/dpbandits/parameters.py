"""The kinds of value that an algorithm or an environment may be given, and the check that it was given one.

A function declares its parameters in its signature (`epsilon: Positive`, `hybrid: Literal["half_log2", ...]`); a paper
file supplies them by name. Nothing else needs to be registered or described a second time.
"""

import inspect
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from dpbandits.errors import InputError, nearest


@dataclass(frozen=True)
class Within:
    """An interval that a number must lie in, and how to say so."""

    says: str
    above: float | None = None
    least: float | None = None
    below: float | None = None
    most: float | None = None

    def admits(self, value: float) -> bool:
        return (
            (self.above is None or value > self.above)
            and (self.least is None or value >= self.least)
            and (self.below is None or value < self.below)
            and (self.most is None or value <= self.most)
        )


Positive = Annotated[float, Within("a number above 0", above=0, below=float("inf"))]
Probability = Annotated[float, Within("a number in (0, 1)", above=0, below=1)]
Mean = Annotated[float, Within("a mean in [0, 1]", least=0, most=1)]
Whole = Annotated[int, Within("a whole number of at least 1", least=1)]


def check(function: Callable, given: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The keyword parameters of `function` with the given values filled in and judged; `where` begins every complaint."""
    declared = {
        name: parameter
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    }
    kinds = typing.get_type_hints(function, include_extras=True)
    for name in given:
        if name not in declared:
            raise InputError(f"{where}: unknown key '{name}'; {nearest(name, declared)}")
    filled = {}
    for name, parameter in declared.items():
        if name in given:
            filled[name] = _judge(given[name], kinds[name], f"{where}: {name}")
        elif parameter.default is not inspect.Parameter.empty:
            filled[name] = parameter.default
        else:
            raise InputError(f"{where}: '{name}' is missing; write {name}: {_says(kinds[name])}")
    return filled


def accepts(function: Callable) -> set[str]:
    """The names of the parameters that a paper file may give to `function`."""
    parameters = inspect.signature(function).parameters.values()
    return {p.name for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY}


def _judge(value: Any, kind: Any, where: str) -> Any:
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        return _judge_one_of(value, [k for k in typing.get_args(kind) if k is not type(None)], where)
    if origin is Literal:
        choices = typing.get_args(kind)
        if value not in choices:
            raise InputError(
                f"{where}: {value!r} is not one of {', '.join(map(str, choices))}; {nearest(value, choices)}"
            )
        return value
    if origin in (list, tuple):
        (item, *_) = typing.get_args(kind)
        if not isinstance(value, (list, tuple)) or not value:
            raise InputError(f"{where}: {value!r} should be a list of {_says(item)}")
        return [_judge(v, item, f"{where}[{i}]") for i, v in enumerate(value)]
    if origin is Annotated:
        base, within = typing.get_args(kind)[:2]
        number = _judge(value, base, where)
        if not within.admits(number):
            raise InputError(f"{where}: {value!r} should be {within.says}")
        return number
    if kind is str:
        if not isinstance(value, str):
            raise InputError(f"{where}: {value!r} should be a text")
        return value
    if kind is bool:
        if not isinstance(value, bool):
            raise InputError(f"{where}: {value!r} should be true or false")
        return value
    if kind is int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise InputError(f"{where}: {value!r} should be a whole number")
        return value
    if kind is float:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise InputError(f"{where}: {value!r} should be a number")
        return float(value)
    raise TypeError(f"{where}: no check is written for parameters declared as {kind}")


def _judge_one_of(value: Any, kinds: list, where: str) -> Any:
    """A value of the first kind that admits it; the complaint is that of the kind that fits its type, a word or a number."""
    words = [kind for kind in kinds if typing.get_origin(kind) is Literal]
    numbers = [kind for kind in kinds if kind not in words]
    (kind, *_) = words if isinstance(value, str) and words else numbers or words
    return _judge(value, kind, where)


def _says(kind: Any) -> str:
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        return " | ".join(_says(k) for k in typing.get_args(kind) if k is not type(None))
    if typing.get_origin(kind) is Annotated:
        return typing.get_args(kind)[1].says
    if typing.get_origin(kind) is Literal:
        return " | ".join(map(str, typing.get_args(kind)))
    return {str: "a text", bool: "true or false", int: "a whole number", float: "a number"}.get(kind, str(kind))
