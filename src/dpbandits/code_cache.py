"""The cache of the machine code of kernels.

The folder is `src/dpbandits/__pycache__/kernels` or, if that is read-only, ~/.cache/dpbandits. The
environment variable NUMBA_CACHE_DIR replaces both. Without a writable folder every process compiles
for itself. The folder can be deleted at any time.

numba's own cache misses changes of a helper in another file, may confuse the code of two processes
that write at once, and fails at a truncated file. Here each (function, types, processor) has a file
of its own. The file's name is a hash of these and of the code of all modules that the function can
reach. The file begins with a checksum. Code that cannot be traced to files is not kept, nor is code
of a module with a constant that has no key here, such as an enum or an object of a class.
"""

import hashlib
import inspect
import os
import pickle
import sys
import tempfile
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any
from uuid import uuid4

import numba
import numpy as np

from dpbandits import numba_internals

__all__ = ["njit_and_keep"]
# When this process began. A float would be a constant of this module, and so part of every key.
STARTED = datetime.now()
# Modules that are not traced. The versions of NumPy and numba are in the key.
LIBRARIES = {*sys.stdlib_module_names, "numba", "numpy", "pandas", "scipy", "typing_extensions"}
# Modules whose values no kernel reads; some change while a process runs.
MACHINERY = {
    f"dpbandits.{name}" for name in ("code_cache", "kernels", "numba_internals", "compiled")
}
# `repr` shows all of these.
CONSTANTS = bool | int | float | complex | str | bytes | np.generic | np.dtype | None
# The modules of the types of values such as Literal["a"], an abstract class, or a cached function.
UNREADABLE = {"abc", "dataclasses", "functools", "types", "typing"}
COMPILED = type(numba.njit(lambda: None))


def njit_and_keep(function: Callable, options: Mapping[str, bool]) -> Any:
    """Compile a function when it is called. Load its code from its files, and keep new code there.

    The options are those of `njit`.
    """
    files = folder() and CodeFiles(function, options)
    return numba_internals.njit_with_files(function, options, files)


@cache
def folder() -> str | None:
    """The first writable folder of those listed in the module's docstring."""
    requested = os.environ.get("NUMBA_CACHE_DIR")
    own = Path(__file__).parent / "__pycache__" / "kernels"
    for candidate in [requested] if requested else [own, "~/.cache/dpbandits"]:
        with suppress(OSError, RuntimeError):  # RuntimeError: this user has no home
            place = Path(candidate).expanduser()
            place.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=place):
                return str(place)
    return None


class CodeFiles:
    """The files of one function, in place of numba's: a file's name identifies its content."""

    def __init__(self, function: Callable, options: Mapping[str, bool]):
        self.function, self.options = function, options

    def _path(self, key: Any) -> Path | None:
        """The file for these types; None if the code cannot be kept."""
        function = self.function
        try:
            classes = dict.fromkeys(_classes_in(key[0]))
            code = code_behind([function, *(m for each in classes for m in _methods_of(each))])
            names = [_reachable(each) for each in classes]
        except (Untraceable, OSError, RecursionError):
            return None
        numba_settings = [
            (name, value)
            for name, value in sorted(os.environ.items())
            if name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR"
        ]
        versions = numba.__version__, np.__version__
        identity = repr((versions, numba_settings, self.options, code, names, key))
        digest = hashlib.sha256(identity.encode()).hexdigest()
        return Path(folder()) / f"{function.__qualname__}.{digest[:24]}.nbc"

    def load(self, key: Any) -> Any:
        """Return the compiled code, or None if there is no valid file."""
        path = self._path(key)
        with suppress(OSError):
            content = path.read_bytes() if path else b""
            if hashlib.sha256(content[32:]).digest() == content[:32]:
                return pickle.loads(content[32:])
        return None

    def save(self, key: Any, data: Any) -> None:
        """Write the compiled code. Ignore failures, such as a full disk: the code is in memory."""
        path = self._path(key)
        if path:
            draft = path.with_name(f"{path.name}.{uuid4().hex}")
            with suppress(OSError, pickle.PicklingError, AttributeError, TypeError):
                code = pickle.dumps(data)
                try:
                    draft.write_bytes(hashlib.sha256(code).digest() + code)
                    draft.replace(path)
                finally:
                    draft.unlink(missing_ok=True)

    def flush(self) -> None:
        """Do nothing: there is no index."""


def is_code(value: Any) -> bool:
    """Whether kernels can call a value: a function, or one that is compiled."""
    return inspect.isfunction(value) or isinstance(value, COMPILED)


class Untraceable(Exception):
    """The code in memory cannot be traced to files with certainty."""


def code_behind(functions: Iterable[Callable]) -> str:
    """Hash the modules of these functions and all modules that these import from.

    The hash covers each module's name, source and the values of its constants. Untraceable is
    raised if a source has changed since this process began, for a constant without a key, and for a
    function with a closure or from a notebook. Packages are refused, too: their names depend on
    other imports.
    """
    words, names = [], [__name__, numba_internals.__name__]

    def trace(key: str, value: Any) -> None:
        for home, word in _parts(value):
            words.append((key, word))
            if home not in names and home.partition(".")[0] not in LIBRARIES:
                names.append(home)

    for function in functions:
        trace("", function)
    for name in names:  # the list grows
        module = sys.modules.get(name)
        file = getattr(module, "__file__", None)
        if not file or hasattr(module, "__path__"):
            raise Untraceable(name)
        words.append((name, Path(file).read_bytes()))
        status = os.stat(file)
        # `cp -p` and `rsync -a` preserve st_mtime, but not st_ctime.
        if max(status.st_mtime, status.st_ctime) > STARTED.timestamp():
            raise Untraceable(name)
        for key, value in vars(module).items():
            if not key.startswith("__") and name not in MACHINERY:
                trace(key, value)
    return hashlib.sha256(repr(words).encode()).hexdigest()


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    """The home module and the key of everything in a value that kernels can use.

    The key of a constant is its value, that of anything else its name. Kernels read nothing of an
    ordinary class or of a library's function.
    """
    home = type(value).__module__.partition(".")[0]
    if isinstance(value, types.ModuleType):
        yield value.__name__, None
    elif isinstance(value, np.ndarray):
        yield "numpy", (value.dtype, value.shape, value.tobytes())
    elif is_code(value):
        function = getattr(value, "py_func", value)
        yield _home(function), function.__qualname__
        yield from _parts((function.__defaults__, function.__kwdefaults__))
    elif inspect.isclass(value) and issubclass(value, tuple):
        yield value.__module__, value.__qualname__
    elif isinstance(value, tuple | list):
        yield from _parts(type(value))
        yield "builtins", len(value)
        for member in value:
            yield from _parts(member)
    elif isinstance(value, dict):
        yield from _parts(list(value.items()))
    elif isinstance(value, CONSTANTS) and home in ("builtins", "numpy"):
        yield "builtins", repr(value)
    elif type(value) is type or home in UNREADABLE:
        yield "builtins", None
    elif isinstance(value, numba.types.Type):
        yield "builtins", repr(value)
    elif not isinstance(value, types.BuiltinFunctionType | np.ufunc):
        raise Untraceable(value)


def _home(function: Callable) -> str:
    """The module whose file defines a function."""
    file = getattr(sys.modules.get(function.__module__), "__file__", None)
    is_nested = function.__closure__ or function.__code__.co_filename != file
    if is_nested and function.__module__.partition(".")[0] not in LIBRARIES:
        raise Untraceable(function)
    return function.__module__


def _classes_in(signature: Iterable[Any]) -> Iterator[type]:
    """The classes of all named tuples among these types and within them.

    A function among them is refused. numba would key it by its address in memory, and would load
    its code again at every call.
    """
    for argument in signature:
        if isinstance(argument, numba.types.Callable):
            raise Untraceable(argument)
        if isinstance(argument, numba.types.BaseNamedTuple):
            yield argument.instance_class
        if isinstance(argument, numba.types.BaseTuple):
            yield from _classes_in(argument.types)


def _methods_of(tuple_class: type) -> Iterator[Callable]:
    """The methods that kernels may call."""
    for name, method in inspect.getmembers(tuple_class, is_code):
        if not name.startswith("_"):
            yield getattr(method, "py_func", method)


def _reachable(tuple_class: type) -> tuple[str, str]:
    """The module and name of a class, by which another process finds the same class."""
    place = tuple_class.__module__, tuple_class.__qualname__
    with suppress(KeyError, AttributeError):
        if attrgetter(place[1])(sys.modules[place[0]]) is tuple_class:
            return place
    raise Untraceable(place)
