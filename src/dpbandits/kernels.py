"""How loops are compiled (`kernel`, `step`, `methods`), and where their machine code is kept.

Machine code is kept in `src/dpbandits/__pycache__/kernels`; if that is not writable, in ~/.cache/dpbandits; otherwise every
process compiles for itself. The environment variable NUMBA_CACHE_DIR replaces these folders, which can be deleted at any time.

numba's own cache does not notice a changed helper in another file, may confuse the code of two processes that write together, and
fails at a truncated file. So there is one file for each (function, types, processor). Its name is a hash of these and of the code of
every module that can be reached, and it begins with a checksum. Code that depends on a function without a file of its own is not kept.

What numba does not document and this module uses: a compiled function's `_cache._cache_file`, the class `IndexDataCacheFile`,
the option `_nrt`, and `FunctionIdentity._unique_ids` (tests/test_kernels.py names the version).
"""

import hashlib
import inspect
import os
import pickle
import sys
import tempfile
import types
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import numba
import numba.core.typing.collections  # first: then a field goes before a method of its name
import numpy as np
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import IndexDataCacheFile
from numba.extending import overload_method, register_jitable
from numba.types import BaseNamedTuple, BaseTuple

__all__ = ["inlined", "kernel", "methods", "step", "uniquely_named"]
STARTED = (
    datetime.now()
)  # this process; a float would be a constant of this module, and so part of the names of files
# These are not followed. Of those that kernels can use, numba and NumPy, the versions are in the names of files.
LIBRARIES = {*sys.stdlib_module_names, "numba", "numpy", "pandas", "scipy", "typing_extensions"}
USUAL = {"nogil": True, "no_cfunc_wrapper": True}  # nobody calls kernels from C
STEP = {**USUAL, "forceinline": True, "_nrt": False}
inlined = register_jitable(**STEP)  # a step that plain Python may call, too
DECLARED: set[str] = set()  # the names of methods, which no named tuple may have as a field
_CLASSES: dict[str, type] = {}


def kernel(function: Callable) -> Callable:
    """Compile a function that may allocate arrays, or that is too large or too rare to become part of its callers. No fastmath: a
    result must not depend on the order in which a compiler adds."""
    # `_nrt` is never left out: a kernel would inherit the option from a step that calls it.
    return _compiled(function, **USUAL, _nrt=True)


def step(function: Callable) -> Callable:
    """Compile a function that a loop calls in every round: it becomes part of its callers, and counts no references to their
    arrays, which would take longer than the step. numba refuses to compile one that allocates an array."""
    return _compiled(function, **STEP)


def _compiled(function: Callable, **options: bool) -> Callable:
    if numba.config.DISABLE_JIT:
        return function
    compiled, folder = numba.njit(**options)(function), _folder()
    if folder:
        numba.config.CACHE_DIR = folder
        with suppress(RuntimeError):  # numba finds no file of a function that was made by `exec`
            compiled.enable_caching()
            compiled._cache._cache_file = CodeFiles(folder, compiled)
    return compiled


def methods(declared: type) -> type:
    """Let kernels call the methods of named tuples that this class declares: `arms.reward(rng, a)` is the method of the tuple's
    own class. The class is known when a kernel is compiled, and the method becomes part of the kernel."""
    for name, method in vars(declared).items():
        if (
            inspect.isfunction(method) and name[0] != "_" and name not in DECLARED
        ):  # two classes may declare one method
            DECLARED.add(name)
            _declare(name, inspect.signature(method))
    return declared


def uniquely_named(found: type) -> type:
    """Give a class of named tuples a name that no other has: numba takes two of one name, such as the one before an edit in a
    notebook, for the same class, and would play the first. TypeError if a field is called like a method that kernels call."""
    while _CLASSES.setdefault(found.__name__, found) is not found:
        found.__name__ += "_"
    return found


def _declare(name: str, signature: inspect.Signature) -> None:
    def method_of(self, *_):
        return getattr(self.instance_class, name)

    method_of.__signature__ = signature  # numba asks for it, and inlines no function with *args
    # Not strict: a class may give the parameters other names than `declared` does.
    overload_method(BaseNamedTuple, name, strict=False, jit_options=STEP)(method_of)


def _number_functions_at_random() -> None:
    """Number the functions that this process compiles from a random number on. The number is part of the name of their code, and
    numba begins with 1 in every process: code from two processes could be mistaken for each other."""
    FunctionIdentity._unique_ids = count(int.from_bytes(os.urandom(7), "little"))


_number_functions_at_random()
os.register_at_fork(after_in_child=_number_functions_at_random)


class CodeFiles(IndexDataCacheFile):
    """The files of one function, in place of numba's: the name of each file identifies its content."""

    def __init__(self, folder: str, function: Any):
        super().__init__(
            folder, f"{function.py_func.__module__}.{function.py_func.__qualname__}", ""
        )
        self.function = function

    def _path(self, key: Any) -> Path | None:
        """The file of the code for these types; None if it cannot be kept."""
        try:
            code = code_behind([self.function.py_func, *_methods_in(key[0])])
        except (NotFound, OSError):
            return None
        settings = [
            (k, v)
            for k, v in sorted(os.environ.items())
            if k.startswith("NUMBA_") and k != "NUMBA_CACHE_DIR"
        ]
        name = hashlib.sha256(
            repr((self._version, np.__version__, settings, STEP, code, key)).encode()
        ).hexdigest()
        return Path(self._cache_path) / f"{self.function.py_func.__qualname__}.{name[:24]}.nbc"

    def load(self, key: Any) -> Any:
        """The compiled code, or None if there is no valid file."""
        path = self._path(key)
        with suppress(OSError):
            content = path.read_bytes() if path else b""
            if hashlib.sha256(content[32:]).digest() == content[:32]:
                return pickle.loads(content[32:])
        return None

    def save(self, key: Any, data: Any) -> None:
        """Keep the compiled code. A failure, such as a full disk, is ignored: the code is in memory."""
        path = self._path(key)
        if path:
            with suppress(OSError), self._open_for_write(str(path)) as file:
                code = self._dump(data)
                file.write(hashlib.sha256(code).digest() + code)

    def flush(self) -> None:
        """Nothing to do: there is no index."""


class NotFound(Exception):
    """Code depends on what cannot be found."""


def code_behind(functions: Iterable[Callable]) -> str:
    """A hash of the modules of these functions and of all modules that they import from: of their sources, and of the values of
    their names.

    NotFound where that is not certain to be the code in memory: a source that has changed since this process began; a package, whose
    names depend on what else has been imported; a function with a closure, or from a notebook.
    """
    words, names = [], list(dict.fromkeys(map(_home, functions)))
    for name in names:  # which grows
        module = sys.modules.get(name)
        file = getattr(module, "__file__", None)
        if not file or hasattr(module, "__path__") or os.stat(file).st_mtime > STARTED.timestamp():
            raise NotFound(name)
        words.append(Path(file).read_bytes())
        for key, value in vars(module).items():
            if not key.startswith("__"):
                home, word = _named(value)
                words.append((key, word))
                if home not in names and home.partition(".")[0] not in LIBRARIES:
                    names.append(home)
    return hashlib.sha256(repr(words).encode()).hexdigest()


def _named(value: Any) -> tuple[str, Any]:
    """The module that a value comes from, if kernels can use it, and what identifies it there: a constant itself, or its name."""
    if isinstance(value, types.ModuleType):
        return value.__name__, None
    if isinstance(value, np.ndarray):
        return "numpy", (value.dtype, value.shape, value.tobytes())
    if hasattr(value, "py_func"):
        return _home(value.py_func), value.py_func.__qualname__
    if inspect.isfunction(value) or (inspect.isclass(value) and issubclass(value, tuple)):
        return value.__module__, value.__qualname__
    if isinstance(value, bool | int | float | str | tuple | np.generic | np.dtype):
        return "builtins", repr(value)
    return "builtins", None


def _home(function: Callable) -> str:
    """The module in whose file a function stands."""
    file = getattr(sys.modules.get(function.__module__), "__file__", None)
    if function.__closure__ or function.__code__.co_filename != file:
        raise NotFound
    return function.__module__


def _methods_in(signature: Iterable[Any]) -> Iterator[Callable]:
    """The methods of all named tuples among these types, and within them."""
    for argument in signature:
        if isinstance(argument, BaseNamedTuple):
            members = inspect.getmembers(argument.instance_class, inspect.isfunction)
            yield from (method for name, method in members if name[0] != "_")
        if isinstance(argument, BaseTuple):
            yield from _methods_in(argument.types)


@cache
def _folder() -> str | None:
    """The first writable folder of those listed in the module's docstring."""
    requested = os.environ.get("NUMBA_CACHE_DIR")
    own = Path(__file__).parent / "__pycache__" / "kernels"
    for folder in [requested] if requested else [own, "~/.cache/dpbandits"]:
        with suppress(OSError, RuntimeError):  # RuntimeError: this user has no home
            found = Path(folder).expanduser()
            found.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=found):
                return str(found)
    return None
