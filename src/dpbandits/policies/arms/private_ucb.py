"""Private-UCB: Mishra & Thakurta (2015), Algorithm 1.

It is the private baseline of tossou2016 (section 2.5).

UCB on the counts of one binary mechanism with T leaves per arm, with a relaxation G that bounds the
errors of all counts simultaneously. The source gives each arm's mechanism epsilon/K (`budget:
split`), although a reward enters only one mechanism and epsilon would suffice (`budget: parallel`).
In azize2022 it is DP-UCB (its section 6), with a fixed failure probability gamma; the curve there
agrees within 2% with epsilon/K per arm and a horizon rounded up to a power of two (`planned_for:
pow2`).
"""

import math
from typing import Literal

from dpbandits.drivers.index import IndexPolicy, SumLeads
from dpbandits.parameters import Positive, Probability
from dpbandits.privacy.ledger import Account
from dpbandits.privacy.tree import tree_ledger, tree_memory, tree_node_scale, tree_noise


class PrivateUCB(IndexPolicy):
    """The index is r_hat_a/n_a + sqrt(2 ln t/n_a) + G_t/n_a.

    G_t = ln(T)^2 ln(K T ln(T)/g)/eps0 = g_constant + g_growth ln t with failure probability g, or 0
    without relaxation.
    """

    short_cut = SumLeads

    epsilon: Positive
    budget: Literal["split", "parallel"] = "split"
    relaxation: bool = True
    failure_prob: Literal["t^-4", "T^-1"] | Probability = "t^-4"
    planned_for: Literal["T", "pow2"] = "T"

    def constants(self, horizon, number_of_arms):
        """Those of a tree with T leaves and the budget eps0."""
        K, T = number_of_arms, horizon
        if self.planned_for == "pow2":
            T = 1 << (horizon - 1).bit_length()
        eps0 = self.epsilon / (K if self.budget == "split" else 1)
        factor = math.log(T) ** 2 / eps0 if self.relaxation else 0.0
        constant, growth = math.log(K * T * math.log(T)), 0.0
        if self.failure_prob == "t^-4":
            growth = 4.0
        else:
            constant -= math.log(1 / T if self.failure_prob == "T^-1" else self.failure_prob)
        return {
            "node_scale": tree_node_scale(T, eps0),
            "g_constant": factor * constant,
            "g_growth": factor * growth,
        }

    def state(self, number_of_arms):
        return {"memory": tree_memory(number_of_arms)}

    def noisy(self, releases, a, s, n):
        return s + tree_noise(releases, n, self.memory[a], self.node_scale, a, n, s)

    def growth(self, t):
        return math.sqrt(2 * math.log(t)), self.g_constant + self.g_growth * math.log(t)

    def statistics(self, r_hat, n):
        return r_hat / n, math.sqrt(1 / n), 1 / n

    def index(self, mu_hat, width, slack, growth):
        bonus, G = growth
        return mu_hat + bonus * width + G * slack

    def privacy(self, horizon, number_of_arms):
        """A reward enters one tree; in the worst case all T rewards are in this tree."""
        scale = self.constants(horizon, number_of_arms)["node_scale"]
        return Account(self.epsilon, 0.0, tree_ledger(horizon, scale))
