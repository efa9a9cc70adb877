"""Private-UCB: Mishra & Thakurta (2015), Algorithm 1, the private baseline of tossou2016 (its section 2.5).

UCB on the counts of one binary mechanism with T leaves an arm, and a relaxation G that covers the worst error of all
counts at once. The source gives each arm's mechanism epsilon/K (`budget: split`), although a reward enters one
mechanism only and epsilon would do (`budget: parallel`). azize2022 draws it as DP-UCB (its section 6) with a fixed
failure probability gamma; its curve agrees with a horizon rounded up to a power of two (`planned_for: pow2`).
"""

import math
from typing import Literal

import numpy as np

from dpbandits.algorithms.arms._leader import lead, window_end
from dpbandits.compiled import kernel
from dpbandits.environments.arms import note, pull
from dpbandits.errors import InputError
from dpbandits.parameters import Positive, Probability
from dpbandits.privacy.ledger import Account
from dpbandits.privacy.tree import tree_ledger, tree_levels, tree_noise

Budget = Literal["split", "parallel"]
Horizon = Literal["T", "pow2"]


def play(
    rng,
    arms,
    horizon,
    journal,
    *,
    epsilon: Positive,
    budget: Budget = "split",
    relaxation: bool = True,
    failure_prob: Literal["t^-4", "T^-4", "T^-1"] | Probability = "t^-4",
    planned_for: Horizon = "T",
):
    """One run. G = ln(T)^2 ln(K T ln(T)/g)/eps0 with failure probability g, or 0 without relaxation."""
    K, T = len(arms.means), planned_horizon(horizon, planned_for)
    eps0 = epsilon_of_an_arm(epsilon, K, budget)
    node_scale = tree_levels(T) / eps0
    factor = math.log(T) ** 2 / eps0 if relaxation else 0.0
    constant = math.log(K * T * math.log(T))
    growth = 4.0 if failure_prob == "t^-4" else 0.0
    if failure_prob == "T^-4":
        constant += 4 * math.log(T)
    elif failure_prob == "T^-1":
        constant += math.log(T)
    elif failure_prob != "t^-4":
        constant -= math.log(failure_prob)
    private_ucb(rng, arms, horizon, journal, node_scale, factor * constant, factor * growth)


def epsilon_of_an_arm(epsilon: float, number_of_arms: int, budget: Budget) -> float:
    """eps0, the budget of one arm's mechanism."""
    return epsilon / number_of_arms if budget == "split" else epsilon


def planned_horizon(horizon: int, planned_for: Horizon) -> int:
    """The T of the tree's levels and of G: the horizon, or the next power of two."""
    return horizon if planned_for == "T" else 1 << (horizon - 1).bit_length()


def privacy(horizon, number_of_arms, *, epsilon, budget="split", planned_for="T", **_) -> Account:
    """A reward enters one tree, whose T leaves it shares at worst with every other reward."""
    eps0 = epsilon_of_an_arm(epsilon, number_of_arms, budget)
    return Account(epsilon, 0.0, tree_ledger(horizon, tree_levels(planned_horizon(horizon, planned_for)) / eps0))


def check(horizon, number_of_arms, **_):
    """Every arm is played once before an index is known."""
    if horizon < number_of_arms:
        raise InputError(
            f"horizon {horizon} is too short: each of {number_of_arms} arms is pulled once first; write at least {number_of_arms}"
        )


def composition(horizon, number_of_arms, **given) -> dict[str, float]:
    """What the source adds up (its Theorem 3): the budgets of all arms' trees."""
    return {"trees": number_of_arms * privacy(horizon, number_of_arms, **given).spent}


def nanoseconds(horizon, number_of_arms, **_):
    """One arm is looked at while it leads."""
    return 25 * horizon


@kernel
def private_ucb(rng, arms, horizon, journal, node_scale, g_constant, g_growth):
    """The index is r_hat_a/n_a + sqrt(2 ln t/n_a) + G_t/n_a with G_t = g_constant + g_growth ln t."""
    K = arms.means.size
    s, pulls = np.zeros(K), np.zeros(K, np.int64)
    memory = np.zeros((K, 64))
    mu_hat, width, slack = np.zeros(K), np.zeros(K), np.zeros(K)
    t = 0
    while t < horizon:
        if t < K:
            a, rival, c, G, end = t, np.inf, 0.0, 0.0, t + 1
        else:
            end = window_end(t + 1, horizon)
            c, G = math.sqrt(2 * math.log(t + 1)), g_constant + g_growth * math.log(t + 1)
            c_end, G_end = math.sqrt(2 * math.log(end)), g_constant + g_growth * math.log(end)
            a, rival = lead(mu_hat, width, slack, c, G, c_end, G_end)
        leads = True
        while leads:
            t += 1
            s[a] += pull(rng, arms, a)
            pulls[a] += 1
            note(journal, t, pulls)
            mu_hat[a] = (s[a] + tree_noise(rng, pulls[a], memory[a], node_scale)) / pulls[a]
            width[a] = math.sqrt(1 / pulls[a])
            slack[a] = 1 / pulls[a]
            leads = t < end and mu_hat[a] + c * width[a] + G * slack[a] > rival
