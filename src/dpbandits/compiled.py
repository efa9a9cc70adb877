"""How loops are compiled, and where their machine code is kept.

`@kernel` compiles a function that allocates arrays, `@step` one that a loop calls in every round, and `methods` lets both call the
methods of named tuples.

Machine code is kept in `src/dpbandits/__pycache__/kernels`; if that is not writable, in ~/.cache/dpbandits; otherwise every
process compiles for itself. The environment variable NUMBA_CACHE_DIR replaces these folders, which can be deleted at any time.

numba's own cache does not notice a changed helper in another file, may confuse the code of two processes that write together, and
fails at a truncated file. So there is one file for each (function, types, processor). Its name is a hash of these and of the code of
every function that can be reached, and it begins with a checksum. A function that calls what cannot be found is not kept.

What numba does not document and this module uses: a compiled function's `_cache._cache_file`, the class `IndexDataCacheFile`,
the option `_nrt`, and `FunctionIdentity._unique_ids` (tests/test_compiled.py names the version).
"""

import hashlib
import inspect
import os
import pickle
import tempfile
import types
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import IndexDataCacheFile
from numba.extending import overload_method, register_jitable
from numba.types import BaseNamedTuple, BaseTuple

__all__ = ["kernel", "methods", "register_jitable", "step"]
LIBRARIES = ("builtins", "math", "numba", "numpy")  # are not followed: the versions of numba and NumPy are in the names
STEP = {"forceinline": True, "_nrt": False}
DECLARED: set[str] = set()  # the names of methods, which no named tuple may have as a field
_CLASSES: dict[str, type] = {}


def kernel(function: Callable) -> Callable:
    """Compile a function that allocates arrays. No fastmath: a result must not depend on the order in which a compiler adds.

    `_nrt` is never left out: a kernel would inherit the option from a step that calls it.
    """
    return _compiled(function, nogil=True, _nrt=True)


def step(function: Callable) -> Callable:
    """Compile a function that a loop calls in every round: it becomes part of its callers, and counts no references to their
    arrays, which would take longer than the step. numba refuses to compile one that allocates an array."""
    return _compiled(function, nogil=True, **STEP)


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


def methods(declared: type) -> None:
    """Let kernels call the methods of named tuples that this class declares: `arms.reward(rng, a)` is the method of the tuple's
    own class. The class is known when a kernel is compiled, and the method becomes part of the kernel."""
    for name, method in vars(declared).items():
        if inspect.isfunction(method) and name[0] != "_" and name not in DECLARED:  # two classes may declare one method
            DECLARED.add(name)
            _declare(name, inspect.signature(method))


def told_apart(found: type) -> type:
    """Give a class of named tuples a name that no other has: numba takes two of one name, such as the one before an edit in a
    notebook, for the same class, and would play the first."""
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
        super().__init__(folder, f"{function.py_func.__module__}.{function.py_func.__qualname__}", "")
        self.function = function

    def _path(self, key: Any) -> Path | None:
        """The file of the code for these types; None if it cannot be kept."""
        try:
            code = code_behind([self.function, *_classes_of(key[0])])
        except NotFound:
            return None
        settings = [(k, v) for k, v in sorted(os.environ.items()) if k.startswith("NUMBA_") and k != "NUMBA_CACHE_DIR"]
        name = hashlib.sha256(repr((self._version, np.__version__, settings, STEP, code, key)).encode()).hexdigest()[
            :24
        ]
        return Path(self._cache_path) / f"{self.function.py_func.__qualname__}.{name}.nbc"

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
    """A function uses something whose code cannot be found."""


def code_behind(first: Iterable[Any]) -> str:
    """A hash of the code, as it is in memory, of these functions and classes and of all that they can reach: other functions,
    classes with their methods, and constants."""
    digest, seen, waiting = hashlib.sha256(), set(), list(first)
    while waiting:
        found = waiting.pop()
        if id(found) not in seen:
            seen.add(id(found))
            words, used = _of_class(found) if isinstance(found, type) else _of_function(found)
            digest.update(repr(words).encode())
            waiting.extend(used)
    return digest.hexdigest()


def _of_class(found: type) -> tuple[list, list[Any]]:
    """The fields of a named tuple, and its methods but those that Python makes for every named tuple."""
    own = [base for base in found.__mro__ if base not in (tuple, object)]
    functions = [value for base in own for value in vars(base).values() if inspect.isfunction(value)]
    made = "collections", "namedtuple_"
    return [found.__module__, found.__qualname__, getattr(found, "_fields", ())], [
        f for f in functions if not f.__module__.startswith(made)
    ]


def _of_function(found: Callable) -> tuple[list, list[Any]]:
    """The code of a function with the constants that it names, and the functions and classes that it names."""
    options = sorted(getattr(found, "targetoptions", {}).items())
    found = getattr(found, "py_func", found)
    words, used = [options, found.__module__, found.__qualname__], []
    for code in _codes(found.__code__):
        plain = [constant for constant in code.co_consts if not isinstance(constant, types.CodeType)]
        words += [code.co_code, code.co_names, code.co_varnames, plain]
        for value in _named_by(code, found):
            home = getattr(value, "__module__", None) or type(value).__module__
            if _is_constant(value):
                words.append((value.dtype, value.shape, value.tobytes()) if isinstance(value, np.ndarray) else value)
            elif isinstance(value, types.ModuleType):
                words.append(value.__name__)
            elif hasattr(value, "py_func") and home.partition(".")[0] not in LIBRARIES:
                used.append(value)
            elif home.partition(".")[0] in LIBRARIES and callable(value):
                words.append((home, getattr(value, "__qualname__", None) or repr(value)))
            elif isinstance(value, types.FunctionType | type):
                used.append(value)
            else:
                raise NotFound
    return words, used


def _named_by(code: types.CodeType, function: types.FunctionType) -> Iterator[Any]:
    """The values outside a function that its code names, also as attributes of a module."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    known = function.__globals__ | {name: cell.cell_contents for name, cell in cells.items()}
    yield from function.__defaults__ or ()
    waiting = [known[name] for name in (*code.co_names, *code.co_freevars) if name in known]
    while waiting:
        value = waiting.pop()
        yield value
        if isinstance(value, types.ModuleType) and value.__name__.partition(".")[0] not in LIBRARIES:
            waiting += [getattr(value, name) for name in code.co_names if hasattr(value, name)]


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """The code of a function and of the functions within it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


def _is_constant(value: Any) -> bool:
    return isinstance(value, bool | int | float | str | np.generic | np.ndarray | None) or (
        type(value) is tuple and all(map(_is_constant, value))
    )


def _classes_of(signature: Iterable[Any]) -> Iterator[type]:
    """The classes of all named tuples among these types, and within them."""
    for argument in signature:
        if isinstance(argument, BaseNamedTuple):
            yield argument.instance_class
        if isinstance(argument, BaseTuple):
            yield from _classes_of(argument.types)


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
