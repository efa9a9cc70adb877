"""The undocumented parts of numba in use. Each is only for speed.

If a version of numba lacks one, the code goes on without it, with the same numbers, and prints one
line of warning. Names in `numba.types` and `numba.extending` count as documented.
"""

import os
import sys
from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import Any

import numba

__all__ = ["call_methods", "known_options", "njit_with_files"]
_warn = cache(partial(print, file=sys.stderr))  # prints each line once


@contextmanager
def _plain_way(says: str) -> Iterator[None]:
    """If numba lacks something that a block uses, warn and go on after the block."""
    try:
        yield
    except (ImportError, AttributeError) as failure:
        _warn(f"numba {numba.__version__}: {says} ({failure})")


def known_options(**options: bool) -> dict[str, bool]:
    """Return options of `njit`, or none of them if numba would refuse one."""
    with _plain_way("loops or compiling are slower"):
        from numba.core.cpu import CPUTargetOptions

        for name in options:
            getattr(CPUTargetOptions, name)
        return options
    return {}


def njit_with_files(function: Callable, options: Mapping[str, bool], files: Any) -> Any:
    """Return `njit(**options)(function)`, whose machine code is kept in `files`.

    `files` has the methods `load`, `save` and `flush` of numba's IndexDataCacheFile, or is None.
    Without `files` nothing is kept, since numba's own cache is not safe (`code_cache`).
    """
    # RuntimeError: numba has no place for a function that `exec` made.
    with suppress(RuntimeError), _plain_way("each process compiles for itself"):
        if files:
            from numba.core.bytecode import FunctionIdentity

            compiled = numba.njit(cache=True, **options)(function)
            _ = FunctionIdentity._unique_ids, compiled._cache._cache_file
            FunctionIdentity._unique_ids = _RANDOM_NUMBERS
            compiled._cache._cache_file = files
            return compiled
    return numba.njit(**options)(function)


# The numbers of functions are part of the symbols in machine code. numba counts from 1 in every
# process, so it could confuse code from two processes.
_RANDOM_NUMBERS = iter(lambda: int.from_bytes(os.urandom(7), "little"), None)


@_plain_way("loops run in plain Python, about 300 times slower")
def call_methods(find: Callable[[type, str], Any]) -> bool:
    """Let kernels call methods of named tuples; return whether they can.

    `find(tuple_class, name)` returns the compiled method, or None for any other attribute. numba's
    `overload_method` is documented, but would fix a name's arguments for all classes.
    """
    from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, Signature
    from numba.extending import infer_getattr, models, register_model
    from numba.types import BaseNamedTuple, BoundFunction, Dispatcher

    _ = BoundFunction.get_impl_key, Dispatcher.get_call_type, Dispatcher.get_impl_key
    _ = Signature.as_method, AttributeTemplate.generic_resolve
    _ = numba.typeof(namedtuple("Example", "x")(0)).instance_class

    class Method(BoundFunction):
        """The type of `arms.reward` in a kernel."""

        def get_impl_key(self, signature: Any) -> Any:
            """Find the code of the compiled method, instead of code registered for the name."""
            return self.typing_key.get_impl_key(signature)

    class MethodsOfNamedTuples(AttributeTemplate):
        """Look methods up in the class."""

        key = BaseNamedTuple

        def generic_resolve(self, this: Any, name: str) -> Method | None:
            """Return the type of a method, or None for any other attribute."""
            compiled = find(this.instance_class, name)
            if compiled is None:
                return None

            class Call(AbstractTemplate):
                key = Dispatcher(compiled)

                def generic(self, args: tuple, keywords: dict) -> Any:
                    return self.key.get_call_type(self.context, (this, *args), keywords).as_method()

            return Method(Call, this)

    register_model(Method)(models.OpaqueModel)
    infer_getattr(MethodsOfNamedTuples)
    return True
