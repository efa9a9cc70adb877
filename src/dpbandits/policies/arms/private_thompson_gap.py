"""Private Thompson sampling with gap estimation: Mishra & Thakurta (2015), Algorithm 2.

1. With D = 1, pull each arm m = ceil(192 K ln T/(epsilon D^2)) times, release the batch's means
   with Lap(2K/(epsilon m)), halve D; until the two largest means are more than D apart. (The
   pseudocode compares "mu"; only the noisy means are private.)
2. Pull each arm M = ceil(G/D^2) times, G = 192 ln(T)^3/epsilon, and insert the total as one leaf of
   the arm's tree, which has epsilon/(2K) and T - tau leaves, where tau is the number of rounds so
   far.
3. Thompson sampling on the noisy totals. n_a counts the pulls since step 2, as the totals do; in
   the pseudocode it continues from step 1, which would bias every mean downwards.

Steps 1 and 2 play the arms in turn.
"""

import math

from dpbandits.bandits.arms import pull_many
from dpbandits.drivers.posterior import CANDIDATES
from dpbandits.kernels import inlined, kernel
from dpbandits.parameters import Positive
from dpbandits.policies.arms.private_thompson import private_rounds
from dpbandits.policy import ArmsPolicy
from dpbandits.privacy.ledger import Account, Ledger
from dpbandits.privacy.tree import tree_ledger, tree_levels, tree_node_scale


class PrivateThompsonGap(ArmsPolicy):
    """Estimate the gap, then Thompson sampling on noisy totals."""

    epsilon: Positive

    def play(self, rng, arms, horizon, journal):
        K, T = len(arms.means), horizon
        D, tau = estimate_gap(rng, arms, self.epsilon, T, T)
        M = math.ceil(min(192 * math.log(T) ** 3 / (self.epsilon * D * D), T))
        node_scale = tree_levels(max(T - tau, 1)) * 2 * K / self.epsilon
        private_rounds(rng, arms, T, journal, tau + K * M, M, node_scale, CANDIDATES)

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
def estimate_gap(rng, arms, epsilon, T, limit):
    """Step 1: estimate the gap D in about `limit` rounds at most; return D and their number."""
    K = arms.means.size
    D, tau, found = 1.0, 0, False
    while not found and tau < limit:
        m = pulls_per_arm(K, epsilon, T, D)
        tau += K * m
        best = second = -math.inf
        for a in range(K):
            mean = rng.release(pull_many(rng, arms, a, m) / m, 2 * K / (epsilon * m))
            best, second = max(best, mean), max(second, min(best, mean))
        D /= 2
        found = best - second > D
    return D, tau
