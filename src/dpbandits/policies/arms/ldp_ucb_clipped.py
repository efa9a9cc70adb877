"""LDP-UCB as Sarkar, Pandey & Ray Chowdhury (2025) ran it, with clipped reports.

Every report is clipped to [0, 1]. The lines are algorithms/LDPUCB.py:64 and :93 of their released
code (repository NP-Hardest/DP-NCB, commit 4839751). This makes it a different algorithm from
`ldp_ucb`: at epsilon = 0.2 the mean report of an arm hardly depends on its mean, and nearly all
arms lead in turn.
"""

from dpbandits.drivers.levels import Levels
from dpbandits.policies.arms.ldp_ucb import LDPUCB


class LDPUCBClipped(LDPUCB):
    """s: the sum of an arm's n reports. Clipping a noisy report costs no privacy."""

    short_cut = Levels

    def report(self, releases, reward):
        return min(max(releases.laplace(reward, 1 / self.epsilon), 0.0), 1.0)
