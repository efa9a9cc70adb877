"""Benchmarks for run.py of the kernels of sarkar2025: fifty arms, epsilon = 0.2, three versions of each.

A block is a number of rounds with one decision: an episode of GDP-NCB and AdaP-UCB, the rounds for which one arm leads
in NCB, LDP-NCB and LDP-UCB. It grows with the horizon. The NumPy and C versions compute every index in every round.
"""

import ctypes
from collections.abc import Callable

import blocks
import numpy as np
import numpy_loops

from dpbandits import algorithms
from dpbandits.environments.arms._journal import blank_journal
from dpbandits.environments.arms.drawn_arms import drawn_arms
from dpbandits.kernels.streams import stream

ENVIRONMENT = drawn_arms(number_of_arms=50, lowest=0.005, highest=1.0, draw=42)
HORIZONS = (10_000_000, 100_000_000)
C_T, NUMPY_T = 1_000_000, 50_000  # shorter, so the printed regret is that of fewer rounds
EPSILON = {"epsilon": 0.2}
# row -> module, parameters, the kernels that are run as Python to count blocks, and the call with which a block begins
LEADS = ("_index.play_with_leads", "_index.play_leads")
ROWS = {
    "ncb": ("ncb", {}, ("ncb.ncb", "_index.play_leads"), "_index.first_and_second"),
    "gdp_ncb": ("gdp_ncb", EPSILON, ("gdp_ncb.gdp_ncb",), "gdp_ncb.pull_many"),
    "ldp_ncb": ("ldp_ncb", EPSILON, ("ldp_ncb.ldp_ncb", "_index.play_leads"), "_index.first_and_second"),
    "ldp_ucb": ("ldp_ucb", EPSILON, LEADS, "_index.largest"),
    "ldp_ucb_clipped": ("ldp_ucb_clipped", EPSILON, (), ""),
    "adap_ucb_drawn": (
        "adap_ucb_baseline",
        {**EPSILON, "variant": "as_drawn"},
        ("adap_ucb_baseline.adap_ucb_as_drawn",),
        "adap_ucb_baseline.pull_many",
    ),
}


def versions(name: str, T: int, loops: ctypes.CDLL | None) -> dict[str, tuple[Callable[[int], float], int]]:
    """Name of the version -> a function that plays run number i and returns its regret, and the number of rounds."""
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
        return getattr(loops, name)(array, ctypes.c_int(len(means)), ctypes.c_int64(C_T))

    return {"kernel": (kernel, T), "NumPy": (plain, NUMPY_T)} | ({"C": (c, C_T)} if loops else {})


def mean_block(name: str) -> float:
    """Rounds per block; 1 for kernels that play round by round."""
    module, parameters, kernels, begins = ROWS[name]
    if not kernels:
        return 1.0
    horizon = 1_000_000 if begins.endswith("pull_many") else 200_000

    def run():
        journal = blank_journal(ENVIRONMENT.gaps, np.array([horizon]))
        algorithms.find(module).play(stream(1, "benchmark", 0), ENVIRONMENT.arms, horizon, journal, **parameters)

    return blocks.mean_block(run, kernels, begins, horizon)
