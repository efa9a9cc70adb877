"""Compilation of loops: kernels, steps, and the methods of named tuples.

Kernels can call every public method of a named tuple: `arms.reward(rng, a)` is the method of the
tuple's own class. The class is known when the kernel is compiled, and the method becomes part of
the kernel, as a step does. A method may itself be marked as a kernel or a step: then Python calls
its machine code, too (`random.Stream`). `code_cache` keeps the machine code.

Undocumented parts of numba in use: the option `_nrt`, and `BoundFunction.get_impl_key`.
tests/test_kernels.py names the version.
"""

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

import numba
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate
from numba.extending import infer_getattr, models, register_jitable, register_model

from dpbandits.code_cache import is_code, keep_code

__all__ = ["inlined", "kernel", "step"]
USUAL = {"nogil": True, "no_cfunc_wrapper": True}  # kernels are not called from C
STEP = {**USUAL, "forceinline": True, "_nrt": False}
inlined = register_jitable(**STEP)  # a step that plain Python may call, too


def kernel(function: Callable) -> Callable:
    """Compile a function that may allocate arrays.

    This is also for functions that are too large, or run too rarely, to become part of their
    callers. There is no fastmath: a result must not depend on the order in which a compiler adds.

    Parameters
    ----------
    function
        Any function that numba can compile.

    Returns
    -------
    Callable
        The compiled function. Its machine code is kept for the next process.

    Examples
    --------
    >>> import numpy as np
    >>> @kernel
    ... def total(n):
    ...     return np.arange(n).sum()
    >>> total(4)
    6
    """
    # `_nrt` is never left out: a kernel would inherit the option from a step that calls it.
    return _compiled(function, **USUAL, _nrt=True)


def step(function: Callable) -> Callable:
    """Compile a function that a loop calls in every round.

    A step becomes part of its callers. It counts no references to their arrays, which would take
    longer than the step.

    Parameters
    ----------
    function
        A function that allocates no array. numba refuses to compile any other.

    Returns
    -------
    Callable
        The compiled function. Its machine code is kept for the next process.

    Examples
    --------
    >>> @step
    ... def mean(s, n):
    ...     return s / n
    >>> mean(3.0, 4)
    0.75
    """
    return _compiled(function, **STEP)


def _compiled(function: Callable, **options: bool) -> Callable:
    if numba.config.DISABLE_JIT:
        return function
    compiled = numba.njit(**options)(function)
    keep_code(compiled)
    return compiled


class _Method(numba.types.BoundFunction):
    """The type of `arms.reward` in a kernel."""

    def get_impl_key(self, signature: Any) -> Any:
        """Find the code of the step, instead of code registered for the name."""
        return self.template.compiled.get_overload(signature.args)


register_model(_Method)(models.OpaqueModel)


@infer_getattr
class _MethodsOfNamedTuples(AttributeTemplate):
    """Look methods up in the class. `overload_method` would fix a name's arguments for all."""

    key = numba.types.BaseNamedTuple

    def generic_resolve(self, this: Any, name: str) -> _Method | None:
        """Return the type of a public method, or None for any other attribute."""
        method = getattr(this.instance_class, name, None)
        if name.startswith("_") or not is_code(method):
            return None

        compiled = _as_step(method)

        class Call(AbstractTemplate):
            key = method

            def generic(self, args: tuple, keywords: dict) -> Any:
                function = numba.types.Dispatcher(compiled)
                return function.get_call_type(self.context, (this, *args), keywords).as_method()

        Call.compiled = compiled
        return _Method(Call, this)


@cache
def _as_step(method: Callable) -> Any:
    """Compile a method once for all kernels that call it. A kernel or a step stays as it is."""
    return numba.njit(**STEP)(method) if inspect.isfunction(method) else method
