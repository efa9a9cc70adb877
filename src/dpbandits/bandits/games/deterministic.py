"""The deterministic adversary: tossou2017, section 4, panel (a). Arm 2 gives 1 in every even round."""

import numpy as np

from dpbandits.bandits.game import Adversary, NumberOfArms
from dpbandits.parameters import Mean, Natural
from dpbandits.random import Stream


def deterministic(*, number_of_arms: NumberOfArms, constant: Mean, divisor: Natural) -> Adversary:
    """Arm 1 always gives `constant`, arm 3 gives 1 in rounds divisible by `divisor`, the arms from 4 on give 0."""

    def draw(rng: Stream, horizon: int) -> np.ndarray:
        gains = np.zeros((horizon, number_of_arms))
        gains[:, 0] = constant
        gains[1::2, 1] = 1
        if number_of_arms > 2:
            gains[divisor - 1 :: divisor, 2] = 1
        return gains

    return Adversary(number_of_arms, draw)
