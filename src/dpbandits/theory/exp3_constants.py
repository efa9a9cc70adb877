"""The constants of the three algorithms of tossou2017."""

import math


def gamma_of(updates: float, number_of_arms: int) -> float:
    """EXP3's share of uniform exploration for so many updates; Auer et al. (2003), Cor. 3.2."""
    K = number_of_arms
    return min(1.0, math.sqrt(K * math.log(K) / ((math.e - 1) * updates)))


def corollary_tau(horizon: int, number_of_arms: int) -> float:
    """Corollary 3.2: tau = (7 K ln K)^(-1/3) T^(1/3), before rounding."""
    return (horizon / (7 * number_of_arms * math.log(number_of_arms))) ** (1 / 3)


def corollary_epsilon(horizon: int, number_of_arms: int) -> float:
    """Corollary 3.2: the epsilon of EXP3_tau at delta = T^-2, 28 K ln K + sqrt(112 K ln K ln T)."""
    k = number_of_arms * math.log(number_of_arms)
    return 28 * k + math.sqrt(112 * k * math.log(horizon))


def theorem_epsilon(horizon: int, tau: float, delta: float) -> float:
    """Theorem 3.5: EXP3_tau is (4T/tau^3 + sqrt(8 ln(1/delta) T/tau^3), delta)-private."""
    x = horizon / tau**3
    return 4 * x + math.sqrt(8 * math.log(1 / delta) * x)


def batch_length(horizon: int, number_of_arms: int, tau: int | None = None) -> int:
    """tau, or that of Corollary 3.2 rounded up.

    By Theorem 3.5 a shorter batch would have a larger epsilon than the corollary.
    """
    return tau if tau is not None else max(1, math.ceil(corollary_tau(horizon, number_of_arms)))


def noise_epsilon(horizon: int, number_of_arms: int, epsilon: float | None = None) -> float:
    """epsilon, or that of Corollary 3.2, at which the paper compares its two algorithms."""
    return corollary_epsilon(horizon, number_of_arms) if epsilon is None else epsilon
