"""The cache of the machine code of kernels.

The folder is `src/dpbandits/__pycache__/kernels` or, if that is read-only, ~/.cache/dpbandits. The
environment variable NUMBA_CACHE_DIR replaces both. Without a writable folder every process compiles
for itself. The folder can be deleted at any time.

numba's own cache misses changes of a helper in another file, may confuse the code of two processes
that write at once, and fails at a truncated file. Here each (function, types, processor) has a file
of its own. The file's name is a hash of these and of the code of all modules that the function can
reach. The file begins with a checksum. Code that cannot be traced to files is not kept, nor is code
of a module with a constant that cannot be pickled, such as a lock.
"""

import hashlib
import inspect
import io
import os
import pickle
import sys
import tempfile
import time
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np

from dpbandits import numba_internals
from dpbandits.files import written_whole

__all__ = ["njit_and_keep"]
STARTED = time.time()  # when this process began
# Modules that are not traced. The versions of NumPy and numba are in the key.
LIBRARIES = {*sys.stdlib_module_names, "numba", "numpy", "pandas", "scipy", "typing_extensions"}
# Modules whose values no kernel reads; some change while a process runs.
MACHINERY = {
    f"dpbandits.{name}" for name in ("code_cache", "kernels", "numba_internals", "compiled")
}
COMPILED = type(numba.njit(lambda: None))
# The modules of the types of ordinary classes. Members of an enum are values.
ORDINARY = {"abc", "builtins", "numpy", "typing"}


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
            classes = [*_classes_in(key[0])]
            methods = (method for each in classes for method in _methods_of(each))
            code = code_behind([function, *classes, *methods])
        except Exception:  # pickle refuses a value in many ways
            return None
        numba_settings = [
            (name, value)
            for name, value in sorted(os.environ.items())
            if name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR"
        ]
        versions = [each.__version__ for each in (numba, llvmlite, np)]
        versions.append(sys.implementation.cache_tag)
        identity = repr((versions, numba_settings, self.options, code, key))
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
        if path := self._path(key):
            with suppress(OSError, pickle.PicklingError, AttributeError, TypeError):
                code = pickle.dumps(data)
                with written_whole(path) as file:
                    file.write(hashlib.sha256(code).digest() + code)

    def flush(self) -> None:
        """Do nothing: there is no index."""


def is_code(value: Any) -> bool:
    """Whether kernels can call a value: a function, or one that is compiled."""
    return inspect.isfunction(value) or isinstance(value, COMPILED)


class Untraceable(Exception):
    """The code in memory cannot be traced to files with certainty."""


def code_behind(values: Iterable[Any]) -> str:
    """Hash the modules of functions and classes, and all modules that these import from.

    The hash covers each module's name, source and the values of its constants. Untraceable is
    raised if a source has changed since this process began, and for a function with a closure or
    from a notebook. Packages are refused, too: their names depend on other imports.
    """
    tracer = Tracer(content := io.BytesIO())
    tracer.dump([*values])
    for name in tracer.modules:  # the list grows
        module = sys.modules.get(name)
        file = getattr(module, "__file__", None)
        if not file or hasattr(module, "__path__"):
            raise Untraceable(name)
        status = os.stat(file)
        # `cp -p` and `rsync -a` preserve st_mtime, but not st_ctime.
        if max(status.st_mtime, status.st_ctime) > STARTED:
            raise Untraceable(name)
        own = {} if name in MACHINERY else vars(module)
        constants = {key: value for key, value in own.items() if not key.startswith("__")}
        tracer.dump([name, Path(file).read_bytes(), constants])
    return hashlib.sha256(content.getvalue()).hexdigest()


class Tracer(pickle.Pickler):
    """Write the key of values, and list the modules whose code they reach.

    The key of a constant is its pickle, that of code its name. Kernels read nothing of an ordinary
    class or of a library's function.
    """

    def __init__(self, content: io.BytesIO):
        super().__init__(content)
        self.fast = True  # whether two equal values are one object depends on the process
        self.modules = [__name__, numba_internals.__name__]

    def persistent_id(self, value: Any) -> Any:
        """The key of code; None for a constant, and for a tuple's class, which pickle looks up."""
        if isinstance(value, types.ModuleType):
            return self._reach(value.__name__)
        if is_code(value):
            function = getattr(value, "py_func", value)
            defaults = function.__defaults__, function.__kwdefaults__
            return self._reach(_home(function)), function.__qualname__, defaults
        if isinstance(value, type) and issubclass(value, tuple):
            self._reach(value.__module__)
        elif isinstance(value, type) and type(value).__module__ in ORDINARY:
            return value.__module__, value.__qualname__
        # numba numbers its types, and sets are in any order.
        elif isinstance(value, numba.types.Type | type | set | frozenset):
            raise Untraceable(value)
        return None

    def _reach(self, module: str) -> str:
        if module not in self.modules and module.partition(".")[0] not in LIBRARIES:
            self.modules.append(module)
        return module


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
