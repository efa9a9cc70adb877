"""Dist-DP-SE, successive elimination where nobody is trusted with a reward.

Chowdhury & Zhou, "Distributed Differential Privacy in Multi-Armed Bandits" (2023), with the
formulas of the authors' code: MABPrivate.py of the repository
sayakrc/Differentially-Private-Bandits, commit 650fd1d, with its BASE and FAILURE_PROB.

Batch b pulls each of the A remaining arms m = 4^b times, one arm after the other. Each user scales
the reward by g = ceil(epsilon sqrt(m)), rounds at random, and adds a difference of two Polya
numbers of shape 1/m. The result modulo M is sent by secure aggregation, a protocol that tells the
server nothing but the sum over the batch. The m differences add up to one discrete Laplace
number, P(k) proportional to e^(-epsilon |k|/g), which is drawn here at once. A sum above m g + tau
has passed 0, and M is taken off it. An arm is dropped if its mean is more than two widths below the
best. The authors' lines 13-15 have 1 - e^(-epsilon/g) in place of e^(-epsilon/g), which is nearly
no noise.
"""

import math

import numpy as np

from dpbandits.kernels import inlined, kernel, step
from dpbandits.parameters import Positive
from dpbandits.policy import ArmsPolicy
from dpbandits.privacy.games import AuditGames, Setting
from dpbandits.privacy.ledger import DISCRETE, Account, Ledger

BASE = 4
FAILURE_PROB = 0.1  # no privacy parameter: the widths hold but for this probability


class DistDPSE(ArmsPolicy):
    """Successive elimination on sums that a protocol adds up."""

    epsilon: Positive

    def constants(self, horizon, number_of_arms):
        """The epsilon of the noise."""
        return {"eps": self.epsilon}

    def precision(self, m):
        """g: the integer that stands for a reward of 1."""
        return math.ceil(self.eps * math.sqrt(m))

    def tolerance(self, g):
        """tau: how far beyond its range the noise may take a sum."""
        return math.ceil(g * math.log(2 / FAILURE_PROB) / self.eps)

    def width(self, A, b, m):
        """The width of a mean of batch b, with A arms left: of sampling and of noise."""
        noise = noise_log(A, b)
        return sampling_width(A, b, m) + (math.sqrt(2 * noise) + noise) / (self.eps * m)

    def noisy(self, releases, total, g):
        """The sum with the noise of all users of a batch."""
        return releases.discrete(total, g / self.eps)

    def play(self, run):
        dist_dp_se(run, self.compiled(run.horizon, run.K))

    def privacy(self, horizon, number_of_arms):
        """The account of an arm that survives all batches.

        Each reward, at most g, is in one sum, whose noise is g/epsilon.
        """
        ledger = booked(self.compiled(horizon, number_of_arms), horizon, DISCRETE)
        return Account(self.epsilon, 0.0, ledger, trust="aggregator")

    def audit_games(self):
        """Games whose last whole batch is the first that can eliminate an arm.

        One arm is at the threshold. If it is not eliminated, it is played at the end, after the
        other arm's part of the next batch.
        """
        compiled = self.compiled(0, 2)
        b, m, T = 1, BASE, 2 * BASE  # m rounds of an arm in batch b, which ends in round T
        while (gap := 2 * compiled.width(2, b, m)) >= 1:
            b, m = b + 1, m * BASE
            T += 2 * m
        users = (T - 2 * m + 1, T - m + 1)
        return AuditGames((Setting(2, T + BASE * m + 8, ("gap",), users, gap=gap),))


def booked(policy, horizon, law):
    """The ledger of sums of disjoint batches, whose noise has the scale g/eps."""
    ledger = Ledger()
    first, m = 1, BASE
    while first <= horizon:
        last, g = min(first + m - 1, horizon), policy.precision(m)
        ledger.book(first, last, sensitivity=g, scale=g / policy.eps, law=law)
        first, m = last + 1, BASE * m
    return ledger


@inlined
def noise_log(A, b):
    """The logarithm in the width of noise."""
    return math.log(2 * A * b**2 / FAILURE_PROB)


@inlined
def sampling_width(A, b, m):
    """The part of a width that does not depend on noise."""
    return math.sqrt(math.log(4 * A * b**2 / FAILURE_PROB) / (2 * m))


@step
def rounded_sum(run, a, m, g):
    """The sum of m rewards times g, each rounded at random so that its mean stays; the rounds."""
    total, rounds = 0, 0
    while rounds < m and not run.finished():
        scaled = run.play(a)[0] * g
        whole = math.floor(scaled)
        total += whole
        rounds += 1
        if scaled > whole and run.rng.random() < scaled - whole:
            total += 1
    return total, rounds


@step
def aggregated(total, m, g, tau):
    """The sum that the server concludes from its value modulo M."""
    M = m * g + 2 * tau + 1
    y = total % M
    return y - M if y > m * g + tau else y


@kernel
def dist_dp_se(run, policy):
    """alive: the remaining arms, in order; mu: means of this batch."""
    alive, mu, b, m = np.arange(run.K), np.zeros(run.K), 0, 1
    while alive.size > 1 and not run.finished():
        b, m = b + 1, BASE * m
        g, best = policy.precision(m), -math.inf
        for a in alive:
            total, rounds = rounded_sum(run, a, m, g)
            if rounds == m:  # otherwise the horizon cuts the batch, and nothing is released
                total = policy.noisy(run.releases, total, g)
                mu[a] = aggregated(total, m, g, policy.tolerance(g)) / (m * g)
                best = max(best, mu[a])
        limit = 2 * policy.width(alive.size, b, m)
        if not run.finished():
            alive = alive[best - mu[alive] <= limit]
    run.spend(alive[0], run.horizon)
