"""The oblivious adversary: tossou2017, section 4, panel (d). Gains are redrawn periodically and constant in between."""

import numpy as np

from dpbandits.bandits.game import Adversary, Arm, NumberOfArms, bernoulli_gains
from dpbandits.bandits.games.fully_oblivious import Spread, lowest_means
from dpbandits.parameters import Natural


def oblivious(
    *, number_of_arms: NumberOfArms, best_arm: Arm, e: Spread, period: Natural
) -> Adversary:
    """As fully_oblivious in rounds that are multiples of `period`; in the others each arm repeats its last gain. The paper does
    not define the rounds before the first multiple: here the first gains are drawn at t = 1."""
    lowest = lowest_means(number_of_arms, best_arm, e)

    def draw(rng, horizon):
        return bernoulli_gains(rng, horizon // period + 1, lowest, 2 * e)[
            np.arange(1, horizon + 1) // period
        ]

    return Adversary(number_of_arms, draw)
