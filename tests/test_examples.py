"""The examples in docstrings are true, and what users call has one."""

import doctest
import importlib
import pkgutil

import pytest
from matplotlib import pyplot as plt

import dpbandits
from dpbandits import bandits, library, parameters, policy, random, simulation
from dpbandits.bandits import game, run, stochastic
from dpbandits.drivers import episodes, index
from dpbandits.privacy import games, ledger, releases

MODULES = [each.name for each in pkgutil.walk_packages(dpbandits.__path__, "dpbandits.")]
PUBLIC = [
    library.compare, library.Comparison, simulation.Simulation, policy.Policy, index.IndexPolicy,
    episodes.EpisodePolicy, stochastic.ArmsBandit, game.Adversary, random.Stream, ledger.Ledger,
    ledger.Account, parameters.Parameters.grid, run.Run, game.GameRun, releases.Releases,
    games.AuditGames,
    *map(bandits.BANDITS.find, bandits.BANDITS.known),
]  # fmt: skip


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_true(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(name)
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
    tests = finder.find(module, name)
    for function in vars(module).values():  # doctest does not see compiled functions
        if hasattr(function, "py_func") and function.__module__ == name:
            tests += finder.find(function.py_func, globs=vars(module).copy())
    for test in tests:
        runner.run(test)
    assert runner.failures == 0
    plt.close("all")


def test_what_users_call_has_an_example():
    without = [each.__qualname__ for each in PUBLIC if ">>> " not in each.__doc__]
    assert without == []
