"""Anytime GDP-NCB: Sarkar, Pandey & Ray Chowdhury (2025), Algorithm 7, around their Algorithm 4.

    W = 1; repeat: with probability 1/W^2 W rounds at random, else a fresh GDP-NCB planned for W rounds; W = 2W

The epochs share no users, so the whole is as private as its worst epoch. In expectation 4/3 of them are at random, the
first always. The last one is cut short by the end of the game.
"""

import numpy as np

from dpbandits.algorithms.arms import gdp_ncb
from dpbandits.algorithms.arms._at_rest import uniform_rounds
from dpbandits.algorithms.arms.gdp_ncb import NoiseLog
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import Account


def play(rng, arms, horizon, journal, *, epsilon: Positive, alpha: Positive = 3.1, noise_log: NoiseLog = "log2"):
    """One run."""
    pulls = np.zeros(len(arms.means), np.int64)
    for start, W in epochs(horizon):
        rounds = min(W, horizon - start)
        if rng.random() * W**2 < 1:
            uniform_rounds(rng, arms, start, rounds, journal, pulls)
        else:
            plan = gdp_ncb.plan(W, epsilon, alpha=alpha, noise_log=noise_log)
            gdp_ncb.gdp_ncb(rng, arms, start, rounds, journal, pulls, plan)


def epochs(horizon: int) -> list[tuple[int, int]]:
    """(rounds before it, W) of every epoch that begins before the horizon."""
    return [((1 << k) - 1, 1 << k) for k in range(horizon.bit_length())]


def nanoseconds(horizon, number_of_arms, **_):
    """Some two dozen episodes an arm."""
    return 1000 * number_of_arms * horizon.bit_length()


def privacy(horizon, number_of_arms, *, epsilon, **given) -> Account:
    """The account of the epoch that spends most; nobody is in two epochs."""
    accounts = [gdp_ncb.privacy(W, number_of_arms, epsilon=epsilon, **given) for _, W in epochs(horizon)]
    return max(accounts, key=lambda account: account.spent)
