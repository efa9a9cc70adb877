"""DP-EXP3-Lap: tossou2017, the wrapper DP-Lambda-Lap (section 3.1) around EXP3, constants of Corollary 3.1.

The player observes each gain once, with Laplace noise of scale 1/epsilon. A noisy gain within b = ln T/epsilon of [0,
1] is rescaled to [0, 1] and given to EXP3; others, on average at most one in T, are ignored.
"""

import math

import numpy as np

from dpbandits.algorithms.games._tuning import AUTO, gamma_of, noise_epsilon
from dpbandits.algorithms.games._weights import choose, fresh_weights, learn, rebuild
from dpbandits.environments.games import ignore, receive
from dpbandits.kernels.compiled import kernel
from dpbandits.kernels.sampling import laplace
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import Account, Ledger

nanoseconds = {"round": 30}  # as EXP3, and one noise draw


def play(rng, game, horizon, journal, *, epsilon: Positive = AUTO):
    """Play one run. gamma is that of EXP3 over T rounds: the paper does not adapt it to the gains' new scale 2b + 1."""
    number_of_arms = game.gains.shape[1]
    epsilon = noise_epsilon(horizon, number_of_arms, epsilon)
    dp_exp3_lap(
        rng, *game, horizon, journal.diary, gamma_of(horizon, number_of_arms), epsilon, math.log(horizon) / epsilon
    )


def privacy(horizon, number_of_arms, *, epsilon=AUTO) -> Account:
    """Theorem 3.2: each gain is in one release, of sensitivity 1."""
    epsilon = noise_epsilon(horizon, number_of_arms, epsilon)
    t, ledger = np.arange(1, horizon + 1), Ledger(horizon)
    ledger.release(t, t, 1, 1 / epsilon)
    return Account(epsilon, 0.0, ledger, neighbours="one gain", releases="gains")


@kernel
def dp_exp3_lap(rng, gains, penalty, horizon, diary, gamma, epsilon, b):
    """r: the released gain."""
    G, w, norm = fresh_weights(gains.shape[1])
    for t in range(1, horizon + 1):
        a, p = choose(rng, w, norm, gamma)
        r = receive(gains, penalty, diary, t, a) + laplace(rng, 1 / epsilon)
        if -b <= r <= b + 1:
            if learn(G, w, norm, gamma, a, (r + b) / (2 * b + 1) / p):
                rebuild(G, w, norm, gamma)
        else:
            ignore(diary, t)
