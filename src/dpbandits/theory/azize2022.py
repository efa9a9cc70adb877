"""azize2022: lower and upper bounds, where their regimes meet, and the tables of theorems.

The tables repeat facts and orders of regret that the paper states, which are copied and not
reproduced. Beside them are computed numbers: the theorems on the paper's own example.
"""

import math
from functools import partial

import numpy as np
import pandas as pd

from dpbandits.drivers.bernoulli_kl import kl
from dpbandits.policies import POLICIES
from dpbandits.policies.arms import dp_se
from dpbandits.policy import Policy
from dpbandits.theory import LEDGERS, REGIMES, bound


def distinguishability(means: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Gap and d_a = kl(mu_a, mu*) of the suboptimal arms.

    For Bernoulli arms the total variation t_a is the gap.
    """
    best = means.max()
    worse = means[means < best]
    return best - worse, np.array([kl(mean, best) for mean in worse])


@bound
def azize2022_theorem_2(gaps: np.ndarray, t: int, epsilon: float) -> float:
    """Theorem 2, minimax lower bound: max(sqrt(T(K-1))/27, (K-1)/(131 epsilon))."""
    others = len(gaps) - 1
    return max(math.sqrt(t * others) / 27, others / (131 * epsilon))


def azize2022_theorem_2_crossing(number_of_arms: int, t: int) -> float:
    """The epsilon at which the two parts of Theorem 2 are equal.

    The text's example (T = 1e6, K = 100: "0.05") has the constants 27 and 131 exchanged.
    """
    return 27 / 131 * math.sqrt((number_of_arms - 1) / t)


def azize2022_crossings(means: np.ndarray, constant: float = 6.0) -> np.ndarray:
    """epsilon_a = d_a/(constant gap_a): below it arm a is in Theorem 3's high-privacy regime."""
    gap, d = distinguishability(means)
    return d / (constant * gap)


REGIMES["azize2022_crossings"] = azize2022_crossings
# The border that Figure 3 shows
REGIMES["azize2022_crossings_five"] = partial(azize2022_crossings, constant=5.0)


@bound
def azize2022_theorem_3(means: np.ndarray, t: int, epsilon: float, constant: float = 6.0) -> float:
    """Theorem 3, lower bound ln T sum_a gap_a/min(kl(mu_a, mu*), 6 epsilon gap_a); asymptotic.

    It depends on the problem. 6 is Theorem 10's.
    """
    gap, d = distinguishability(means)
    return float(math.log(t) * np.sum(gap / np.minimum(d, constant * epsilon * gap)))


@bound
def azize2022_theorem_3_five(means: np.ndarray, t: int, epsilon: float) -> float:
    """Theorem 3 with 5 in place of Theorem 10's 6."""
    return azize2022_theorem_3(means, t, epsilon, 5.0)


@bound
def azize2022_theorem_3_no_privacy(means: np.ndarray, t: int) -> float:
    """The same without privacy: Lai and Robbins."""
    return azize2022_theorem_3(means, t, math.inf)


def lower_bound_over_log(means: np.ndarray, epsilon: float) -> float:
    """The lower bound of docs/readings on the regret with privacy, over ln T, as T grows.

    A pull of an arm with mean mu changes no likelihood of actions, relative to an arm that is as
    good as the best one, by more than m = ln((mu + (1 - mu) e^epsilon)/(mu* + (1 - mu*)
    e^epsilon)). Its pulls are at least ln T/m, and ln T/kl suffice without privacy.
    """
    gap, d = distinguishability(means)
    best, sure = means.max(), math.exp(-epsilon)  # m with its two sums over e^epsilon
    m = np.log((1 - (best - gap) * (1 - sure)) / (1 - best * (1 - sure)))
    return float((gap / np.minimum(d, m)).sum())


def chance_of_low_index(policy: Policy, mean: float, s: int, t: int) -> float:
    """The probability that an arm's index after s rewards in round t is below its mean.

    It is exact: the index increases with the released mean, which is a binomial number over s, with
    Laplace noise.
    """
    from scipy import optimize, stats

    compiled, scale = policy.compiled(t, 2), 1 / (policy.epsilon * s)

    def above(released: float) -> float:
        return compiled.index(released, s, t) - mean

    lowest = -2.0 - 100 * math.log(t) * scale
    if above(lowest) >= 0:  # whatever is released
        return 0.0
    sums, edge = np.arange(s + 1), optimize.brentq(above, lowest, mean)
    return float(stats.binom.pmf(sums, s, mean) @ stats.laplace.cdf((edge - sums / s) / scale))


def azize2022_theorem_4(dimension: int, t: int, epsilon: float) -> float:
    """Theorem 4, linear bandits on [-1, 1]^d, minimax lower bound.

    It is max(e^-2, exp(-6 epsilon d sqrt(T))) (d/8) sqrt(T).
    """
    root = math.sqrt(t)
    return max(math.exp(-2), math.exp(-6 * epsilon * dimension * root)) * dimension * root / 8


def azize2022_theorem_5(theta: np.ndarray, t: int, epsilon: float) -> float:
    """Theorem 5, linear bandits: lower bound times ln T, on orthonormal actions with means theta.

    H is diagonal there and rho_a = 2, so that the infimum is at alpha(a) = 1/min(gap_a^2/2,
    6 epsilon gap_a).
    """
    gap = theta.max() - theta[theta < theta.max()]
    return float(math.log(t) * np.sum(gap / np.minimum(gap**2 / 2, 6 * epsilon * gap)))


def _wrong_index_pulls(alpha: float) -> float:
    """The expected number of pulls after unlikely events; unbounded for alpha <= 3."""
    return alpha / (alpha - 3) if alpha > 3 else math.inf


@bound
def azize2022_theorem_7(gaps: np.ndarray, t: int, epsilon: float, alpha: float) -> float:
    """Theorem 7 as stated, AdaP-UCB."""
    gap = gaps[gaps > 0]
    return float(
        np.sum(16 * alpha * math.log(t) / np.minimum(gap, epsilon) + 3 * _wrong_index_pulls(alpha))
    )


@bound
def azize2022_theorem_7_safe(gaps: np.ndarray, t: int, epsilon: float, alpha: float) -> float:
    """Theorem 7 with the episode length that the proof's own quadratic inequality needs.

    The printed one is too short around epsilon = 2 gap.
    """
    gap = gaps[gaps > 0]
    n0 = alpha * math.log(t) * (1 + np.sqrt(1 + 4 * gap / epsilon)) ** 2 / (2 * gap**2)
    return float(np.sum(gap * (4 * n0 + 3 * _wrong_index_pulls(alpha))))


@bound
def azize2022_theorem_8(means: np.ndarray, t: int, epsilon: float, alpha: float) -> float:
    """Theorem 8, AdaP-KLUCB, with the shortest episode for which its proof holds."""
    best = means.max()
    episodes = [_theorem_8_episode(mean, best, t, epsilon, alpha) for mean in means[means < best]]
    pulls = 2 * np.array(episodes) + 1.5 + _wrong_index_pulls(alpha)
    return float(np.sum(distinguishability(means)[0] * pulls))


def _theorem_8_episode(mean: float, best: float, t: int, epsilon: float, alpha: float) -> float:
    """The smallest power of two of pulls which show that an arm is not the best."""
    from scipy.optimize import brentq

    n, log_t = 1.0, math.log(t)
    while True:
        budget = alpha * log_t / n  # = d/(1 + b)
        if kl(mean, best) >= budget and kl(1.0, mean) > log_t / n:
            c = brentq(lambda x, budget=budget: kl(x, best) - budget, mean, best)
            g = brentq(lambda x, n=n: kl(x, mean) - log_t / n, mean, 1.0)
            if n * (c - g) * epsilon >= (1 + alpha) * log_t:
                return n
        n *= 2


@bound
def azize2022_theorem_12(gaps: np.ndarray, t: int, epsilon: float, alpha: float) -> float:
    """Theorem 12, minimax, AdaP-UCB."""
    K, log_t = len(gaps), math.log(t)
    unlikely = 3 * _wrong_index_pulls(alpha) * gaps.sum()
    return float(unlikely + 8 * math.sqrt(alpha * K * t * log_t) + 16 * alpha * K * log_t / epsilon)


T, EPSILON, ALPHA = 10_000_000, 1.0, 3.1
MEANS = np.array([0.75, 0.625, 0.5, 0.375, 0.25])  # azize2022's Figure 2
GAPS = MEANS.max() - MEANS


def table1() -> pd.DataFrame:
    """Table 1: the algorithms. Columns are copied from the paper, but for those that are ours.

    These are the last three, and "anytime as simulated". They are computed on Figure 2's arms for
    epsilon = 1 and T = 1e7. The paper calls DP-UCB anytime; its trees and its relaxation need T
    here. Under DP-SE the arm has one rival to the end: each epoch pulls both and releases a mean of
    each, but none if T cuts it.
    """
    always = ["yes", "yes", "yes"]
    rows = [
        ("DP-UCB", "ln(T)^2.5/eps + sum ln(T)/gap_a", "K T", "yes", "no", "no"),
        ("DP-SE", "K ln(T)/eps + sum ln(T)/gap_a", "O(ln T)", "no", "no", "yes"),
        ("AdaP-UCB", "sum gap_a ln(T)/min(gap_a^2, eps gap_a)", "O(ln T)", *always),
        ("AdaP-KLUCB", "sum gap_a ln(T)/min(d_a, eps gap_a)", "O(ln T)", *always),
    ]  # fmt: skip
    columns = [
        "algorithm", "regret", "private means", "anytime", "anytime as simulated", "forgetful"
    ]  # fmt: skip
    epochs = _epochs_of_dp_se()
    episodes = 1 + T.bit_length()  # of 1, 1, 2, 4, ... rounds; the horizon cuts the last one
    spent = [
        POLICIES.make(name, {"epsilon": EPSILON}).privacy(T, len(MEANS)).spent
        for name in LEDGERS["table1"]
    ]
    bounds = (
        azize2022_theorem_7(GAPS, T, EPSILON, ALPHA),
        azize2022_theorem_8(MEANS, T, EPSILON, ALPHA),
    )
    return pd.DataFrame(rows, columns=columns).assign(
        **{
            "private means of one arm that is always played": [T, epochs, episodes, episodes],
            "epsilon spent": np.round(spent, 9),
            "upper bound": [np.nan, np.nan, *bounds],
        }
    )


def _epochs_of_dp_se() -> int:
    """The epochs of two arms that end within T rounds; each releases a mean of both."""
    epochs = rounds = 0
    while (rounds := rounds + 2 * dp_se.epoch_length(2, epochs + 1, EPSILON, 1 / T)) <= T:
        epochs += 1
    return epochs


def table2() -> pd.DataFrame:
    """Table 2: the lower bounds, with and without privacy, and their values on Figure 2's arms.

    For linear bandits they are on the cube [-1, 1]^K (minimax) and on K orthonormal actions with
    these means (problem-dependent).
    """
    linear = "ln(T) inf sum alpha(a) gap_a, |a|^2 <= min(gap_a^2/2, 3 eps rho_a gap_a)"
    rows = [
        ("Theorem 2", "stochastic, minimax", "max(sqrt(T(K-1))/27, (K-1)/(131 eps))",
         azize2022_theorem_2, GAPS),
        ("Theorem 3", "stochastic, problem-dependent", "ln(T) sum gap_a/min(d_a, 6 eps t_a)",
         azize2022_theorem_3, MEANS),
        ("Theorem 4", "linear, minimax", "max(e^-2, exp(-6 eps d sqrt(T))) d sqrt(T)/8",
         azize2022_theorem_4, len(MEANS)),
        ("Theorem 5", "linear, problem-dependent", linear, azize2022_theorem_5, MEANS),
    ]  # fmt: skip
    columns = ["theorem", "setting", "lower bound", "epsilon = 0.1", "epsilon = 1", "no privacy"]
    values = [
        (*words, *(bound(on, T, epsilon) for epsilon in (0.1, 1.0, 1e9)))
        for *words, bound, on in rows
    ]
    return pd.DataFrame(values, columns=columns)
