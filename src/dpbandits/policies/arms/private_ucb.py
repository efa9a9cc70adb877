"""Private-UCB: Mishra & Thakurta (2015), Algorithm 1, the private baseline of tossou2016 (its section 2.5).

UCB on the counts of one binary mechanism with T leaves per arm, with a relaxation G that bounds the errors of all
counts simultaneously. The source gives each arm's mechanism epsilon/K (`budget: split`), although a reward enters only
one mechanism and epsilon would suffice (`budget: parallel`). In azize2022 it is DP-UCB (its section 6), with a fixed
failure probability gamma; the curve there agrees within 2% with epsilon/K per arm and a horizon rounded up to a power of
two (`planned_for: pow2`).
"""

import math
from typing import Literal, NamedTuple

import numpy as np

from dpbandits.drivers.index import index_rule, play_with_leads
from dpbandits.parameters import Positive, Probability
from dpbandits.privacy.ledger import Account
from dpbandits.privacy.tree import tree_ledger, tree_node_scale, tree_noise

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
    failure_prob: Literal["t^-4", "T^-1"] | Probability = "t^-4",
    planned_for: Horizon = "T",
):
    """Play one run. G = ln(T)^2 ln(K T ln(T)/g)/eps0 with failure probability g, or 0 without relaxation."""
    K, T = len(arms.means), planned_horizon(horizon, planned_for)
    eps0 = epsilon if budget == "parallel" else epsilon / K
    factor = math.log(T) ** 2 / eps0 if relaxation else 0.0
    constant, growth = math.log(K * T * math.log(T)), 0.0
    if failure_prob == "t^-4":
        growth = 4.0
    else:
        constant -= math.log(1 / T if failure_prob == "T^-1" else failure_prob)
    rule = PrivateUCB(
        tree_node_scale(T, eps0), factor * constant, factor * growth, np.zeros((K, 64))
    )
    play_with_leads(rng, arms, horizon, journal, rule)


def planned_horizon(horizon: int, planned_for: Horizon) -> int:
    """The T of the tree's levels and of G: the horizon, or the next power of two."""
    return horizon if planned_for == "T" else 1 << (horizon - 1).bit_length()


def privacy(horizon, number_of_arms, *, epsilon, budget="split", planned_for="T", **_) -> Account:
    """A reward enters one tree; in the worst case all T rewards are in this tree."""
    eps0 = epsilon if budget == "parallel" else epsilon / number_of_arms
    ledger = tree_ledger(horizon, tree_node_scale(planned_horizon(horizon, planned_for), eps0))
    return Account(epsilon, 0.0, ledger)


@index_rule
class PrivateUCB(NamedTuple):
    """The index is r_hat_a/n_a + sqrt(2 ln t/n_a) + G_t/n_a with G_t = g_constant + g_growth ln t."""

    node_scale: float
    g_constant: float
    g_growth: float
    memory: np.ndarray  # of the arms' trees

    def noisy(self, rng, a, s, n):
        return s + tree_noise(rng, n, self.memory[a], self.node_scale)

    def growth(self, t):
        return math.sqrt(2 * math.log(t)), self.g_constant + self.g_growth * math.log(t)

    def terms(self, r_hat, n):
        return r_hat / n, math.sqrt(1 / n), 1 / n

    def score(self, terms, growth):
        mu_hat, width, slack = terms
        bonus, G = growth
        return mu_hat + bonus * width + G * slack

    def counted(self, r_hat, n, growth):
        return r_hat
