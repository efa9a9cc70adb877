"""The call of a compiled kernel that a policy's `play` ends in, so that an audit can repeat this call without Python.

`play(rng, arms, horizon, journal, ...)` turns parameters into constants and calls one kernel. `game_of` runs a copy of `play`
for which every kernel is replaced by a function that keeps its arguments: the constants are those of the policy itself,
and so is the kernel.
"""

from collections.abc import Callable
from functools import cache, partial
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, NamedTuple

from numba.core.dispatcher import Dispatcher

from dpbandits.errors import InputError
from dpbandits.kernels.compiled import methods


class NotAudited(InputError):
    """The games of an audit cannot be played with this policy; the message says why. It is no reason to end a run: the
    policy may be somebody's first draft."""


def _with_kernels_replaced(function: Callable, calls: list[tuple]) -> Callable:
    """A copy of a function that sees its module as it is, but in place of each kernel a function that keeps its arguments
    in `calls`."""
    seen = {
        name: value if value is function else _replaced(value, calls) for name, value in function.__globals__.items()
    }
    copy = FunctionType(function.__code__, seen, function.__name__, function.__defaults__, function.__closure__)
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def _replaced(value: Any, calls: list[tuple]) -> Any:
    """What the copy sees in place of a value of its module."""
    if isinstance(value, Dispatcher):  # a kernel
        return lambda *arguments: calls.append((value, arguments))
    if isinstance(value, FunctionType) and value.__name__ == "play_blocks":  # it calls a kernel for each block of a log
        return _with_kernels_replaced(value, calls)
    if isinstance(value, ModuleType) and value.__name__.startswith("dpbandits.algorithms.") and hasattr(value, "play"):
        return SimpleNamespace(
            **{**vars(value), "play": _with_kernels_replaced(value.play, calls)}
        )  # another algorithm
    return value


class Game(NamedTuple):
    """A kernel's arguments. Each kernel has a subclass of its own, whose method `play` calls it."""

    arguments: Any

    def play(self):
        """Play one game."""


methods(Game)


def game_of(play: Callable, *given: Any) -> Game | None:
    """The one kernel call of `play`; None if it makes several, or if other functions make them. NotAudited if `play` is
    the loop."""
    calls: list[tuple] = []
    keywords = {}
    if isinstance(play, partial):
        play, keywords = play.func, play.keywords
    if _pulls_itself(play):
        raise NotAudited("no kernel: only compiled loops are audited")
    _with_kernels_replaced(play, calls)(*given, **keywords)
    if len(calls) != 1:
        return None
    kernel, arguments = calls[0]
    return _class_of(kernel)(arguments)


def _pulls_itself(play: Callable) -> bool:
    """Whether `play` is a loop in plain Python: it calls `pull`, `note` or another step of the environments."""
    used = (play.__globals__.get(name) for name in play.__code__.co_names)
    return any(isinstance(each, Dispatcher) and ".environments." in each.py_func.__module__ for each in used)


@cache
def _class_of(kernel: Any) -> type:
    """The class of the games of a kernel; its name identifies the kernel where compiled code is kept."""

    def play(self):
        kernel(*self.arguments)

    name = "GameOf_" + f"{kernel.py_func.__module__}_{kernel.py_func.__qualname__}".replace(".", "_")
    # An attribute of this module, because compiled code that is kept in files refers to the class by its name.
    globals()[name] = type(name, (Game,), {"play": play, "__module__": __name__, "__slots__": ()})
    return globals()[name]
