"""The kernels of sarkar2025 for run.py: fifty arms, epsilon = 0.2, three versions of each.

A block is what a kernel decides at once: an episode of GDP-NCB and AdaP-UCB, the rounds for which one arm leads in NCB,
LDP-NCB and LDP-UCB. It grows with the horizon. The NumPy and C versions compute every index in every round.
"""

import ctypes
import importlib
from collections.abc import Callable

import numpy as np
import numpy_loops

from dpbandits import algorithms
from dpbandits.environments.arms._journal import blank_journal
from dpbandits.environments.arms.drawn_arms import drawn_arms
from dpbandits.randomness import stream

ENVIRONMENT = drawn_arms(number_of_arms=50, lowest=0.005, highest=1.0, draw=42)
T = 1_000_000
NUMPY_T = 50_000  # shorter, and so is the regret printed for it
EPSILON = {"epsilon": 0.2}
# row -> module, parameters, the kernel, and the call with which a block begins
ROWS = {
    "ncb": ("ncb", {}, "ncb", "first_and_second"),
    "gdp_ncb": ("gdp_ncb", EPSILON, "gdp_ncb", "pull_many"),
    "ldp_ncb": ("ldp_ncb", EPSILON, "ldp_ncb", "first_and_second"),
    "ldp_ucb": ("ldp_ucb", EPSILON, "ldp_ucb", "lead"),
    "ldp_ucb_clipped": ("ldp_ucb_clipped", EPSILON, "ldp_ucb_clipped", "bonus"),
    "adap_ucb_drawn": ("adap_ucb_baseline", {**EPSILON, "variant": "as_drawn"}, "adap_ucb_as_drawn", "pull_many"),
}


def versions(name: str, loops: ctypes.CDLL | None) -> dict[str, tuple[Callable[[int], float], int]]:
    """Name of the version -> a function that does run number i and returns its regret, and how long the run is."""
    module, parameters, *_ = ROWS[name]
    means, end = ENVIRONMENT.labels, np.array([T])

    def kernel(i):
        journal = blank_journal(ENVIRONMENT.gaps, end)
        algorithms.find(module).play(stream(1, "benchmark", i), ENVIRONMENT.arms, T, journal, **parameters)
        return journal.regret[-1]

    def plain(i):
        return getattr(numpy_loops, name)(np.random.default_rng(i), means, NUMPY_T)

    def c(i):
        array = (ctypes.c_double * len(means))(*means)
        return getattr(loops, name)(array, ctypes.c_int(len(means)), ctypes.c_int64(T))

    return {"kernel": (kernel, T), "NumPy": (plain, NUMPY_T)} | ({"C": (c, T)} if loops else {})


def mean_block(name: str) -> float:
    """Rounds a block: the kernel's own Python text is run once, counting how often it begins one."""
    module_name, parameters, kernel, block = ROWS[name]
    module, begun = importlib.import_module(f"dpbandits.algorithms.{module_name}"), 0
    compiled, begin = getattr(module, kernel), getattr(module, block)

    def counted(*given):
        nonlocal begun
        begun += 1
        return begin(*given)

    horizon = T if block == "pull_many" else T // 5
    journal = blank_journal(ENVIRONMENT.gaps, np.array([horizon]))
    setattr(module, block, counted)
    setattr(module, kernel, compiled.py_func)
    try:
        module.play(stream(1, "benchmark", 0), ENVIRONMENT.arms, horizon, journal, **parameters)
    finally:
        setattr(module, block, begin)
        setattr(module, kernel, compiled)
    return horizon / begun
