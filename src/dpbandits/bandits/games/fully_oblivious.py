"""The fully oblivious adversary: tossou2017, section 4, panel (c). Every gain has its own mean."""

from typing import Annotated

import numpy as np
from annotated_types import Ge, Le, doc

from dpbandits.bandits.game import Adversary, Arm, NumberOfArms, bernoulli_gains
from dpbandits.errors import InputError

Spread = Annotated[
    float, Ge(0), Le(0.25), doc("a number in [0, 0.25], as 0.5 + 2e must be a mean in [0, 1]")
]


def fully_oblivious(*, number_of_arms: NumberOfArms, best_arm: Arm, e: Spread) -> Adversary:
    """In every round and for every arm: p ~ U[0.5, 0.5 + 2e] for the best arm, U[0.5 - e, 0.5 + e] else; gain ~
    Bernoulli(p)."""
    lowest = lowest_means(number_of_arms, best_arm, e)
    return Adversary(
        number_of_arms, lambda rng, horizon: bernoulli_gains(rng, horizon, lowest, 2 * e)
    )


def lowest_means(number_of_arms: int, best_arm: int, e: float) -> np.ndarray:
    """The lower ends of the arms' intervals, all of width 2e."""
    if best_arm > number_of_arms:
        raise InputError(
            f"best_arm: {best_arm} should be the number of one of the {number_of_arms} arms, from 1"
        )
    lowest = np.full(number_of_arms, 0.5 - e)
    lowest[best_arm - 1] = 0.5
    return lowest
