"""EXP3, the non-private baseline of tossou2017. Auer, Cesa-Bianchi, Freund & Schapire (2003), Figure 1.

Its own randomness gives weak privacy: a gain changes the exponents of every later round, and the log-ratio of two laws
by at most 2 per round (tossou2017, Theorem 3.3), in total 2T.
"""

import numpy as np

from dpbandits.algorithms.games._tuning import gamma_of
from dpbandits.algorithms.games._weights import choose, fresh_weights, learn, rebuild
from dpbandits.environments.games import receive
from dpbandits.kernels.compiled import kernel
from dpbandits.privacy.ledger import Account, Ledger

nanoseconds = {"round": 22}  # one exponential and one arm drawn


def play(rng, game, horizon, journal):
    """Play one run."""
    exp3(rng, *game, horizon, journal.diary, gamma_of(horizon, game.gains.shape[1]))


def privacy(horizon, number_of_arms) -> Account:
    """Theorem 3.3 at delta = 0: the first gain has a loss of 2 in every round."""
    ledger = Ledger(horizon)
    ledger.spend(1, np.arange(1, horizon + 1), loss=2)
    return Account(2 * horizon, 0.0, ledger, neighbours="one gain", releases="actions")


@kernel
def exp3(rng, gains, penalty, horizon, diary, gamma):
    """p: the probability with which the arm was played."""
    G, w, norm = fresh_weights(gains.shape[1])
    for t in range(1, horizon + 1):
        a, p = choose(rng, w, norm, gamma)
        g = receive(gains, penalty, diary, t, a)
        if learn(G, w, norm, gamma, a, g / p):
            rebuild(G, w, norm, gamma)
