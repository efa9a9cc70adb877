"""How kernels are compiled: steps, and the methods of named tuples."""

from typing import NamedTuple

import numba
import numpy as np
import pytest

from dpbandits.kernels import kernel, step


class Doubling(NamedTuple):
    by: float

    def grown(self, x):
        return self.by * x


class Adding(NamedTuple):
    to: float

    def grown(self, amount, times=1):
        return self.to + times * amount


class Fixed(NamedTuple):
    at: float

    def grown(self):
        return self.at


@kernel
def grow(values, x):
    return values.grown(x)


@kernel
def grow_twice(values, x):
    return values.grown(x, times=2)


def test_a_method_is_that_of_the_tuples_own_class():
    """Its parameters may differ from those of other classes in names, number and defaults."""
    assert (grow(Doubling(2.0), 5.0), grow(Adding(2.0), 5.0)) == (10.0, 7.0)
    assert grow_twice(Adding(2.0), 5.0) == 12.0


def test_a_call_with_too_many_arguments_names_the_method():
    with pytest.raises(numba.TypingError, match=r"too many positional arguments[^$]*Fixed\.grown"):
        grow(Fixed(1.0), 5.0)


def test_a_step_is_part_of_its_callers_and_python_can_call_it():
    @step
    def thrice(x):
        return 3 * x

    @kernel
    def caller(x):
        return thrice(x) + 1

    assert (thrice(2), caller(2)) == (6, 7)


def test_a_step_that_allocates_is_refused():
    @step
    def zeros(n):
        return np.zeros(n)

    with pytest.raises(numba.TypingError, match="Only accept returning of array passed"):
        zeros(3)
