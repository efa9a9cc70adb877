"""Compilation of the loops and the cache of machine code: `@kernel` and `@step` are numba's njit with our cache files.

The cache is in `src/dpbandits/__pycache__/kernels`; if that is not writable, in the folder `dpbandits-<user>` of the
system's temporary folder, provided that only this user can write there; otherwise there is no cache, and every job
compiles for itself. The environment variable NUMBA_CACHE_DIR replaces these folders. The cache can be deleted at any
time.

The cache files of numba have three weaknesses, which matter where many jobs share a folder. numba checks only whether
the file of the compiled function has changed: after an edit of a helper in another file, its callers still contain the
old helper. Two processes that compile one function for different types at the same time may both use the number 1 for
their code. And a truncated file makes every later start fail. Hence there is one file for each (function, types,
processor), whose name is a hash of these and of all compiled source files, and which holds a checksum. A function
without a valid file is compiled again; a process that needs a kernel which another one compiles waits for it. No name
depends on where the sources are: a copy of the project may take over the cache.

What makes numba compile faster is in `_faster_numba`.
"""

import fcntl
import hashlib
import inspect
import os
import pickle
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

import numba
from numba.core import types
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.registry import CPUDispatcher
from numba.core.targetconfig import ConfigStack
from numba.extending import overload_method

from dpbandits.kernels._faster_numba import (
    CompilerOfParts,
    compile_implementations_as_parts,
    without_search_for_garbage,
)


class _Kernel(CPUDispatcher):
    """A compiled function for Python. Other compiled functions have their own version of it."""

    within: CPUDispatcher

    @property
    def _numba_type_(self) -> types.Type:
        return types.Dispatcher(self.within)

    def compile(self, sig: Any) -> Any:
        """As numba does, while no other process compiles the same: it would wait here, and load what this one has kept."""
        with without_search_for_garbage():
            if not isinstance(self._cache, FunctionCache):
                return super().compile(sig)
            with self._cache._cache_file.reserved(self._cache._index_key(sig, self.targetctx.codegen())):
                return super().compile(sig)


_PACKAGE = Path(__file__).parent.parent
# Methods of a named tuple in place of a NumPy generator. numba 0.68 miscompiles kernels that build a named tuple of arrays
# and call an inlined method which holds another one, and it cannot inline a method into an overloaded function.
_OF_GENERATORS = frozenset(
    {
        "random", "uniform", "integers", "standard_normal", "normal", "laplace", "standard_exponential", "exponential",
        "beta", "binomial", "standard_gamma",
    }
)  # fmt: skip
_COMPILED = ("algorithms", "environments", "kernels", "privacy")


def kernel(function: Callable) -> Callable:
    """Compile a loop. No fastmath: a result must not depend on the order in which a compiler adds a sum."""
    return _compiled(function, counting=True)


def step(function: Callable) -> Callable:
    """Compile a step of a loop, which works with the arrays of its caller and makes none.

    A kernel counts references to each array, also to those in tuples, wherever it takes or names one; in a short step
    this takes longer than the step. Here nothing is counted: the caller holds the arrays. numba refuses to compile a
    step that makes an array, or a part of one to return it. A step becomes part of its callers, as passing a dozen
    numbers for each array takes time as well.
    """
    return _compiled(function, counting=False)


def _compiled(function: Callable, counting: bool) -> Callable:
    if numba.config.DISABLE_JIT:
        return function
    # `_nrt` is never left out: a function would inherit it from its first caller. No kernel is called from C, and the
    # wrapper for that takes a tenth of the time of compiling.
    options = {"nopython": True, "nogil": True, "_nrt": counting, "forceinline": not counting, "no_cfunc_wrapper": True}
    compiled = _Kernel(function, targetoptions=options)
    inner = {**options, "no_cpython_wrapper": True}
    compiled.within = CPUDispatcher(function, targetoptions=inner, pipeline_class=CompilerOfParts)
    for version in (compiled, compiled.within):
        _keep(version)
    return compiled


def _keep(version: CPUDispatcher) -> None:
    """Keep the code of a function in files. It depends on the types of the arguments, which the names of the files hold; that
    of numba's functions also on some options of the function that is being compiled (`CPUTargetOptions`)."""
    folder, function = _cache_folder(), version.py_func
    if folder is None:
        return
    numba.config.CACHE_DIR = folder
    version.enable_caching()
    caller = ConfigStack.top_or_none()
    options = ("nrt", "fastmath", "error_model", "forceinline")
    inherited = [] if caller is None else [str(getattr(caller, option)) for option in options]
    stamp = function.__module__, _source_outside(function), type(version).__name__, *inherited
    version._cache._cache_file = _CodeFiles(folder, version._cache._cache_file._index_name, stamp)


def methods(declared: type) -> None:
    """Let kernels call these methods of named tuples: `arms.reward(rng, a)` is the method of the tuple's own class.

    The class is known when a kernel is compiled, and the method is inlined into the kernel, without the cost of a call,
    unless it is one of a generator (`_OF_GENERATORS`) or plays a game. `declared` is a class that defines or documents them;
    other classes may define methods of the same names, but no fields.
    """
    for name, method in vars(declared).items():
        if inspect.isfunction(method) and name not in _REGISTERED:  # two classes may declare one method
            _REGISTERED.add(name)
            _register_method(name, inspect.signature(method))


_REGISTERED: set[str] = set()


def _register_method(name: str, signature: inspect.Signature) -> None:
    def method_of(self, *_):
        return getattr(self.instance_class, name)

    method_of.__signature__ = signature  # numba asks for it, and inlines no function with *args
    # numba's message about a kernel that fails within an inlined method, as a policy's may in the `play` of an audit, does
    # not say why.
    inline = "never" if name in _OF_GENERATORS | {"play"} else "always"
    # As a `step`. numba's other methods of generators may make arrays.
    options = {"_nrt": False, "forceinline": True} if name in {"random", "laplace", "standard_normal"} else {}
    # Not strict: a class may give the parameters other names than `declared` does.
    overload_method(types.BaseNamedTuple, name, inline=inline, strict=False, jit_options=options)(method_of)


class _CodeFiles(IndexDataCacheFile):
    """The cache files of one function, without numba's index: the name of each file identifies its content."""

    def _path(self, key: Any) -> str:
        return self._data_path(f"{Path(self._index_name).stem}.{self._digest(key)}.nbc")

    def _digest(self, key: Any) -> str:
        # numba's type names do not distinguish named tuples of equal names.
        classes = [_identity(named_tuple) for named_tuple in _classes_of(key[0])]
        identity = self._version, self._source_stamp, _digest_of_sources(), classes, key
        return hashlib.sha256(repr(identity).encode()).hexdigest()[:24]

    def load(self, key: Any) -> Any:
        """The compiled code, or None if there is no valid file."""
        try:
            content = Path(self._path(key)).read_bytes()
        except OSError:
            return None
        checksum, code = content[:32], content[32:]
        return pickle.loads(code) if hashlib.sha256(code).digest() == checksum else None

    def save(self, key: Any, data: Any) -> None:
        """Save the compiled code. A failure, such as a full disk, is ignored: the code is in memory. A TypeError: numba's
        linear algebra holds what cannot be saved."""
        try:
            code = self._dump(data)
            with self._open_for_write(self._path(key)) as file:
                file.write(hashlib.sha256(code).digest() + code)
        except (OSError, TypeError):
            pass

    def flush(self) -> None:
        """Nothing to do: there is no index."""

    @contextmanager
    def reserved(self, key: Any) -> Iterator[None]:
        """Wait until no other process holds this, and hold it; it ends with the process. Some file systems have no locks."""
        place = int(self._digest(key)[:15], 16)
        with suppress(OSError):
            fcntl.lockf(_lock_in(self._cache_path), fcntl.LOCK_EX, 1, place)
        try:
            yield
        finally:
            with suppress(OSError):
                fcntl.lockf(_lock_in(self._cache_path), fcntl.LOCK_UN, 1, place)


@cache
def _lock_in(folder: str) -> BinaryIO:
    """The file of which processes reserve one byte for each function that they compile; nothing is written into it."""
    return (Path(folder) / "compiling").open("ab")


def _classes_of(signature: Iterable[types.Type]) -> Iterator[type]:
    """The classes of all named tuples among these types, and within them."""
    for argument in signature:
        if isinstance(argument, types.BaseNamedTuple):
            yield argument.instance_class
        if isinstance(argument, types.BaseTuple):
            yield from _classes_of(argument.types)


@cache
def _identity(named_tuple: type) -> tuple[str, str, str]:
    """Identify a class by its module and name, and outside this package by its source, as its methods are inlined."""
    return named_tuple.__module__, named_tuple.__qualname__, _source_outside(named_tuple)


def _source_outside(defined: Callable | type) -> str:
    """The hash of the file that defines a function or a class, and of all others of its package, whose kernels it may call;
    "" if `_digest_of_sources` covers it."""
    module = inspect.getmodule(defined)
    covered = tuple(f"dpbandits.{name}." for name in _COMPILED)
    if f"{defined.__module__}.".startswith(covered) or not getattr(module, "__file__", None):
        return ""
    package = sys.modules.get(module.__name__.partition(".")[0])
    if package is numba:
        return ""  # its version is in the name of each file
    if package in (None, module, sys.modules["dpbandits"]) or not package.__file__:
        return hashlib.sha256(Path(module.__file__).read_bytes()).hexdigest()
    return _digest_of([Path(package.__file__).parent])


@cache
def _digest_of_sources() -> str:
    return _digest_of(_PACKAGE / room for room in _COMPILED)


def _digest_of(folders: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in sorted(path for folder in folders for path in folder.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def _cache_folder() -> str | None:
    """The first writable folder of those listed in the module's docstring."""
    requested = os.environ.get("NUMBA_CACHE_DIR")
    fallback = Path(tempfile.gettempdir()) / f"dpbandits-{os.getuid()}"
    for folder in [Path(requested)] if requested else [_PACKAGE / "__pycache__" / "kernels", fallback]:
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700 if folder == fallback else 0o777)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError:
            continue
        if folder != fallback or _only_we_can_write(folder):
            return str(folder)
    return None


def _only_we_can_write(folder: Path) -> bool:
    """Whether only this user can write into the folder: the content of a cache is executed."""
    status = folder.lstat()
    return not folder.is_symlink() and status.st_uid == os.getuid() and not status.st_mode & 0o022


compile_implementations_as_parts(_keep)
