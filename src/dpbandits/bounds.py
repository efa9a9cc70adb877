"""The papers' regret bounds, as functions of the gaps, the round and the policy's parameters.

The name of a function is its paper's id and theorem; a claim in a paper file names it so.
"""

import math
from collections.abc import Callable

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import zeta

from dpbandits.algorithms import interval_ucb
from dpbandits.algorithms._tuning import (
    AUTO,
    Rounding,
    batch_length,
    corollary_epsilon,
    corollary_tau,
    noise_epsilon,
    theorem_epsilon,
)


def _suboptimal(gaps: np.ndarray) -> np.ndarray:
    return gaps[gaps > 0]


def ucb1(gaps: np.ndarray, t: int) -> float:
    """Auer, Cesa-Bianchi & Fischer (2002), Theorem 1 (tossou2016 claim A11)."""
    gap = _suboptimal(gaps)
    return float(np.sum(8 * math.log(t) / gap + (1 + math.pi**2 / 3) * gap))


def tossou2016_dp_ucb_bound(gaps: np.ndarray, t: int, epsilon: float) -> float:
    """Theorem 3.2, with ln(B/gap) as in the appendix (the main text drops the gap), best free lambda in (0, 1)."""
    gap = _suboptimal(gaps)

    def bound(free: float) -> float:
        B = math.sqrt(8) * math.log(4 * t**4) / (epsilon * (1 - free))
        privacy = B * (np.log(B / gap) + 7)
        return float(np.sum(np.maximum(privacy, 8 * math.log(t) / (free**2 * gap)) + gap * (1 + 2 * math.pi**2 / 3)))

    return float(minimize_scalar(bound, bounds=(1e-6, 1 - 1e-6), method="bounded", options={"xatol": 1e-10}).fun)


def tossou2016_dp_ucb(gaps: np.ndarray, t: int, epsilon: float) -> float:
    """Theorem 3.3. Far above the largest possible regret at every horizon of the paper."""
    gap = _suboptimal(gaps)
    C = 56 * (2 + math.sqrt(3.5)) * math.sqrt(math.log(t)) / epsilon
    return float(
        np.sum(gap * (np.maximum(C**2 * (math.log(C) + 7) ** 2, 8 * math.log(t) / gap**2) + 1 + 4 * zeta(1.5)))
    )


def tossou2016_dp_ucb_int(
    gaps: np.ndarray, t: int, epsilon: float, delta: float, v: float = 1.1, schedule: str = "series_y"
) -> float:
    """Theorem 3.5 with f0 = W_1, the longest that an arm waits for its first update."""
    gap = _suboptimal(gaps)
    first = interval_ucb.first_update(schedule, interval_ucb.input_epsilon(epsilon, delta, v), v)
    return float(np.sum(gap * (first + 8 * math.log(t) / gap**2 + 1 + 4 * zeta(1.5))))


def find(name: str) -> Callable[..., float]:
    """The bound of that name."""
    return BOUNDS[name]


BOUNDS = {
    function.__name__: function
    for function in (ucb1, tossou2016_dp_ucb_bound, tossou2016_dp_ucb, tossou2016_dp_ucb_int)
}


# tossou2017. Its games have no gaps: a theorem speaks of the whole game of T rounds, and of the constants that the algorithm
# was given (left out, they are those of Corollary 3.2).


def _exp3(rounds: float, number_of_arms: int) -> float:
    """2 sqrt((e - 1) J K ln K)."""
    return 2 * math.sqrt((math.e - 1) * rounds * number_of_arms * math.log(number_of_arms))


def tossou2017_exp3(horizon: int, number_of_arms: int) -> float:
    """EXP3's regret; Auer et al. (2003), Corollary 3.2."""
    return _exp3(horizon, number_of_arms)


def tossou2017_theorem_3_1(
    horizon: int, number_of_arms: int, epsilon: float, b: float, base: Callable[[int, int], float] = tossou2017_exp3
) -> float:
    """Regret of DP-Lambda-Lap: Lambda's on gains of width 2b + 1, and what ignored rounds and the noise cost."""
    scaled = (2 * b + 1) * base(horizon, number_of_arms)
    return scaled + 2 * horizon * number_of_arms * math.exp(-epsilon * b) + math.sqrt(32 * horizon) / epsilon


def tossou2017_corollary_3_1(horizon: int, number_of_arms: int, epsilon: float = AUTO) -> float:
    """Regret of DP-EXP3-Lap: Theorem 3.1 with EXP3 inside and b = ln T/epsilon."""
    epsilon = noise_epsilon(horizon, number_of_arms, epsilon)
    return tossou2017_theorem_3_1(horizon, number_of_arms, epsilon, math.log(horizon) / epsilon)


def tossou2017_corollary_3_1_simplified(horizon: int, number_of_arms: int, epsilon: float = AUTO) -> float:
    """As printed, with 2b for 2b + 1: below the regret itself wherever epsilon is large against ln T."""
    epsilon = noise_epsilon(horizon, number_of_arms, epsilon)
    scaled = 2 * math.log(horizon) / epsilon * _exp3(horizon, number_of_arms)
    return scaled + 2 * number_of_arms + math.sqrt(32 * horizon) / epsilon


def tossou2017_theorem_3_2(epsilon: float, gain: float, other: float) -> float:
    """Privacy of DP-Lambda-Lap: the largest log-ratio of a released gain's two densities, epsilon for gains 0 and 1."""
    return epsilon * abs(gain - other)


def tossou2017_theorem_3_3(horizon: int, number_of_arms: int, gamma: float, delta: float = 0.0) -> float:
    """Privacy of EXP3 up to T: the least of three bounds, the third only for delta > 0."""
    K, T = number_of_arms, horizon
    pure = min(T * math.log((K * (1 - gamma) + gamma) / gamma), 2 * T)
    return pure if delta == 0 else min(pure, 2 * (1 - gamma) * T + math.sqrt(2 * T * math.log(1 / delta)))


def tossou2017_theorem_3_4(
    horizon: int, number_of_arms: int, tau: float = AUTO, tau_rounding: Rounding = "ceil", memory: int = 0
) -> float:
    """Regret of EXP3_tau against an adversary that remembers `memory` < tau actions: sqrt(7 T tau K ln K) + T m/tau + tau."""
    tau = batch_length(horizon, number_of_arms, tau, tau_rounding)
    K = number_of_arms
    return math.sqrt(7 * horizon * tau * K * math.log(K)) + horizon * memory / tau + tau


def tossou2017_theorem_3_5(horizon: int, tau: float, delta: float) -> float:
    """Privacy of EXP3_tau: 4T/tau^3 + sqrt(8 ln(1/delta) T/tau^3)."""
    return theorem_epsilon(horizon, tau, delta)


def tossou2017_corollary_3_2_privacy(horizon: int, number_of_arms: int) -> float:
    """Privacy of EXP3_tau at the tau of Corollary 3.2, with delta = T^-2."""
    return corollary_epsilon(horizon, number_of_arms)


def tossou2017_corollary_3_2(horizon: int, number_of_arms: int) -> float:
    """Regret of EXP3_tau with switching costs, at the tau of Corollary 3.2."""
    return 2 * horizon / corollary_tau(horizon, number_of_arms) + corollary_tau(horizon, number_of_arms)


def tossou2017_corollary_3_3(horizon: int, epsilon: float, delta: float) -> float:
    """The tau at which Theorem 3.5 gives just this epsilon. (Derived: the closed form that is handed down does not solve it.)"""
    L = math.log(1 / delta)
    return (2 * horizon * (math.sqrt(L + 2 * epsilon) + math.sqrt(L)) ** 2 / epsilon**2) ** (1 / 3)


def tossou2017_proposition_4_1(runs: int, groups: int) -> tuple[float, float]:
    """Median of means: within sigma times the first number of the mean, with at least the second as probability."""
    return math.sqrt(6 * groups / runs), 1 - math.exp(-groups / 4.5)


def tossou2017_switching_lower_bound(horizon: int, number_of_arms: int) -> float:
    """What no player can avoid with switching costs; Dekel, Ding, Koren & Peres (2014), K^(1/3) T^(2/3)/(50 log2 T)."""
    return number_of_arms ** (1 / 3) * horizon ** (2 / 3) / (50 * math.log2(horizon))


# The bounds on the regret of a whole game, for the claims.
THEOREMS = {
    function.__name__: function
    for function in (
        tossou2017_exp3,
        tossou2017_corollary_3_1,
        tossou2017_corollary_3_1_simplified,
        tossou2017_theorem_3_4,
        tossou2017_corollary_3_2,
        tossou2017_switching_lower_bound,
    )
}
