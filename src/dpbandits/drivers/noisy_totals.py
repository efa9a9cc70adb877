"""Thompson sampling on totals that trees release, after first pulls of every arm."""

import numpy as np

from dpbandits.bandits.run import ROUND
from dpbandits.drivers.posterior import PosteriorPolicy, observe
from dpbandits.kernels import allocating
from dpbandits.privacy.tree import tree_memory, tree_noise


class NoisyTotals(PosteriorPolicy):
    """A subclass defines `begin`, which calls `first_leaves`."""

    needs = ("begin",)

    def state(self, number_of_arms):
        """m: the first pulls of an arm; before: its pulls before these, which no total contains."""
        return {
            "nodes": tree_memory(number_of_arms),
            "scale": np.zeros(1),  # of the noise of a node
            "m": np.zeros(1, np.int64),
            "before": np.zeros(1, np.int64),
        }

    @allocating
    def first_leaves(self, run, theta, r, m, scale):
        """Pull each arm m times, in turn, and insert the total as the first leaf of its tree."""
        self.scale[0], self.m[0], self.before[0] = scale, m, run.pulls[0]
        run.spend_in_turn(np.arange(run.K), m)
        if m > 0 and not run.finished():
            for a in range(run.K):
                r[a] = run.collect(a)
                self.insert(run.releases, theta, a, r, run.pulls, run.clock[ROUND])

    def insert(self, releases, theta, a, r, n, t):
        """Insert the last leaf of an arm into its tree; after the first, a leaf has one reward."""
        count = n[a] - self.before[0]
        leaf = count - max(self.m[0] - 1, 0)
        noise = tree_noise(releases, leaf, self.nodes[a], self.scale[0], a, leaf, r[a])
        observe(theta, a, r[a] + noise, count, t)

    def learn(self, releases, theta, a, r, n, t):
        """Insert a leaf with one reward."""
        self.insert(releases, theta, a, r, n, t)
