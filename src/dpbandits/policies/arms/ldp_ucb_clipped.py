"""LDP-UCB as Sarkar, Pandey & Ray Chowdhury (2025) ran it as their baseline: every report is clipped to [0, 1].

The lines are algorithms/LDPUCB.py:64 and :93 of their released code (repository NP-Hardest/DP-NCB, commit 4839751).
This makes it a different algorithm from `ldp_ucb`: at epsilon = 0.2 the mean report of an arm hardly depends on its
mean, and nearly all arms lead in turn.
"""

from dpbandits.drivers.index import index_rule
from dpbandits.drivers.levels import play_by_levels
from dpbandits.parameters import Positive
from dpbandits.policies.arms import ldp_ucb
from dpbandits.random import laplace

privacy = ldp_ucb.privacy  # clipping a noisy report is post-processing


def play(rng, arms, horizon, journal, *, epsilon: Positive):
    play_by_levels(rng, arms, horizon, journal, ClippedLDPUCB(epsilon))


def reporting(horizon, number_of_arms, *, epsilon):
    """Every user reports by the same rule."""
    return {"any round": ClippedLDPUCB(epsilon)}


@index_rule
class ClippedLDPUCB(ldp_ucb.LDPUCB):
    """s: the sum of an arm's n reports."""

    def report(self, rng, reward):
        return min(max(reward + laplace(rng, 1 / self.epsilon), 0.0), 1.0)
