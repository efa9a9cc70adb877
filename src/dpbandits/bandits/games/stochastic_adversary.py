"""The stochastic adversary: tossou2017, section 4, panel (b). Independent gains of 0 or 1; arm 1 is best."""

import numpy as np

from dpbandits.bandits.game import Adversary, NumberOfArms, bernoulli_gains
from dpbandits.parameters import Mean


def stochastic_adversary(*, number_of_arms: NumberOfArms, best: Mean, others: Mean) -> Adversary:
    """Arm 1 gives 1 with probability `best`, every other arm with probability `others`."""
    means = np.array([best] + [others] * (number_of_arms - 1))
    return Adversary(number_of_arms, lambda rng, horizon: bernoulli_gains(rng, horizon, means, 0.0))
