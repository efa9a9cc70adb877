"""Private UCB with UCB1's interval sqrt(2 ln t/n), otherwise as in the experiments of Mishra & Thakurta (2015): the
comparison for their sentence that the tuned interval performs best (section 5).

The index is r_a/n_a + sqrt(2 ln t/n_a) + c L/(eps0 n_a), with the noisy r_a clipped to [0, n_a]. Only the interval differs
from `private_ucb_tuned`, which explains the last term (`relax_c`).
"""

import math
from typing import NamedTuple

import numpy as np

from dpbandits.algorithms.arms import private_ucb
from dpbandits.algorithms.arms._index import index_rule, play_with_leads
from dpbandits.algorithms.arms.private_ucb import Budget, epsilon_per_arm
from dpbandits.parameters import NotNegative, Positive
from dpbandits.privacy.tree import tree_node_scale, tree_noise

check = private_ucb.check
privacy = private_ucb.privacy
composition = private_ucb.composition
nanoseconds = {"round": 6, "arm and round": 2}


def play(
    rng,
    arms,
    horizon,
    journal,
    *,
    epsilon: Positive,
    budget: Budget = "split",
    relax_c: NotNegative = 0.0,
):
    """Play one run."""
    node_scale = tree_node_scale(horizon, epsilon_per_arm(epsilon, len(arms.means), budget))
    rule = PrivateClippedUCB(node_scale, relax_c * node_scale, np.zeros((len(arms.means), 64)))
    play_with_leads(rng, arms, horizon, journal, rule)


@index_rule
class PrivateClippedUCB(NamedTuple):
    """r: the noisy sum of an arm's n rewards; G = c L/eps0."""

    node_scale: float
    G: float
    memory: np.ndarray  # of the arms' trees

    def release(self, rng, a, s, n):
        return min(max(s + tree_noise(rng, n, self.memory[a], self.node_scale), 0.0), n)

    def growth(self, t):
        return math.sqrt(2 * math.log(t))

    def terms(self, r, n):
        return (r + self.G) / n, math.sqrt(1 / n)

    def index(self, terms, growth):
        mean, width = terms
        return mean + growth * width
