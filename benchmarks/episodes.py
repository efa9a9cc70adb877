"""Benchmarks for run.py of the kernels that advance by blocks (episodes, epochs, leads): C2, epsilon = 1, three
versions.

A block is a number of rounds with one decision: an episode of AdaP-UCB and AdaP-KLUCB, an arm's share of an epoch of
DP-SE, the rounds for which one arm leads in DP-UCB and KL-UCB. The NumPy and C versions draw every reward separately.
"""

import ctypes
from collections.abc import Callable

import blocks
import numpy as np
import numpy_loops

from dpbandits import algorithms
from dpbandits.environments.arms.bernoulli import bernoulli
from dpbandits.kernels.streams import stream

MEANS = [0.75, 0.625, 0.5, 0.375, 0.25]
ALPHA, EPSILON = 3.1, 1.0
T = 10_000_000
KL_UCB_T = 100_000  # its plain versions solve for K indices in every round
END = {"kl_ucb": KL_UCB_T}
NUMPY_END = {"kl_ucb": 5_000, "private_ucb": 100_000}  # shorter, so the printed regret is that of fewer rounds
PARAMETERS = {
    "adap_ucb": {"epsilon": EPSILON, "alpha": ALPHA},
    "adap_klucb": {"epsilon": EPSILON, "alpha": ALPHA},
    "dp_se": {"epsilon": EPSILON},
    "private_ucb": {"epsilon": EPSILON},
    "kl_ucb": {"alpha": ALPHA},
}
# the kernels that are run as Python to count blocks, and the call with which a block begins
LEADS = ("_index.play_with_leads", "_index.play_leads"), "_index.largest"
BLOCKS = {
    "adap_ucb": (("adap_ucb.adap_ucb",), "_adaptive_episodes.play_episode"),
    "adap_klucb": (("adap_klucb.adap_klucb",), "_adaptive_episodes.play_episode"),
    "dp_se": (("dp_se.dp_se",), "dp_se.pull_many"),
    "private_ucb": LEADS,
    "kl_ucb": LEADS,
}


def versions(name: str, loops: ctypes.CDLL | None) -> dict[str, tuple[Callable[[int], float], int]]:
    """Name of the version -> a function that plays run number i and returns its regret, and the number of rounds."""
    environment, horizon = bernoulli(means=MEANS), END.get(name, T)
    shorter = NUMPY_END.get(name, horizon)

    def kernel(i):
        arms, journal = environment.begin(None, horizon, np.array([horizon]))
        algorithms.find(name).play(stream(1, "benchmark", i), arms, horizon, journal, **PARAMETERS[name])
        return journal.regret[-1]

    def plain(i):
        given = PARAMETERS[name].values()
        return getattr(numpy_loops, name)(np.random.default_rng(i), np.array(MEANS), shorter, *given)

    def c(i):
        means = (ctypes.c_double * len(MEANS))(*MEANS)
        given = [ctypes.c_double(x) for x in PARAMETERS[name].values()]
        return getattr(loops, name)(means, ctypes.c_int(len(MEANS)), ctypes.c_int64(horizon), *given)

    found = {"kernel": (kernel, horizon), "NumPy": (plain, shorter)}
    return found | ({"C": (c, horizon)} if loops else {})


def mean_block(name: str) -> float:
    """Rounds per block."""
    environment, horizon = bernoulli(means=MEANS), END.get(name, T)

    def run():
        arms, journal = environment.begin(None, horizon, np.array([horizon]))
        algorithms.find(name).play(stream(1, "benchmark", 0), arms, horizon, journal, **PARAMETERS[name])

    return blocks.mean_block(run, *BLOCKS[name], horizon)
