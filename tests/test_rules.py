"""Rules: the named tuples as which kernels see policies."""

import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, BrokenBarrierError
from types import ModuleType
from typing import Literal

import numpy as np
import pytest

from dpbandits import rules
from dpbandits.drivers.index import IndexPolicy
from dpbandits.kernels import kernel
from dpbandits.parameters import Natural, Positive
from dpbandits.random import stream


class Leaning(IndexPolicy):
    """An index with a field that is called like a method of a stream."""

    beta: Positive
    limit: Natural | None = None
    mode: Literal["all", "some"] = "all"
    is_bold: bool = False

    def constants(self, horizon, number_of_arms):
        return {"bonus": 2.0 if self.mode == "some" else 0.0, "memory": np.zeros(number_of_arms)}

    def terms(self, s, n):
        return self.beta * s / n + self.bonus

    def score(self, terms, growth):
        return terms + growth

    def helper(self, rng):
        return rng.beta(2.0, 3.0) + self.beta


class Reversed(Leaning):
    def score(self, terms, growth):
        return -terms


class Counting(IndexPolicy):
    """A policy without parameters."""

    def terms(self, s, n):
        return n

    def score(self, terms, growth):
        return float(terms)


@kernel
def score_of(rule):
    return rule.score(rule.terms(2.0, 4), 1.0)


@kernel
def helped(rule, rng):
    return rule.helper(rng)


def test_fields_are_the_parameters_that_are_numbers_and_the_constants():
    rule = Leaning(beta=3, mode="some").rule(100, 5)
    assert rule._fields == ("beta", "is_bold", "bonus", "memory")
    assert rule[:3] == (3.0, False, 2.0)
    assert type(rule) is type(Leaning(beta=4).rule(9, 2)) is Leaning.Rule


def test_kernels_call_the_methods_of_the_policys_own_class():
    policies = Leaning(beta=3, mode="some"), Reversed(beta=3), Counting()
    assert [score_of(policy.rule(100, 5)) for policy in policies] == [4.5, -1.5, 4.0]


def test_a_field_may_have_the_name_of_a_method_of_a_stream():
    assert helped(Leaning(beta=3).rule(9, 2), stream(1)) == stream(1).beta(2.0, 3.0) + 3


def defined(body, name="Mine"):
    """A class of a notebook, whose cells have one module."""
    module = sys.modules.setdefault("notebook", ModuleType("notebook"))
    vars(module).update(IndexPolicy=IndexPolicy, Positive=Positive)
    exec(f"class {name}(IndexPolicy):\n scale: Positive = 2.0\n{body}", vars(module))
    return vars(module)[name]


def test_a_class_that_is_defined_again_plays_as_it_is_now():
    """As in a notebook: numba alone would take the machine code of the first for the second's."""
    for score, result in (("self.scale * terms", 8.0), ("-terms", -4.0)):
        methods = f" def terms(self, s, n): return n\n def score(self, terms, _): return {score}"
        assert score_of(defined(methods)().rule(9, 2)) == result


def test_a_class_within_a_function_is_refused():
    class Mine(Counting):
        pass

    with pytest.raises(TypeError, match=r"<locals>.Mine: define this class outside functions"):
        Mine().rule(9, 2)


def test_threads_that_begin_at_once_share_a_class(monkeypatch):
    ready, made = Barrier(2, timeout=1), rules.namedtuple

    def slowly(*arguments):
        with suppress(BrokenBarrierError):  # one thread waits for the other in vain
            ready.wait()
        return made(*arguments)

    monkeypatch.setattr(rules, "namedtuple", slowly)
    policy = defined(" def terms(self, s, n): return n", "Shared")()
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(lambda _: type(policy.rule(9, 2)), range(2))
    assert one is other


def test_a_parameter_with_the_name_of_a_compiled_method_is_refused():
    taken = defined(" growth: Positive\n def terms(self, s, n): return n", "Taken")
    with pytest.raises(TypeError, match=r"Taken.growth: a method of its base class has the same"):
        taken(growth=2.0).rule(9, 2)
