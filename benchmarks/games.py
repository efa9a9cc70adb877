"""Benchmarks for run.py of the adversarial kernels, on one stochastic table, T = 2^18, K = 4."""

import ctypes

import numpy as np

from dpbandits import algorithms
from dpbandits.algorithms.games._tuning import batch_length, corollary_epsilon, gamma_of
from dpbandits.environments.games._game import Game, best_fixed_arm, blank_journal, gain_of
from dpbandits.environments.games.stochastic import stochastic
from dpbandits.random import stream

T, K = 2**18, 4
TAU, EPSILON = batch_length(T, K), corollary_epsilon(T, K)
END = np.array([T])
CONSTANTS = {
    "exp3": (gamma_of(T, K),),
    "dp_exp3_lap": (gamma_of(T, K), EPSILON),
    "exp3_tau": (gamma_of(T / TAU, K), TAU),
}


def rows(loops):
    """For each kernel: its name, the game, and the two versions, each with its number of rounds."""
    environment = stochastic(number_of_arms=K, best=0.55, others=0.5)
    gains = environment.draw(stream(1, "benchmark", "game"), T)
    best_gain = float(best_fixed_arm(gains, END)[0])
    game = Game(gains, environment.penalty)
    pointer = gains.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8))
    for name, constants in CONSTANTS.items():
        given = [ctypes.c_int64(x) if isinstance(x, int) else ctypes.c_double(x) for x in constants]

        def kernel(i, name=name):
            journal = blank_journal(game, END)
            algorithms.find(name).play(stream(1, "benchmark", i), game, T, journal)
            return best_gain - gain_of(game, journal.diary, END)[0]

        def c(i, name=name, given=given):
            return best_gain - getattr(loops, name)(pointer, ctypes.c_int(K), ctypes.c_int64(T), *given)

        yield name, "4 arms, T = 2¹⁸", (kernel, T), (c, T)
