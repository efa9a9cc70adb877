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

from dpbandits.drivers.noisy_totals import NoisyTotals
from dpbandits.parameters import NotNegative, Positive
from dpbandits.privacy.games import AuditGames, Setting
from dpbandits.privacy.ledger import Account
from dpbandits.privacy.tree import tree_ledger, tree_node_scale


class PrivateThompson(NoisyTotals):
    """Thompson sampling on noisy totals, after m pulls of each arm."""

    epsilon: Positive
    explore_c: NotNegative = 6.0
    ts_budget: Literal["half", "full"] = "half"

    def constants(self, horizon, number_of_arms):
        """first_pulls: of every arm."""
        eps0 = self.epsilon / number_of_arms / (2 if self.ts_budget == "half" else 1)
        scale = tree_node_scale(horizon, eps0)
        first_pulls = math.ceil(min(self.explore_c * scale, horizon))
        return {"node_scale": scale, "first_pulls": first_pulls}

    def begin(self, run, theta, r):
        self.first_leaves(run, theta, r, self.first_pulls, self.node_scale)

    def privacy(self, horizon, number_of_arms):
        """A reward enters one leaf of one tree, and changes it by 1, also one with a total."""
        scale = self.constants(horizon, number_of_arms)["node_scale"]
        return Account(self.epsilon, 0.0, tree_ledger(horizon, scale))

    def audit_games(self):
        """Games with eight rounds after the first pulls.

        There are more first pulls in a longer game, whose trees have more levels.
        """
        first, T = 0, 0
        while first + 8 > T:
            T = first + 8
            first = 2 * self.constants(T, 2)["first_pulls"]
        return AuditGames((Setting(2, T),))
