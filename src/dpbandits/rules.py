"""Rules: policies and bandits as kernels see them. Numba takes named tuples, but no classes."""

import inspect
from collections import namedtuple
from collections.abc import Callable, Mapping
from functools import cache
from threading import Lock
from typing import Any

from dpbandits.parameters import Parameters, declared

_CLASSES: dict[str, type] = {}  # by name, which no two rules share
LOCK = Lock()  # a second thread would make another class, for which numba compiles once more


def rule_of(owner: Parameters, base: type[Parameters], constants: Mapping[str, Any]) -> Any:
    """Return a named tuple of the parameters that are numbers and of `constants`.

    It has the methods of the owner's class that kernels can call (`methods_of`).
    """
    values = {name: getattr(owner, name) for name in _numbers_of(type(owner))} | constants
    values = values or {"unused": 0.0}  # numba cannot pass an empty tuple
    with LOCK:
        rule = _class_of(type(owner), base, tuple(values))
    return rule(**values)


def methods_of(owner: type[Parameters], base: type[Parameters]) -> dict[str, Callable]:
    """The methods that kernels can call, by name: those that `base` lacks, except `constants`."""
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
def _class_of(owner: type[Parameters], base: type[Parameters], names: tuple[str, ...]) -> type:
    """The class of a rule. It is an attribute of the owner, where cached code finds it."""
    if "<locals>" in owner.__qualname__:
        remedy = "define this class outside functions; each call would compile it again"
        raise TypeError(f"{owner.__module__}.{owner.__qualname__}: {remedy}")
    rule = namedtuple(owner.__name__, names)
    rule.__module__, rule.__qualname__ = owner.__module__, f"{owner.__qualname__}.Rule"
    for name, function in methods_of(owner, base).items():
        if name in names:
            says = "a method of its base class has the same name; choose another"
            raise TypeError(f"{owner.__qualname__}.{name}: {says}")
        setattr(rule, name, function)
    # numba confuses classes of equal name, such as a class and its later version in a notebook.
    while _CLASSES.setdefault(rule.__name__, rule) is not rule:
        rule.__name__ += "_"
    owner.Rule = rule
    return rule
