"""The named tuples as which kernels see policies."""

import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, BrokenBarrierError
from types import ModuleType
from typing import Literal

import numpy as np
import pytest

from dpbandits import compiled
from dpbandits.drivers.index import IndexPolicy, Leads
from dpbandits.errors import InputError
from dpbandits.kernels import kernel
from dpbandits.parameters import Natural, Positive
from dpbandits.random import stream


class Scaled(Leads):
    """A short cut that reads a field of its policy."""

    def potential(self, s, n, growth):
        return self.beta * s


class Leaning(IndexPolicy):
    """An index with a field that is called like a method of a stream."""

    short_cut = Scaled

    beta: Positive
    limit: Natural | None = None
    mode: Literal["all", "some"] = "all"
    is_bold: bool = False

    def constants(self, horizon, number_of_arms):
        return {"bonus": 2.0 if self.mode == "some" else 0.0}

    def state(self, number_of_arms):
        return {"memory": np.zeros(number_of_arms)}

    def statistics(self, s, n):
        return (self.beta * s / n + self.bonus,)

    def index(self, mean, growth):
        self.memory[0] += 1
        return mean + growth

    def helper(self, rng):
        return rng.beta(2.0, 3.0) + self.beta


class Reversed(Leaning):
    def index(self, mean, growth):
        return -mean


class Counting(IndexPolicy):
    """A policy without parameters."""

    def index(self, s, n, t):
        return float(n)


@kernel
def index_of(policy):
    return policy.index(*policy.statistics(2.0, 4), 1.0)


@kernel
def potential_of(policy):
    return policy.potential(2.0, 4, 1.0)


@kernel
def helped(policy, rng):
    return policy.helper(rng)


def test_fields_are_the_parameters_that_are_numbers_the_constants_and_the_state():
    leaning = Leaning(beta=3, mode="some").compiled(100, 5)
    assert leaning._fields == ("beta", "is_bold", "bonus", "memory")
    assert leaning[:3] == (3.0, False, 2.0)
    assert type(leaning) is type(Leaning(beta=4).compiled(9, 2)) is Leaning.Compiled


def test_a_state_belongs_to_one_run():
    policy = Leaning(beta=3)
    one, other = policy.compiled(9, 2), policy.compiled(9, 2)
    index_of(one)
    assert (one.memory.tolist(), other.memory.tolist()) == ([1.0, 0.0], [0.0, 0.0])


def test_kernels_call_the_methods_of_the_policys_own_class():
    policies = Leaning(beta=3, mode="some"), Reversed(beta=3), Counting()
    assert [index_of(policy.compiled(100, 5)) for policy in policies] == [4.5, -1.5, 4.0]


def test_the_methods_of_a_short_cut_are_those_of_the_class_that_names_it():
    named, inherited = (potential_of(each(beta=3).compiled(9, 2)) for each in (Leaning, Reversed))
    assert named == 6.0
    assert np.isnan(inherited)


def test_a_field_may_have_the_name_of_a_method_of_a_stream():
    assert helped(Leaning(beta=3).compiled(9, 2), stream(1)) == stream(1).beta(2.0, 3.0) + 3


def defined(body, name="Mine"):
    """A class of a notebook, whose cells have one module."""
    module = sys.modules.setdefault("notebook", ModuleType("notebook"))
    vars(module).update(IndexPolicy=IndexPolicy, Positive=Positive)
    exec(f"class {name}(IndexPolicy):\n scale: Positive = 2.0\n{body}", vars(module))
    return vars(module)[name]


def test_a_class_that_is_defined_again_plays_as_it_is_now():
    """As in a notebook: numba alone would take the machine code of the first for the second's."""
    for index, result in (("self.scale * n", 8.0), ("-float(n)", -4.0)):
        method = f" def index(self, s, n, t): return {index}"
        assert index_of(defined(method)().compiled(9, 2)) == result


def test_a_class_within_a_function_or_with_a_name_twice_is_refused():
    class Mine(Counting):
        pass

    taken = defined(" growth: Positive\n def index(self, s, n, t): return s", "Taken")
    for refused, message in (
        (Mine(), r"<locals>.Mine: define this class outside functions"),
        (taken(growth=2.0), r"Taken.growth: a method of its base class has the same"),
    ):
        with pytest.raises(InputError, match=message):
            refused.compiled(9, 2)


def test_threads_that_begin_at_once_share_a_class(monkeypatch):
    ready, made = Barrier(2, timeout=1), compiled.namedtuple

    def slowly(*arguments):
        with suppress(BrokenBarrierError):  # one thread waits for the other in vain
            ready.wait()
        return made(*arguments)

    monkeypatch.setattr(compiled, "namedtuple", slowly)
    policy = defined(" def index(self, s, n, t): return s", "Shared")()
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(lambda _: type(policy.compiled(9, 2)), range(2))
    assert one is other
