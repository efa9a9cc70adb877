"""The two phases of the Nash confidence bounds NCB, GDP-NCB and LDP-NCB, and their constants.

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

from dpbandits.bandits.arms import next_checkpoint, note, pull
from dpbandits.drivers.index import Tally, play_in_order
from dpbandits.kernels import kernel, step

Cap = Literal["sqrt", "none"]
Log = Literal["cap", "horizon"]


def cap_of(horizon: int, cap: Cap) -> int:
    """W, or the horizon with cap `none`."""
    return math.isqrt(horizon) + 1 if cap == "sqrt" else horizon


def log_of(rounds: int) -> float:
    """ln of the number of rounds, or 1 for one round, where it would vanish."""
    return math.log(rounds) if rounds > 1 else 1.0


def log_by(horizon: int, log: Log) -> float:
    """ln W ("cap", as in the authors' code) or ln T ("horizon", as in the paper)."""
    return log_of(cap_of(horizon, "sqrt") if log == "cap" else horizon)


@step
def explore(rng, arms, t, last, journal, rule, tally):
    """Play random arms after round t until one is explored, up to round `last`; return its end."""
    s, n, pulls = tally
    explored = False
    while t < last and not explored:
        stop = min(last, next_checkpoint(journal))
        while t < stop and not explored:
            t += 1
            a = rng.integers(0, n.size)
            s[a] += rule.report(rng, pull(rng, arms, a))
            n[a] += 1
            pulls[a] += 1
            explored = rule.explored(rng, a, s[a], n[a])
        if t == stop:
            note(journal, t, pulls)
    return t


@kernel
def play_both_phases(rng, arms, start, end, journal, pulls, rules, most):
    """Play the rounds start+1..end, at most `most` of them in Phase I.

    `rules` are those of Phase I and of Phase II. `pulls` includes earlier pulls. If the indices of
    a user's subclass grow, Phase II is sorted anew in every round.
    """
    K, (rule_of_phase1, rule) = arms.means.size, rules
    tally = Tally(np.zeros(K), np.zeros(K, np.int64), pulls)
    last = min(start + most, end)
    t = explore(rng, arms, start, last, journal, rule_of_phase1, tally)
    terms = [rule.terms(tally.s[a], tally.n[a]) for a in range(K)]
    grows = rule.growth(t + 1) != rule.growth(end)
    while t < end:
        stop = t + 1 if grows else end
        place_of_nan = play_in_order(rng, arms, t, stop, journal, rule, tally, terms)
        if place_of_nan[0] > 0:
            return place_of_nan
        t = stop
    return 0, 0


@step
def uniform_rounds(rng, start, rounds, journal, pulls):
    """Play a random arm in each of the rounds start+1..start+rounds, without learning."""
    for t in range(start + 1, start + rounds + 1):
        pulls[rng.integers(0, pulls.size)] += 1
        note(journal, t, pulls)
