"""LDP-UCB as Sarkar, Pandey & Ray Chowdhury (2025) ran it as their baseline: every report is cut to [0, 1] before it is averaged.

Otherwise as `ldp_ucb`, but it is another algorithm: at epsilon = 0.2 the mean report of an arm hardly depends on its mean. The
lead changes in almost every round, so it is played round by round.
"""

from dpbandits.algorithms.arms import ldp_ucb
from dpbandits.algorithms.arms._index import index_rule, play_round_by_round
from dpbandits.parameters import Positive

check = ldp_ucb.check


def play(rng, arms, horizon, journal, *, epsilon: Positive):
    """One run."""
    play_round_by_round(rng, arms, horizon, journal, ClippedLDPUCB(epsilon))


def privacy(horizon, number_of_arms, *, epsilon):
    """As LDP-UCB: cutting a report comes after the noise and is free."""
    return ldp_ucb.privacy(horizon, number_of_arms, epsilon=epsilon)


def nanoseconds(horizon, number_of_arms, **_):
    """Every index is looked at in every round."""
    return 90 * horizon + 60_000_000


@index_rule
class ClippedLDPUCB(ldp_ucb.LDPUCB):
    """s: the sum of an arm's n reports."""

    def report(self, rng, reward):
        return min(max(reward + rng.laplace(0.0, 1 / self.epsilon), 0.0), 1.0)
