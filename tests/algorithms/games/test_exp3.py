"""exp3: by hand, and its bound (its twin is in test_every_algorithm.py)."""

import math

import numpy as np
import pytest
from playing import played

from dpbandits.algorithms.games._weights import choose, fresh_weights, learn
from dpbandits.environments.games.stochastic import stochastic
from dpbandits.kernels.streams import stream


class Scripted:
    """A generator that gives these uniform numbers, one after the other."""

    def __init__(self, numbers):
        self.numbers = iter(numbers)

    def random(self):
        return next(self.numbers)


def test_exp3_by_hand():
    """Two arms, gamma = 0.2: the law after a gain of 1 on arm 0, played at p = 0.5, then of 0.5 on arm 1."""
    G, w, norm = fresh_weights(2)
    pick = choose.py_func
    assert pick(Scripted([0.49]), w, norm, 0.2) == (0, 0.5)
    assert pick(Scripted([0.51]), w, norm, 0.2) == (1, 0.5)
    learn(G, w, norm, 0.2, 0, 1 / 0.5)
    # exponents 0.1 x 2 and 0: w = e^0.2 = 1.221403, 1; p_0 = 0.8 x 0.549834 + 0.1 = 0.539867
    a, p = pick(Scripted([0.53986]), w, norm, 0.2)
    assert (a, p) == (0, pytest.approx(0.539867, abs=1e-6))
    a, p = pick(Scripted([0.53987]), w, norm, 0.2)
    assert (a, p) == (1, pytest.approx(0.460133, abs=1e-6))
    learn(G, w, norm, 0.2, 1, 0.5 / p)
    # exponent of arm 1: 0.1 x 0.5/0.460133 = 0.108664: w = 1.221403, 1.114788; p_0 = 0.8 x 0.522818 + 0.1 = 0.518254
    assert pick(Scripted([0.0]), w, norm, 0.2) == (0, pytest.approx(0.518254, abs=1e-6))


def test_exp3_stays_below_its_bound_and_learns():
    """Auer et al.: E R <= 2 sqrt((e - 1) T K ln K), here on a game where playing at random costs 0.4 a round."""
    T, K = 20_000, 4
    game = stochastic(number_of_arms=K, best=0.9, others=0.36)
    regret = [
        played("exp3", stream(3, run), game.draw(stream(3, "game", run), T)).results()["regret"] for run in range(20)
    ]
    bound = 2 * math.sqrt((math.e - 1) * T * K * math.log(K))
    assert bound / 10 < np.mean([r[-1] for r in regret]) < bound < 0.2 * T
    late = np.mean([r[-1] - r[T // 2] for r in regret])
    assert late < np.mean([r[T // 2] for r in regret])
