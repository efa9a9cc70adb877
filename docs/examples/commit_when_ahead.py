"""Explore by sums that a tree releases after every reward, then commit."""

import math

import numpy as np

from dpbandits.parameters import Positive
from dpbandits.policy import ArmsPolicy
from dpbandits.privacy.ledger import Account
from dpbandits.privacy.tree import tree_ledger, tree_memory, tree_node_scale, tree_noise


class CommitWhenAhead(ArmsPolicy):
    """Play the arms in turn until a noisy sum is clearly ahead, then play its arm."""

    epsilon: Positive

    def play(self, run):
        T, m = run.horizon, run.horizon // run.K
        scale, nodes = tree_node_scale(m, self.epsilon), tree_memory(run.K)
        sums, noisy, n = np.zeros(run.K), np.zeros(run.K), 0
        while n < m and np.ptp(noisy) <= 4 * math.sqrt(n * math.log(T)) + 4 * scale * math.log(T):
            n += 1
            for a in range(run.K):
                sums[a] += run.play(a)[0]
                noisy[a] = sums[a] + tree_noise(run.releases, n, nodes[a], scale, a, n, sums[a])
        run.play(np.argmax(noisy), T)

    def privacy(self, horizon, number_of_arms):
        """A reward is in the nodes of one arm's tree."""
        m = horizon // number_of_arms
        return Account(self.epsilon, 0.0, tree_ledger(m, tree_node_scale(m, self.epsilon)))
