"""How the loops are compiled, and where the machine code is kept: `@kernel` is numba's njit with a cache of our own make.

The cache lies in `src/dpbandits/__pycache__/kernels`; where that cannot be written, in the folder `dpbandits-<user>` of
the system's temporary folder, if that is ours alone; else nowhere, and every job compiles for itself. The environment
variable NUMBA_CACHE_DIR, if set, says where instead. It can be deleted at any time.

numba's own files have three weaknesses, which matter where many jobs share a folder. numba asks only whether the file of
the compiled function has changed: edit a helper in another file and the old helper lives on inside its callers. Two
processes that compile one function for different types at once may both take the number 1 for their code. And a
truncated file ends every later start. Hence one file for each (function, types, processor), named after them; in it the
digest of the source of everything that is ever compiled here, and a checksum. What does not fit is compiled again.
"""

import hashlib
import inspect
import os
import pickle
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core import types
from numba.core.caching import IndexDataCacheFile
from numba.extending import overload_method

_PACKAGE = Path(__file__).parent
_COMPILED = ("algorithms", "environments", "privacy")


def kernel(function: Callable) -> Callable:
    """Compile a loop. No fastmath: a result must not depend on how a compiler chose to reorder a sum."""
    place = _cache_folder()
    if place is None:
        return numba.njit(nogil=True)(function)
    numba.config.CACHE_DIR = place
    compiled = numba.njit(nogil=True, cache=True)(function)
    if hasattr(compiled, "_cache"):  # not where NUMBA_DISABLE_JIT is set
        numbas = compiled._cache._cache_file
        compiled._cache._cache_file = _CodeFiles(numbas._cache_path, numbas._index_name, numbas._source_stamp)
    return compiled


def methods(declared: type) -> None:
    """Let kernels call these methods of named tuples: `arms.reward(rng, a)` is the method of the tuple's own class.

    The class is known when a kernel is compiled, and the method becomes a part of the kernel: it costs no call. `declared`
    is a class that defines or documents them; other classes may define methods of the same names.
    """
    for name, method in vars(declared).items():
        if inspect.isfunction(method):
            _let_kernels_call(name, len(inspect.signature(method).parameters) - 1)


def _let_kernels_call(name: str, given: int) -> None:
    def with_one(self, x):
        method = _part_of_kernels(getattr(self.instance_class, name))
        return lambda self, x: method(self, x)

    def with_two(self, x, y):
        method = _part_of_kernels(getattr(self.instance_class, name))
        return lambda self, x, y: method(self, x, y)

    def with_three(self, x, y, z):
        method = _part_of_kernels(getattr(self.instance_class, name))
        return lambda self, x, y, z: method(self, x, y, z)

    def with_four(self, w, x, y, z):
        method = _part_of_kernels(getattr(self.instance_class, name))
        return lambda self, w, x, y, z: method(self, w, x, y, z)

    call = (with_one, with_two, with_three, with_four)[given - 1]
    overload_method(types.BaseNamedTuple, name, inline="always")(call)


@cache
def _part_of_kernels(method: Callable) -> Callable:
    return numba.njit(nogil=True, inline="always")(method)


class _CodeFiles(IndexDataCacheFile):
    """The files of one function: no index, and each says itself what it is."""

    def _path(self, key: Any) -> str:
        classes = [_described(one) for one in _classes_of(key[0])]  # numba's names of types do not tell them apart
        name = hashlib.sha256(repr((self._version, _digest_of_sources(), classes, key)).encode()).hexdigest()[:24]
        return self._data_path(f"{Path(self._index_name).stem}.{name}.nbc")

    def load(self, key: Any) -> Any:
        """The code, or None if there is none that can be used."""
        try:
            content = Path(self._path(key)).read_bytes()
        except OSError:
            return None
        checksum, code = content[:32], content[32:]
        return pickle.loads(code) if hashlib.sha256(code).digest() == checksum else None

    def save(self, key: Any, data: Any) -> None:
        """Keep the code; that it cannot be kept, the disk being full, is no reason to stop."""
        code = self._dump(data)
        try:
            with self._open_for_write(self._path(key)) as file:
                file.write(hashlib.sha256(code).digest() + code)
        except OSError:
            pass

    def flush(self) -> None:
        """There is no index to empty."""


def _classes_of(signature: Iterable[types.Type]) -> Iterator[type]:
    """The classes of all named tuples among these types, and within them."""
    for one in signature:
        if isinstance(one, types.BaseNamedTuple):
            yield one.instance_class
        if isinstance(one, types.BaseTuple):
            yield from _classes_of(one.types)


@cache
def _described(named_tuple: type) -> tuple[str, str, str]:
    """Where a class is defined, and for those that are not from here, by which source: its methods are parts of kernels."""
    module = inspect.getmodule(named_tuple)
    source = ""
    if not named_tuple.__module__.startswith(f"{__package__}.") and getattr(module, "__file__", None):
        source = hashlib.sha256(Path(module.__file__).read_bytes()).hexdigest()
    return named_tuple.__module__, named_tuple.__qualname__, source


@cache
def _digest_of_sources() -> str:
    digest = hashlib.sha256()
    for path in sorted(p for folder in _COMPILED for p in (_PACKAGE / folder).rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def _cache_folder() -> str | None:
    """The first of the places above that can be written."""
    asked = os.environ.get("NUMBA_CACHE_DIR")
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "")
    elsewhere = Path(tempfile.gettempdir()) / f"dpbandits-{user}"
    for place in [Path(asked)] if asked else [_PACKAGE / "__pycache__" / "kernels", elsewhere]:
        try:
            place.mkdir(parents=True, exist_ok=True, mode=0o700 if place == elsewhere else 0o777)
            with tempfile.TemporaryFile(dir=place):
                pass
        except OSError:
            continue
        if place != elsewhere or _ours_alone(place):
            return str(place)
    return None


def _ours_alone(folder: Path) -> bool:
    """What lies in a cache is executed: nobody else may write into it."""
    about = folder.lstat()
    return not hasattr(os, "getuid") or (
        not folder.is_symlink() and about.st_uid == os.getuid() and not about.st_mode & 0o022
    )
