"""tossou2017: bounds on the regret of a whole game of T rounds.

Constants without a value are those of Corollary 3.2.
"""

import math

from dpbandits.theory import bound
from dpbandits.theory.exp3_constants import batch_length, corollary_tau, noise_epsilon


@bound
def tossou2017_exp3(horizon: int, number_of_arms: int) -> float:
    """EXP3's regret, 2 sqrt((e - 1) T K ln K); Auer et al. (2003), Corollary 3.2."""
    return 2 * math.sqrt((math.e - 1) * horizon * number_of_arms * math.log(number_of_arms))


@bound
def tossou2017_corollary_3_1(
    horizon: int, number_of_arms: int, epsilon: float | None = None
) -> float:
    """Regret of DP-EXP3-Lap, Theorem 3.1 with b = ln T/epsilon.

    It is that of EXP3 on gains of width 2b + 1, plus the cost of ignored rounds and noise.
    """
    epsilon = noise_epsilon(horizon, number_of_arms, epsilon)
    b = math.log(horizon) / epsilon
    scaled = (2 * b + 1) * tossou2017_exp3(horizon, number_of_arms)
    return (
        scaled
        + 2 * horizon * number_of_arms * math.exp(-epsilon * b)
        + math.sqrt(32 * horizon) / epsilon
    )


@bound
def tossou2017_theorem_3_4(horizon: int, number_of_arms: int, tau: int | None = None) -> float:
    """Regret of EXP3_tau, sqrt(7 T tau K ln K) + tau.

    An adversary that remembers m < tau actions adds T m/tau.
    """
    tau, K = batch_length(horizon, number_of_arms, tau), number_of_arms
    return math.sqrt(7 * horizon * tau * K * math.log(K)) + tau


@bound
def tossou2017_corollary_3_2(horizon: int, number_of_arms: int) -> float:
    """Regret of EXP3_tau with switching costs, at the tau of Corollary 3.2."""
    tau = corollary_tau(horizon, number_of_arms)
    return 2 * horizon / tau + tau
