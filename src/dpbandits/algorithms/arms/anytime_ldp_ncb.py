"""Anytime LDP-NCB: Sarkar, Pandey & Ray Chowdhury (2025), Algorithm 7, around their Algorithm 5.

The epochs share no users, so the run is as private as its worst epoch.
"""

from dpbandits.algorithms.arms import ldp_ncb
from dpbandits.algorithms.arms._nash import audited_anytime, play_anytime, worst_epoch
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import Account

audited = audited_anytime
nanoseconds = {"round": 10, "run": 60_000_000}  # as LDP-NCB, which each epoch plays


def play(rng, arms, horizon, journal, *, epsilon: Positive):
    """Play one run."""

    def play_epoch(start, rounds, W, pulls):
        rule = ldp_ncb.plan(W, len(arms.means), epsilon=epsilon)
        ldp_ncb.ldp_ncb(rng, arms, start, rounds, journal, pulls, ldp_ncb.LDPNCBInPhase1(*rule), rule)

    play_anytime(rng, arms, horizon, journal, play_epoch)


def privacy(horizon, number_of_arms, *, epsilon) -> Account:
    """The account of the epoch that spends the most; no user is in two epochs."""
    return worst_epoch(horizon, lambda W: ldp_ncb.privacy(W, number_of_arms, epsilon=epsilon))
