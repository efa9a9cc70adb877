"""Policies and bandits as kernels see them: numba takes named tuples, but no classes."""

import inspect
from collections import namedtuple
from collections.abc import Callable, Mapping
from functools import cache
from threading import Lock
from typing import Any

from dpbandits.errors import InputError
from dpbandits.parameters import Parameters, declared

_CLASSES: dict[str, type] = {}  # by name, which no two of them share
LOCK = Lock()  # a second thread would make another class, for which numba compiles once more


def compiled_from(
    owner: Parameters,
    base: type[Parameters],
    values: Mapping[str, Any],
    short_cut: type | None = None,
) -> Any:
    """Return a named tuple of the parameters that are numbers and of further `values`.

    It has the methods of the owner's class that kernels can call (`methods_of`), and those of a
    short cut.
    """
    values = {name: getattr(owner, name) for name in _numbers_of(type(owner))} | values
    values = values or {"unused": 0.0}  # numba cannot pass an empty tuple
    with LOCK:
        kind = _class_of(type(owner), base, tuple(values), short_cut)
    return kind(**values)


def methods_of(owner: type[Parameters], base: type[Parameters]) -> dict[str, Callable]:
    """The methods that kernels can call, by name: public ones that `base` lacks."""
    return {
        name: function
        for name, function in inspect.getmembers(owner, inspect.isfunction)
        if name[0] != "_" and name != "constants" and not hasattr(base, name)
    }


@cache
def _numbers_of(owner: type[Parameters]) -> tuple[str, ...]:
    """The parameters that are numbers; an audit asks before each of its short games."""
    return tuple(name for name, each in declared(owner).items() if each.is_number)


@cache
def _class_of(
    owner: type[Parameters],
    base: type[Parameters],
    names: tuple[str, ...],
    short_cut: type | None,
) -> type:
    """The class of the tuple. It is an attribute of the owner, where cached code finds it."""
    if "<locals>" in owner.__qualname__:
        remedy = "define this class outside functions; each call would compile it again"
        raise InputError(f"{owner.__module__}.{owner.__qualname__}: {remedy}")
    result = namedtuple(owner.__name__, names)
    result.__module__, result.__qualname__ = owner.__module__, f"{owner.__qualname__}.Compiled"
    methods = methods_of(owner, base) | (methods_of(short_cut, object) if short_cut else {})
    for name, function in methods.items():
        if name in names:
            says = "a method of its base class has the same name; choose another"
            raise InputError(f"{owner.__qualname__}.{name}: {says}")
        setattr(result, name, function)
    # numba confuses classes of equal name, such as a class and its later version in a notebook.
    while _CLASSES.setdefault(result.__name__, result) is not result:
        result.__name__ += "_"
    owner.Compiled = result
    return result
