"""The two phases of the Nash confidence bounds: NCB, GDP-NCB and LDP-NCB.

Phase I plays random arms until the rewards of one of them exceed a threshold (`explored`).
Phase II plays the arm with the largest index.

Sarkar, Pandey & Ray Chowdhury (2025) state their algorithms with the horizon T alone. Their code
(repository NP-Hardest/DP-NCB, commit 4839751) also has W = floor(sqrt(T)) + 1. The index of GDP-NCB
and the last term of LDP-NCB's contain ln W. Phase I ends at the latest after W rounds in GDP-NCB
(algorithms/GDPNCB.py:77) and W + 1 in LDP-NCB (algorithms/LDPNCB.py:82), always before the
threshold is reached. In the paper (`cap: none`) and in NCB the threshold alone ends it.
"""

import math
from typing import Literal

import numpy as np

from dpbandits.bandits.run import ROUND
from dpbandits.drivers.index import IndexPolicy, new_tally, play_leads
from dpbandits.kernels import kernel, step

Cap = Literal["sqrt", "none"]
Log = Literal["cap", "horizon"]


class NashPolicy(IndexPolicy):
    """A policy whose index in Phase II does not grow with the round: `statistics` returns it."""

    def growth(self, t):
        return 0.0

    def index(self, value, growth):
        return value


def cap_of(horizon: int, cap: Cap) -> int:
    """W, or the horizon with cap `none`."""
    return math.isqrt(horizon) + 1 if cap == "sqrt" else horizon


def log_of(rounds: int) -> float:
    """ln of the number of rounds, or 1 for one round, where it would vanish."""
    return math.log(rounds) if rounds > 1 else 1.0


def log_by(horizon: int, log: Log) -> float:
    """ln W ("cap", as in the authors' code) or ln T ("horizon", as in the paper)."""
    return log_of(cap_of(horizon, "sqrt") if log == "cap" else horizon)


@kernel
def explore(run, last, policy, s, n):
    """Play random arms until one is explored, up to round `last`; return its end."""
    pulls, releases, explored = run.pulls, run.releases, False
    t, rng = run.clock[ROUND], releases.rng
    while t < last and not explored:
        stop = min(last, run.next_checkpoint())
        while t < stop and not explored:
            t += 1
            a = rng.integers(0, n.size)
            s[a] += policy.report(releases, run.arms.reward(rng, a))
            n[a] += 1
            pulls[a] += 1
            explored = policy.explored(releases, a, s[a], n[a])
        run.note(t)
    return t


def play_both_phases(run, policies, most):
    """Play a game, at most `most` rounds of it in Phase I.

    `policies` are those of Phase I and of Phase II.
    """
    (phase1, phase2), tally = policies, new_tally(run)
    t = explore(run, min(most, run.end), phase1, tally.s, tally.n)
    for a in range(run.K if t < run.end else 0):
        if np.isnan(phase2.statistics(tally.s[a], tally.n[a])[0]):
            return t + 1, a
    return play_leads(run, 0, phase2, tally)


@step
def play_at_random(run, rounds):
    """Play a random arm in each of some rounds, and read no reward."""
    t, rng = run.clock[ROUND], run.rng
    for i in range(rounds):
        run.pulls[rng.integers(0, run.K)] += 1
        run.note(t + i + 1)
