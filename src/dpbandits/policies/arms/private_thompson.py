"""Private Thompson sampling as in the experiments of Mishra & Thakurta (2015).

Algorithm 2 without its gap estimation. Every arm is pulled m times in turn, then theta_a ~ Beta(r_a
+ 1, n_a - r_a + 1) with r_a from one binary mechanism per arm. The experiments omit the first step
of Algorithm 2 and use "a smaller value for m", which is not given: here m = ceil(explore_c L/eps0),
a multiple of the noise scale of a node. The total of the m pulls is inserted as one leaf, as in the
text.

eps0 = epsilon/(2K) is Algorithm 2's, which reserves one half for the omitted step (`ts_budget:
half`); with `full` eps0 = epsilon/K. The paper does not say what happens to a noisy total below 0
or above n: here it is clipped to [0, n].
"""

import math
from typing import Literal

import numpy as np

from dpbandits.bandits.arms import next_checkpoint, note, note_round_robin, pull, pull_many
from dpbandits.drivers.posterior import CANDIDATES, arm_of_largest, observe, uniform_prior
from dpbandits.kernels import kernel
from dpbandits.parameters import NotNegative, Positive
from dpbandits.policy import ArmsPolicy
from dpbandits.privacy.games import AuditGames, Setting
from dpbandits.privacy.ledger import Account
from dpbandits.privacy.tree import tree_ledger, tree_node_scale, tree_noise


class PrivateThompson(ArmsPolicy):
    """Thompson sampling on noisy totals, after m pulls of each arm."""

    epsilon: Positive
    explore_c: NotNegative = 6.0
    ts_budget: Literal["half", "full"] = "half"

    def node_scale(self, horizon: int, number_of_arms: int) -> float:
        """The scale of the noise of a node, of a tree that has eps0."""
        eps0 = self.epsilon / number_of_arms / (2 if self.ts_budget == "half" else 1)
        return tree_node_scale(horizon, eps0)

    def play(self, rng, arms, horizon, journal):
        K = len(arms.means)
        scale = self.node_scale(horizon, K)
        m = math.ceil(min(self.explore_c * scale, horizon))
        private_rounds(rng, arms, horizon, journal, K * m, m, scale, CANDIDATES)

    def privacy(self, horizon, number_of_arms):
        """A reward enters one leaf of one tree, and changes it by 1, also one with a total."""
        ledger = tree_ledger(horizon, self.node_scale(horizon, number_of_arms))
        return Account(self.epsilon, 0.0, ledger)

    def audit_games(self):
        """Games with eight rounds after the first pulls.

        There are more first pulls in a longer game, whose trees have more levels.
        """
        first, T = 0, 0
        while first + 8 > T:
            T = first + 8
            first = 2 * math.ceil(self.explore_c * self.node_scale(T, 2))
        return AuditGames((Setting(2, T),))


@kernel
def private_rounds(rng, arms, horizon, journal, forced, m, node_scale, max_share):
    """Pull every arm in turn in the rounds 1..forced; then sample from noisy totals.

    s: the total of n rewards, of which the last m of the forced ones are one leaf of the arm's
    tree; r: its release.
    """
    K, earlier = arms.means.size, max(m - 1, 0)  # a leaf has one reward, but for the first
    s, n = np.zeros(K), np.zeros(K, np.int64)
    nodes, theta, t = np.zeros((K, 64)), uniform_prior(K, max_share), min(forced, horizon)
    note_round_robin(journal, 0, t, n, np.arange(K))
    if m > 0 and t < horizon:
        for a in range(K):
            s[a], n[a] = pull_many(rng, arms, a, m), m
            r = s[a] + tree_noise(rng, 1, nodes[a], node_scale, a, 1, s[a])
            observe(theta, a, r, n[a], t)
    while t < horizon:
        stop = next_checkpoint(journal)
        while t < stop:
            a = arm_of_largest(rng, theta, t)
            s[a] += pull(rng, arms, a)
            n[a] += 1
            t += 1
            leaf = n[a] - earlier
            r = s[a] + tree_noise(rng, leaf, nodes[a], node_scale, a, leaf, s[a])
            observe(theta, a, r, n[a], t)
        note(journal, t, n + (forced // K - m))
