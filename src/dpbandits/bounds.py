"""The papers' regret bounds, as functions of the gaps (or the means), the round and the policy's parameters.

The name of a function is its paper's id and theorem; a claim in a paper file names it so.
"""

import inspect
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dpbandits.algorithms.arms import interval_ucb
from dpbandits.algorithms.arms._adaptive_episodes import kl
from dpbandits.algorithms.games._tuning import (
    AUTO,
    Rounding,
    batch_length,
    corollary_tau,
    noise_epsilon,
)


def _suboptimal(gaps: np.ndarray) -> np.ndarray:
    return gaps[gaps > 0]


def ucb1(gaps: np.ndarray, t: int) -> float:
    """Auer, Cesa-Bianchi & Fischer (2002), Theorem 1 (tossou2016 claim A11)."""
    gap = _suboptimal(gaps)
    return float(np.sum(8 * math.log(t) / gap + (1 + math.pi**2 / 3) * gap))


def tossou2016_dp_ucb_bound(gaps: np.ndarray, t: int, epsilon: float) -> float:
    """Theorem 3.2, with ln(B/gap) as in the appendix (the main text drops the gap), best free lambda in (0, 1)."""
    from scipy.optimize import minimize_scalar  # here and below: it takes longer to import than most bounds to compute

    gap = _suboptimal(gaps)

    def bound(free: float) -> float:
        B = math.sqrt(8) * math.log(4 * t**4) / (epsilon * (1 - free))
        privacy = B * (np.log(B / gap) + 7)
        return float(np.sum(np.maximum(privacy, 8 * math.log(t) / (free**2 * gap)) + gap * (1 + 2 * math.pi**2 / 3)))

    return float(minimize_scalar(bound, bounds=(1e-6, 1 - 1e-6), method="bounded", options={"xatol": 1e-10}).fun)


def tossou2016_dp_ucb(gaps: np.ndarray, t: int, epsilon: float) -> float:
    """Theorem 3.3. Far above the largest possible regret at every horizon of the paper."""
    from scipy.special import zeta

    gap = _suboptimal(gaps)
    C = 56 * (2 + math.sqrt(3.5)) * math.sqrt(math.log(t)) / epsilon
    return float(
        np.sum(gap * (np.maximum(C**2 * (math.log(C) + 7) ** 2, 8 * math.log(t) / gap**2) + 1 + 4 * zeta(1.5)))
    )


def tossou2016_dp_ucb_int(
    gaps: np.ndarray, t: int, epsilon: float, delta: float, v: float = 1.1, schedule: str = "series_y"
) -> float:
    """Theorem 3.5 with f0 = W_1, the longest that an arm waits for its first update."""
    from scipy.special import zeta

    gap = _suboptimal(gaps)
    first = interval_ucb.first_update(schedule, interval_ucb.input_epsilon(epsilon, delta, v), v)
    return float(np.sum(gap * (first + 8 * math.log(t) / gap**2 + 1 + 4 * zeta(1.5))))


def azize2022_t2(gaps: np.ndarray, t: int, epsilon: float) -> float:
    """Theorem 2, minimax lower bound: max(sqrt(T(K-1))/27, (K-1)/(131 epsilon))."""
    others = len(gaps) - 1
    return max(math.sqrt(t * others) / 27, others / (131 * epsilon))


def azize2022_t2_crossing(number_of_arms: int, t: int) -> float:
    """The epsilon at which the two parts of Theorem 2 are equal."""
    return 27 / 131 * math.sqrt((number_of_arms - 1) / t)


def azize2022_t2_example(number_of_arms: int, t: int) -> float:
    """The crossing that the text's example (T = 1e6, K = 100: "0.05") points to: with the constants 27 and 131 exchanged."""
    return 131 / 27 * math.sqrt((number_of_arms - 1) / t)


def distinguishability(means: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Gap and d_a = kl(mu_a, mu*) of the suboptimal arms; for Bernoulli arms the total variation t_a is the gap."""
    best = means.max()
    worse = means[means < best]
    return best - worse, np.array([kl(mean, best) for mean in worse])


def azize2022_crossings(means: np.ndarray, constant: float = 6.0) -> np.ndarray:
    """epsilon_a = d_a/(6 gap_a): below it Theorem 3 sees arm a in its high-privacy regime."""
    gap, d = distinguishability(means)
    return d / (constant * gap)


def azize2022_t3(means: np.ndarray, t: int, epsilon: float, constant: float = 6.0) -> float:
    """Theorem 3, problem-dependent lower bound times ln T; asymptotic. 6 is Theorem 10's constant."""
    gap, d = distinguishability(means)
    return float(math.log(t) * np.sum(gap / np.minimum(d, constant * epsilon * gap)))


def azize2022_crossings_five(means: np.ndarray) -> np.ndarray:
    """The crossings with 5 in place of Theorem 10's 6."""
    return azize2022_crossings(means, 5.0)


def azize2022_t3_five(means: np.ndarray, t: int, epsilon: float) -> float:
    """Theorem 3 with 5 in place of Theorem 10's 6."""
    return azize2022_t3(means, t, epsilon, 5.0)


def azize2022_t3_no_privacy(means: np.ndarray, t: int) -> float:
    """The same without privacy: Lai and Robbins."""
    gap, d = distinguishability(means)
    return float(math.log(t) * np.sum(gap / d))


def azize2022_t5(actions: np.ndarray, theta: np.ndarray, t: int, epsilon: float) -> float:
    """Theorem 5, linear bandits with finitely many actions (rows): lower bound times ln T, by convex programming."""
    from scipy.optimize import minimize

    values = actions @ theta
    best, gap = int(values.argmax()), values.max() - values
    others = np.flatnonzero(gap > 0)
    apart = np.abs((actions - actions[best]) @ actions.T) / np.sum(actions**2, axis=1)
    limit = np.minimum(gap**2 / 2, 3 * epsilon * apart.sum(axis=1) * gap)[others]
    scale = len(theta) / limit.min()

    def norms(x: np.ndarray) -> np.ndarray:
        H = (actions.T * np.exp(x)) @ actions
        return np.einsum("ai,ai->a", actions[others], np.linalg.solve(H, actions[others].T).T)

    # In x = ln alpha; the best action costs nothing and may be played much more often than needed.
    start = np.full(len(actions), math.log(2 * scale))
    start[best] += 12
    solution = minimize(
        lambda x: np.exp(x[others]) @ gap[others] / (scale * gap.max()),
        start,
        constraints={"type": "ineq", "fun": lambda x: 1 - norms(x) / limit},
        bounds=[(math.log(scale) - 20, math.log(scale) + 16)] * len(actions),
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-12},
    )
    return float(math.log(t) * np.exp(solution.x[others]) @ gap[others])


def _wrong_index_pulls(alpha: float) -> float:
    """alpha/(alpha - 3): the pulls that unlikely events may cost; without limit up to alpha = 3."""
    return alpha / (alpha - 3) if alpha > 3 else math.inf


def azize2022_t7(gaps: np.ndarray, t: int, epsilon: float, alpha: float) -> float:
    """Theorem 7 as stated, AdaP-UCB."""
    gap = _suboptimal(gaps)
    return float(np.sum(16 * alpha * math.log(t) / np.minimum(gap, epsilon) + 3 * _wrong_index_pulls(alpha)))


def azize2022_t7_safe(gaps: np.ndarray, t: int, epsilon: float, alpha: float) -> float:
    """Theorem 7 with the episode length that the proof's own quadratic inequality needs; the printed one is too short
    around epsilon = 2 gap."""
    gap = _suboptimal(gaps)
    n0 = alpha * math.log(t) * (1 + np.sqrt(1 + 4 * gap / epsilon)) ** 2 / (2 * gap**2)
    return float(np.sum(gap * (4 * n0 + 3 * _wrong_index_pulls(alpha))))


def azize2022_t8(means: np.ndarray, t: int, epsilon: float, alpha: float) -> float:
    """Theorem 8, AdaP-KLUCB, with its implicit constants solved for: the shortest episode that its proof accepts."""
    best = means.max()
    gap, d = distinguishability(means)
    log_t = math.log(t)
    pulls = [
        2 ** (_t8_doublings(mean, best, distance, log_t, epsilon, alpha) + 1) + 1.5 + _wrong_index_pulls(alpha)
        for mean, distance in zip(means[means < best], d, strict=True)
    ]
    return float(np.sum(gap * np.array(pulls)))


def _t8_doublings(mean: float, best: float, d: float, log_t: float, epsilon: float, alpha: float) -> int:
    """The smallest l for which an episode of n = 2^l pulls shows that the arm is not the best."""
    from scipy.optimize import brentq

    gap, level = best - mean, 0
    while True:
        n = 2.0**level
        budget = alpha * log_t / n  # = d/(1 + b)
        if d >= budget and kl(1.0, mean) > log_t / n:
            c = (brentq(lambda x, budget=budget: kl(x, best) - budget, mean, best) - mean) / gap
            g = (brentq(lambda x, n=n: kl(x, mean) - log_t / n, mean, 1.0) - mean) / gap
            if n * (c - g) * epsilon * gap >= (1 + alpha) * log_t:
                return level
        level += 1


def azize2022_t12(gaps: np.ndarray, t: int, epsilon: float, alpha: float) -> float:
    """Theorem 12, minimax, AdaP-UCB."""
    K, log_t = len(gaps), math.log(t)
    unlikely = 3 * _wrong_index_pulls(alpha) * gaps.sum()
    return float(unlikely + 8 * math.sqrt(alpha * K * t * log_t) + 16 * alpha * K * log_t / epsilon)


def mishra2015_theorem_4(gaps: np.ndarray, t: int, epsilon: float) -> float:
    """Theorem 4, private UCB (Algorithm 1) with failure probability 1/T: sum_a gap_a (8 G/gap_a^2 + pi^2/3 + 1)."""
    gap, K = _suboptimal(gaps), len(gaps)
    G = K * math.log(t) ** 2 * math.log(K * t * math.log(t) * t) / epsilon
    return float(np.sum(gap * (8 * G / gap**2 + math.pi**2 / 3 + 1)))


def find(name: str) -> Callable[..., float]:
    """The bound of that name."""
    return BOUNDS[name]


BOUNDS = {
    function.__name__: function
    for function in (
        ucb1,
        tossou2016_dp_ucb_bound,
        tossou2016_dp_ucb,
        tossou2016_dp_ucb_int,
        azize2022_t2,
        azize2022_t3,
        azize2022_t3_five,
        azize2022_t3_no_privacy,
        azize2022_t7,
        azize2022_t7_safe,
        azize2022_t8,
        azize2022_t12,
        mishra2015_theorem_4,
    )
}

REGIMES = {function.__name__: function for function in (azize2022_crossings, azize2022_crossings_five)}


def wanted(name: str) -> set[str]:
    """The parameters of a policy that a bound asks for."""
    parameters = inspect.signature(find(name)).parameters.values()
    return {p.name for p in parameters if p.default is p.empty} - {"gaps", "means", "t"}


def at(name: str, means: np.ndarray, t: int, parameters: Mapping[str, Any]) -> float:
    """A bound on arms with these means, whether it is written in the means or in the gaps, for a policy's parameters."""
    known = inspect.signature(find(name)).parameters
    arms = means if "means" in known else means.max() - means
    return find(name)(arms, t, **{key: value for key, value in parameters.items() if key in known})


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


def tossou2017_theorem_3_4(
    horizon: int, number_of_arms: int, tau: float = AUTO, tau_rounding: Rounding = "ceil", memory: int = 0
) -> float:
    """Regret of EXP3_tau against an adversary that remembers `memory` < tau actions: sqrt(7 T tau K ln K) + T m/tau + tau."""
    tau = batch_length(horizon, number_of_arms, tau, tau_rounding)
    K = number_of_arms
    return math.sqrt(7 * horizon * tau * K * math.log(K)) + horizon * memory / tau + tau


def tossou2017_corollary_3_2(horizon: int, number_of_arms: int) -> float:
    """Regret of EXP3_tau with switching costs, at the tau of Corollary 3.2."""
    return 2 * horizon / corollary_tau(horizon, number_of_arms) + corollary_tau(horizon, number_of_arms)


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
