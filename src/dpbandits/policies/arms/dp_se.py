"""DP-SE, successive elimination on private means: Sajed & Sheffet (2019).

A baseline of azize2022 (its section 6). Epoch e pulls each remaining arm R times, compares the
noisy means of these pulls alone, and drops the arms that are clearly worse than the best. The
horizon enters through beta = 1/T.

R = max(...) + 1 is not an integer, and an epoch pulls each arm while r < R: `rounding: up`, which
gives all seven values of DP-SE that Hu & Hegde (2022) drew to the last digit. The code of a later
paper of azize2022's first author rounds it down (docs/readings/azize2022.md).

`elimination: skip_next` is our reconstruction of the DP-SE that azize2022 drew, whose code is not
public: arms are deleted from the list while iterating over it, so that the arm behind a deleted one
is not examined before the next epoch. Of its runs nine in ten agree with the drawn curve within
1.3% (docs/readings/azize2022.md has the evidence).
"""

import math
from typing import Literal

import numpy as np

from dpbandits.kernels import inlined, kernel
from dpbandits.parameters import Positive
from dpbandits.policy import ArmsPolicy
from dpbandits.privacy.games import AuditGames, Setting
from dpbandits.privacy.ledger import released_once


class DPSE(ArmsPolicy):
    """Successive elimination on private means."""

    epsilon: Positive
    elimination: Literal["all", "skip_next"] = "all"
    rounding: Literal["up", "down"] = "up"

    def play(self, run):
        in_place, up = self.elimination == "skip_next", self.rounding == "up"
        dp_se(run, self.epsilon, 1 / run.horizon, up, in_place)

    def privacy(self, horizon, number_of_arms):
        """Every reward is in one epoch's mean, also of an arm that survives all epochs."""
        return released_once(self.epsilon, horizon)

    def audit_games(self):
        """Games longer than a first epoch, after which an arm is at its threshold."""
        T, up = 1024, self.rounding == "up"
        while 2 * (R := epoch_length(2, 1, self.epsilon, 1 / T, up)) + 8 > T:
            T += 256
        gap = threshold(2, 1, R, self.epsilon, 1 / T)
        return AuditGames((Setting(2, T, ("gap",), (1, R, R + 1), gap=gap),))


@inlined
def epoch_length(s, e, epsilon, beta, up=True):
    """R, rounded: the number of pulls of each of s arms in epoch e."""
    D = math.ldexp(1.0, -e)
    statistical = 32 * math.log(8 * s * e**2 / beta) / D**2
    private = 8 * math.log(4 * s * e**2 / beta) / (epsilon * D)
    R = min(max(statistical, private) + 1, 1e15)  # an integer at any epsilon; no game is as long
    return math.ceil(R) if up else math.floor(R)


@inlined
def threshold(s, e, R, epsilon, beta):
    """2h + 2c: an arm is dropped if its noisy mean is further than this below the best."""
    h = math.sqrt(math.log(8 * s * e**2 / beta) / (2 * R))
    c = math.log(4 * s * e**2 / beta) / (R * epsilon)
    return 2 * h + 2 * c


@kernel
def drop_while_iterating(alive, stays):
    """Our reconstruction: deletion skips the arm that moves into the place of a deleted one."""
    for i in range(1, alive.size):
        stays[i] |= not stays[i - 1]
    return alive[stays]


@kernel
def dp_se(run, epsilon, beta, up, in_place):
    """alive: the remaining arms, in order; mu: means of this epoch."""
    alive, mu, e = np.arange(run.K), np.zeros(run.K), 0
    while alive.size > 1 and not run.finished():
        e += 1
        s = alive.size
        R = epoch_length(s, e, epsilon, beta, up)
        if run.spend_in_turn(alive, R) < R * s:
            break  # the horizon cuts the epoch, and nothing is released
        best = -math.inf
        for a in alive:
            mu[a] = run.releases.laplace(run.collect(a) / R, 1 / (epsilon * R))
            best = max(best, mu[a])
        stays = best - mu[alive] <= threshold(s, e, R, epsilon, beta)
        alive = drop_while_iterating(alive, stays) if in_place else alive[stays]
    run.spend(alive[0], run.horizon)
