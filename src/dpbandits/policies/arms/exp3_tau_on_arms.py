"""EXP3_tau (tossou2017, section 3.3) on stochastic arms, which it takes for a table of gains.

tau is the smallest batch for which Theorem 3.5 promises the given epsilon at the given delta. (Corollary 3.2, with which
the paper plays, has delta = T^-2 and fixes an epsilon of several hundred.)
"""

import math
from dataclasses import replace

from dpbandits.drivers.table_of_gains import play_on_table
from dpbandits.errors import InputError
from dpbandits.parameters import Positive, Probability
from dpbandits.policies.games import exp3_tau
from dpbandits.privacy.ledger import Account


def play(rng, arms, horizon, journal, *, epsilon: Positive, delta: Probability = 1e-8):
    play_on_table(
        exp3_tau.play, rng, arms, horizon, journal, tau=batch_length(horizon, epsilon, delta)
    )


def batch_length(horizon: int, epsilon: float, delta: float) -> int:
    """The smallest tau with 4x + sqrt(8 ln(1/delta) x) <= epsilon, where x = T/tau^3."""
    b = math.sqrt(8 * math.log(1 / delta))
    root = (math.sqrt(b * b + 16 * epsilon) - b) / 8
    return math.ceil((horizon / root**2) ** (1 / 3))


def check(horizon, number_of_arms, *, epsilon, delta=1e-8):
    """Raise InputError if no batch would be complete."""
    tau = batch_length(horizon, epsilon, delta)
    if tau > horizon:
        raise InputError(
            f"epsilon {epsilon:g} needs batches of {tau} rounds, and the horizon is {horizon}; write a larger epsilon"
        )


def privacy(horizon, number_of_arms, *, epsilon, delta=1e-8) -> Account:
    """Theorem 3.5 of tossou2017, and the ledger of its batches."""
    account = exp3_tau.privacy(horizon, number_of_arms, tau=batch_length(horizon, epsilon, delta))
    return replace(account, epsilon=epsilon, delta=delta)
