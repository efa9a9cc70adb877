"""LDP-UCB as Sarkar, Pandey & Ray Chowdhury (2025) ran it as their baseline: every report is clipped to [0, 1].

The lines are algorithms/LDPUCB.py:64 and :93 of their released code (repository NP-Hardest/DP-NCB, commit 4839751).
This makes it a different algorithm from `ldp_ucb`: at epsilon = 0.2 the mean report of an arm hardly depends on its
mean, and nearly all arms lead in turn.
"""

from dpbandits.algorithms.arms import ldp_ucb
from dpbandits.algorithms.arms._index import IndexRule, index_rule, play_round_by_round
from dpbandits.algorithms.arms._levels import FIRST, play_by_levels
from dpbandits.kernels.sampling import laplace
from dpbandits.parameters import Positive


def play(rng, arms, horizon, journal, *, epsilon: Positive):
    """Play one run."""
    by_levels = horizon > FIRST  # the other driver takes less time to compile
    (play_by_levels if by_levels else play_round_by_round)(rng, arms, horizon, journal, ClippedLDPUCB(epsilon))


check = ldp_ucb.check
privacy = ldp_ucb.privacy  # clipping a noisy report is post-processing
audited = ldp_ucb.audited
nanoseconds = {"round": 12, "run": 60_000_000}  # one noise draw and one index


@index_rule
class ClippedLDPUCB(ldp_ucb.LDPUCB):
    """s: the sum of an arm's n reports."""

    def report(self, rng, reward):
        return min(max(reward + laplace(rng, 1 / self.epsilon), 0.0), 1.0)

    lead_on = IndexRule.lead_on  # clipped reports have another law
