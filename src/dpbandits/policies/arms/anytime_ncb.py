"""Anytime GDP-NCB and LDP-NCB: Sarkar, Pandey & Ray Chowdhury (2025), Algorithm 7, around their Algorithms 4 and 5.

    W = 1
    repeat: with probability 1/W^2 play W random rounds, else a new game of W rounds; W = 2W

The expected number of random epochs is 4/3; the first epoch always is one. The horizon may end the last epoch early. The
epochs share no users, so the run is as private as its worst epoch.
"""

from typing import Literal

import numpy as np

from dpbandits.drivers.nash_phases import uniform_rounds
from dpbandits.parameters import Positive
from dpbandits.policies.arms import gdp_ncb, ldp_ncb
from dpbandits.privacy.ledger import Account

Game = Literal["gdp_ncb", "ldp_ncb"]
MODULES = {"gdp_ncb": gdp_ncb, "ldp_ncb": ldp_ncb}


def play(rng, arms, horizon, journal, *, epsilon: Positive, game: Game):
    """Play one run. `pulls` counts the pulls of all epochs."""
    pulls = np.zeros(len(arms.means), np.int64)
    for start, W in epochs(horizon):
        rounds = min(W, horizon - start)
        if rng.random() * W**2 < 1:
            uniform_rounds(rng, start, rounds, journal, pulls)
        else:
            rule = MODULES[game].plan(W, len(arms.means), epsilon=epsilon)
            MODULES[game].play_game(rng, arms, start, rounds, journal, pulls, rule)


def epochs(horizon: int) -> list[tuple[int, int]]:
    """(rounds before it, W) of every epoch that begins before the horizon."""
    return [((1 << k) - 1, 1 << k) for k in range(horizon.bit_length())]


def reporting(horizon, number_of_arms, *, epsilon, game):
    """LDP-NCB's reports in the longest epoch."""
    return (
        ldp_ncb.reporting(epochs(horizon)[-1][1], number_of_arms, epsilon=epsilon)
        if game == "ldp_ncb"
        else {}
    )


def privacy(horizon, number_of_arms, *, epsilon, game) -> Account:
    """The account of the epoch that spends the most; no user is in two epochs."""
    accounts = [
        MODULES[game].privacy(W, number_of_arms, epsilon=epsilon) for _, W in epochs(horizon)
    ]
    return max(accounts, key=lambda account: account.spent)
