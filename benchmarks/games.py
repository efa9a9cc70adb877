"""Benchmarks for run.py of the adversarial kernels: three versions of each on one stochastic table, T = 2^18, K = 4."""

import ctypes

import numpy as np
import numpy_loops

from dpbandits import algorithms
from dpbandits.algorithms.games._tuning import batch_length, corollary_epsilon, gamma_of
from dpbandits.environments.games._game import Game, GameJournal, best_fixed_arm, gain_of
from dpbandits.environments.games.stochastic import stochastic
from dpbandits.kernels.streams import stream

T, K = 2**18, 4
TAU, EPSILON = batch_length(T, K), corollary_epsilon(T, K)
END = np.array([T])
CONSTANTS = {
    "exp3": (gamma_of(T, K),),
    "dp_exp3_lap": (gamma_of(T, K), EPSILON),
    "exp3_tau": (gamma_of(T / TAU, K), TAU),
}


def versions(name, loops):
    """Name of the version -> a function that plays run number i on the same table and returns its regret."""
    environment = stochastic(number_of_arms=K, best=0.55, others=0.5)
    gains = environment.draw(stream(1, "benchmark", "game"), T)
    best_gain = float(best_fixed_arm(gains, END)[0])
    game, module = Game(gains, environment.penalty), algorithms.find(name)

    def kernel(i):
        journal = GameJournal(game, END, np.zeros((2, T), np.int16))
        module.play(stream(1, "benchmark", i), game, T, journal)
        return best_gain - gain_of(*game, journal.diary, END)[0]

    def plain(i):
        return best_gain - getattr(numpy_loops, name)(np.random.default_rng(i), gains, *CONSTANTS[name])

    def c(i):
        given = [ctypes.c_int64(x) if isinstance(x, int) else ctypes.c_double(x) for x in CONSTANTS[name]]
        pointer = gains.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8))
        return best_gain - getattr(loops, name)(pointer, ctypes.c_int(K), ctypes.c_int64(T), *given)

    return {"kernel": kernel, "NumPy": plain} | ({"C": c} if loops else {})
