"""Private UCB as in the experiments of Mishra & Thakurta (2015).

Algorithm 1 with the tuned interval in place of sqrt(2 ln t/n) and of the relaxation G. The index is
r_a/n_a + sqrt(r_a ln t)/n_a + ln t/n_a, with the noisy r_a in both places: the true total in the
bonus would not be private. The text does not define the root of a negative r_a: `ucb_clip: unit`
clips r_a to [0, n_a] everywhere, `root` clips it under the root only. `relax_c` adds a part of G, c
L/(eps0 n_a), where L/eps0 is the noise scale of a node; 0 is the experiment as described.
"""

import math
from typing import Literal

from dpbandits.drivers.index import Leads
from dpbandits.parameters import NotNegative, Positive
from dpbandits.policies.arms.ucb_tuned import UCBTuned
from dpbandits.privacy.ledger import Account
from dpbandits.privacy.tree import tree_ledger, tree_memory, tree_node_scale, tree_noise


class TunedLeads(Leads):
    """The potential is r, if r is clipped.

    Unclipped, the root falls with r, and r - nq may rise while r falls if q < 0.
    """

    def potential(self, r, n, growth):
        return r if self.clip else math.nan


class PrivateUCBTuned(UCBTuned):
    """The index of `ucb_tuned`, where r is the noisy sum of an arm's n rewards; G = c L/eps0."""

    short_cut = TunedLeads

    epsilon: Positive
    ucb_clip: Literal["unit", "root"] = "unit"
    relax_c: NotNegative = 0.0

    def constants(self, horizon, number_of_arms):
        node_scale = tree_node_scale(horizon, self.epsilon / number_of_arms)
        return {
            "node_scale": node_scale,
            "G": self.relax_c * node_scale,
            "clip": self.ucb_clip == "unit",
        }

    def state(self, number_of_arms):
        return {"memory": tree_memory(number_of_arms)}

    def noisy(self, releases, a, s, n):
        r = s + tree_noise(releases, n, self.memory[a], self.node_scale, a, n, s)
        return min(max(r, 0.0), n) if self.clip else r

    def statistics(self, r, n):
        return (r + self.G) / n, math.sqrt(max(r, 0.0)) / n, 1 / n

    def privacy(self, horizon, number_of_arms):
        """All indices are computed from released totals, of trees with epsilon/K each."""
        scale = self.constants(horizon, number_of_arms)["node_scale"]
        return Account(self.epsilon, 0.0, tree_ledger(horizon, scale))
