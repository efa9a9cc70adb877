"""The examples in the docstrings of bandits and of their journal."""

import doctest
import importlib
import pkgutil

import pytest

from dpbandits import bandits

MODULES = ["dpbandits.bandit", "dpbandits.bandits"]
MODULES += [each.name for each in pkgutil.walk_packages(bandits.__path__, "dpbandits.bandits.")]
WITHOUT = {"arms", "games", "logs", "events", "nash", "r6a"}  # no example


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_true(name):
    module = importlib.import_module(name)
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
    tests = finder.find(module, name)
    for function in vars(module).values():  # doctest does not see compiled functions
        if hasattr(function, "py_func") and function.__module__ == name:
            tests += finder.find(function.py_func, globs=vars(module).copy())
    for test in tests:
        runner.run(test)
    assert runner.failures == 0
    assert (runner.tries > 0) == (name.rpartition(".")[2] not in WITHOUT)
