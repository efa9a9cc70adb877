"""Compilation of loops: kernels, steps, and the methods of named tuples.

Kernels can call every public method of a named tuple: `arms.reward(rng, a)` is the method of the
tuple's own class. The class is known when the kernel is compiled, and the method becomes part of
the kernel, as a step does. A method that allocates arrays is marked as `allocating`. A method may
itself be marked as a kernel or a step: then Python calls its machine code, too (`random.Stream`).
`code_cache` keeps the machine code.
"""

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

import numba
from numba.extending import register_jitable

from dpbandits.code_cache import is_code, njit_and_keep
from dpbandits.numba_internals import call_methods, known_options

__all__ = ["allocating", "inlined", "kernel", "routine", "step"]
USUAL = {"nogil": True, **known_options(no_cfunc_wrapper=True)}  # kernels are not called from C
# `_nrt` is never left out: a kernel would inherit the option from a step that calls it.
KERNEL = USUAL | known_options(_nrt=True)
STEP = USUAL | known_options(forceinline=True, _nrt=False)
ROUTINE = USUAL | known_options(_nrt=False)
# No wrapper by which Python calls the function: it takes a quarter of compiling.
KERNELS_ONLY = known_options(no_cpython_wrapper=True)
inlined = register_jitable(**STEP, **KERNELS_ONLY)  # plain Python calls the Python function


def kernel(function: Callable) -> Callable:
    """Compile a function that may allocate arrays.

    This is also for functions that run too rarely to become part of their callers. There is no
    fastmath: a result must not depend on the order in which a compiler adds.

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
    return _compiled(function, KERNEL)


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
    return _compiled(function, STEP)


def routine(function: Callable) -> Callable:
    """Compile a function that is too large to become part of its callers, such as a gamma number.

    As in a step, no references are counted: two atomic operations per array and call would take
    as long as a random number.

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
    >>> @routine
    ... def mean(s, n):
    ...     return s / n
    >>> mean(3.0, 4)
    0.75
    """
    return _compiled(function, ROUTINE)


def allocating(method: Callable) -> Callable:
    """Mark a method of a named tuple that allocates arrays, so that kernels can call it."""
    method.allocates = True
    return method


def _compiled(function: Callable, options: dict[str, bool]) -> Callable:
    return function if numba.config.DISABLE_JIT else njit_and_keep(function, options)


def _public_method(tuple_class: type, name: str) -> Any:
    """Return a compiled method of a named tuple's class; None for any other attribute."""
    method = getattr(tuple_class, name, None)
    return None if name.startswith("_") or not is_code(method) else _as_step(method)


@cache
def _as_step(method: Callable) -> Any:
    """Compile a method once for all kernels that call it. A kernel or a step stays as it is."""
    if not inspect.isfunction(method):
        return method
    options = KERNEL if hasattr(method, "allocates") else STEP
    return numba.njit(**options, **KERNELS_ONLY)(method)


if not numba.config.DISABLE_JIT:
    numba.config.DISABLE_JIT = not call_methods(_public_method)
