"""Private Thompson sampling with gap estimation: Mishra & Thakurta (2015), Algorithm 2.

1. With D = 1, pull each arm m = ceil(192 K ln T/(epsilon D^2)) times, release the batch's means
   with Lap(2K/(epsilon m)), halve D; until the two largest means are more than D apart. (The
   pseudocode compares "mu"; only the noisy means are private.)
2. Pull each arm M = ceil(G/D^2) times, G = 192 ln(T)^3/epsilon, and insert the total as one leaf of
   the arm's tree. The tree has epsilon/(2K), and T - tau leaves after tau rounds of step 1.
3. Thompson sampling on the noisy totals. n_a counts the pulls since step 2, as the totals do; in
   the pseudocode it continues from step 1, which would bias every mean downwards.

Steps 1 and 2 play the arms in turn.
"""

import math

import numpy as np

from dpbandits.drivers.noisy_totals import NoisyTotals
from dpbandits.kernels import inlined, kernel
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import Account, Ledger
from dpbandits.privacy.tree import tree_ledger, tree_levels, tree_node_scale


class PrivateThompsonGap(NoisyTotals):
    """Estimate the gap, then Thompson sampling on noisy totals."""

    epsilon: Positive

    def begin(self, run, theta, r):
        """Steps 1 and 2."""
        T, D = run.horizon, estimate_gap(run, self.epsilon)
        tau = run.pulls.sum()
        M = math.ceil(min(192 * math.log(T) ** 3 / (self.epsilon * D * D), T))
        scale = tree_levels(max(T - tau, 1)) * 2 * run.K / self.epsilon
        self.first_leaves(run, theta, r, M, scale)

    def privacy(self, horizon, number_of_arms):
        """The account of the more expensive step.

        A reward is in one batch's mean of step 1 or in one leaf of a tree, the longest of which has
        almost T leaves, never in both. (The paper's Theorem 7 adds up both, of all arms.)
        """
        eps0 = self.epsilon / (2 * number_of_arms)
        m = pulls_per_arm(number_of_arms, self.epsilon, horizon, 1.0)
        gap = Ledger().book(1, m, sensitivity=1.0, scale=1 / eps0)
        leaves = max(horizon - number_of_arms * m, 1)
        tree = tree_ledger(leaves, tree_node_scale(leaves, eps0))
        return Account(self.epsilon, 0.0, max(gap, tree, key=Ledger.spent))


@inlined
def pulls_per_arm(K, epsilon, T, D):
    """m of step 1 for the estimate D."""
    return math.ceil(192 * K * math.log(T) / (epsilon * D * D))


@kernel
def estimate_gap(run, epsilon):
    """Step 1: return the estimate D of the gap."""
    K, D, is_clear = run.K, 1.0, False
    while not is_clear and not run.finished():
        m = pulls_per_arm(K, epsilon, run.horizon, D)
        run.spend_in_turn(np.arange(K), m)
        best = second = -math.inf
        for a in range(K):
            mean = run.releases.laplace(run.collect(a) / m, 2 * K / (epsilon * m))
            best, second = max(best, mean), max(second, min(best, mean))
        D /= 2
        is_clear = best - second > D
    return D
