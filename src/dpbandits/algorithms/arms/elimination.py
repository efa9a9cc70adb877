"""DP-SE, successive elimination on private means: Sajed & Sheffet (2019); a baseline of azize2022 (its section 6).

Epoch e pulls each arm that is left R times, compares the noisy means of these pulls alone, and drops the arms that are
clearly worse than the best. The horizon enters through beta = 1/T.

`elimination: skip_next` deletes the arms from the list while walking through it, so that the arm behind a deleted one
is not looked at before the next epoch. The curve that azize2022 draws for DP-SE is the curve of this slip.
"""

import math
from typing import Literal

import numpy as np

from dpbandits.algorithms.arms._adaptive_episodes import check_horizon
from dpbandits.compiled import kernel
from dpbandits.environments.arms import note_round_robin, note_span, pull_many
from dpbandits.parameters import Positive, Probability
from dpbandits.privacy.ledger import Account, Ledger


def play(
    rng,
    arms,
    horizon,
    journal,
    *,
    epsilon: Positive,
    beta: Probability | None = None,
    elimination: Literal["all", "skip_next"] = "all",
):
    """One run; `beta` is 1/T where it is not given."""
    dp_se(rng, arms, horizon, journal, epsilon, beta or 1 / horizon, elimination == "skip_next")


def check(horizon, number_of_arms, **_):
    """There must be room for one round robin."""
    check_horizon(horizon, number_of_arms)


def privacy(horizon, number_of_arms, *, epsilon, beta=None, **_) -> Account:
    """Every reward is in one mean: the arm that survives all epochs, against one rival."""
    ledger = Ledger(horizon)
    first, e = 1, 1
    while first <= horizon:
        R = min(epoch_length(2, e, epsilon, beta or 1 / horizon), horizon - first + 1)
        ledger.release(first, first + R - 1, sensitivity=1 / R, scale=1 / (epsilon * R))
        first, e = first + R, e + 1
    return Account(epsilon, 0.0, ledger)


def nanoseconds(horizon, number_of_arms, **_):
    """An epoch, not a round, is the unit: a few dozen of them, each one draw an arm."""
    return 1000 * number_of_arms * horizon.bit_length()


@kernel
def epoch_length(s, e, epsilon, beta):
    """R: how often each of s arms is pulled in epoch e."""
    D = 2.0**-e
    statistical = 32 * math.log(8 * s * e**2 / beta) / D**2
    private = 8 * math.log(4 * s * e**2 / beta) / (epsilon * D)
    return math.floor(max(statistical, private)) + 1


@kernel
def threshold(s, e, R, epsilon, beta):
    """2h + 2c: how far below the best an arm's noisy mean must lie to be dropped."""
    h = math.sqrt(math.log(8 * s * e**2 / beta) / (2 * R))
    c = math.log(4 * s * e**2 / beta) / (R * epsilon)
    return 2 * h + 2 * c


@kernel
def keep(alive, due):
    """The arms of the list that are not due to go."""
    left = alive[:0].copy()
    for i in range(alive.size):
        if not due[alive[i]]:
            left = np.append(left, alive[i])
    return left


@kernel
def keep_in_place(alive, due):
    """The same by deleting from the list that is walked: what slides into a deleted arm's place is not looked at."""
    left = alive.copy()
    i = 0
    while i < left.size:
        if due[left[i]]:
            left = np.delete(left, i)
        i += 1
    return left


@kernel
def dp_se(rng, arms, horizon, journal, epsilon, beta, in_place):
    """alive: the arms that are left, in order; pulls: of all epochs; mu: noisy means of this epoch."""
    K = arms.means.size
    alive, pulls = np.arange(K), np.zeros(K, np.int64)
    mu, due = np.zeros(K), np.zeros(K, np.bool_)
    t, e = 0, 0
    while alive.size > 1 and t < horizon:
        e += 1
        s = alive.size
        R = epoch_length(s, e, epsilon, beta)
        m = min(R * s, horizon - t)
        note_round_robin(journal, t, m, pulls, alive)
        t += m
        if m == R * s:  # else the horizon cut the epoch, and nothing is released
            best = -math.inf
            for a in alive:
                mu[a] = pull_many(rng, arms, a, R) / R + rng.laplace(0.0, 1 / (epsilon * R))
                pulls[a] += R
                best = max(best, mu[a])
            limit = threshold(s, e, R, epsilon, beta)
            for a in alive:
                due[a] = best - mu[a] > limit
            alive = keep_in_place(alive, due) if in_place else keep(alive, due)
    if t < horizon:
        note_span(journal, t, horizon - t, pulls, alive[0])
