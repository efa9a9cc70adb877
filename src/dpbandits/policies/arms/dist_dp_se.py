"""Dist-DP-SE, successive elimination where nobody is trusted with a reward.

Chowdhury & Zhou, "Distributed Differential Privacy in Multi-Armed Bandits" (2023), with the
formulas of the authors' code: MABPrivate.py of the repository
sayakrc/Differentially-Private-Bandits, commit 650fd1d, with its BASE and FAILURE_PROB.

Batch b pulls each of the A remaining arms m = 4^b times, one arm after the other. Each user scales
the reward by g = ceil(epsilon sqrt(m)), rounds at random, adds a difference of two Polya numbers of
shape 1/m, and sends the result modulo M through a protocol that tells the server the sum over the
batch and nothing else (secure aggregation). The m differences add up to one discrete Laplace
number, P(k) proportional to e^(-epsilon |k|/g), which is drawn here at once. A sum above m g + tau
has passed 0, and M is taken off it. An arm is dropped if its mean is more than two widths below the
best. The authors' lines 13-15 have 1 - e^(-epsilon/g) in place of e^(-epsilon/g), which is nearly
no noise.
"""

import math

import numpy as np

from dpbandits.bandits.arms import note_span, pull
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

    def noisy(self, rng, total, g):
        """The sum with the noise of all users of a batch."""
        return rng.release_discrete(total, g / self.eps)

    def play(self, rng, arms, horizon, journal):
        dist_dp_se(rng, arms, horizon, journal, self.rule(horizon, len(arms.means)))

    def privacy(self, horizon, number_of_arms):
        """The account of an arm that survives all batches.

        Each reward, at most g, is in one sum, whose noise is g/epsilon.
        """
        ledger = booked(self.rule(horizon, number_of_arms), horizon, DISCRETE)
        return Account(self.epsilon, 0.0, ledger, trust="aggregator")

    def audit_games(self):
        """Games whose last whole batch is the first that can eliminate an arm.

        One arm is at the threshold. If it is not eliminated, it is played at the end, after the
        other arm's part of the next batch.
        """
        rule = self.rule(0, 2)
        b, m, T = 1, BASE, 2 * BASE  # m rounds of an arm in batch b, which ends in round T
        while (gap := 2 * rule.width(2, b, m)) >= 1:
            b, m = b + 1, m * BASE
            T += 2 * m
        users = (T - 2 * m + 1, T - m + 1)
        return AuditGames((Setting(2, T + BASE * m + 8, ("gap",), users, gap=gap),))


def booked(rule, horizon, law):
    """The ledger of sums of disjoint batches, whose noise has the scale g/eps."""
    ledger = Ledger()
    first, m = 1, BASE
    while first <= horizon:
        last, g = min(first + m - 1, horizon), rule.precision(m)
        ledger.book(first, last, sensitivity=g, scale=g / rule.eps, law=law)
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
def rounded_sum(rng, arms, a, m, g):
    """The sum of m rewards times g, each rounded at random so that its mean stays."""
    total = 0
    for _ in range(m):
        scaled = pull(rng, arms, a) * g
        whole = math.floor(scaled)
        total += whole
        if scaled > whole and rng.random() < scaled - whole:
            total += 1
    return total


@step
def aggregated(total, m, g, tau):
    """The sum that the server concludes from its value modulo M."""
    M = m * g + 2 * tau + 1
    y = total % M
    return y - M if y > m * g + tau else y


@kernel
def dist_dp_se(rng, arms, horizon, journal, rule):
    """alive: the remaining arms, in order; pulls: of all batches; mu: means of this batch."""
    K = arms.means.size
    alive, pulls = np.arange(K), np.zeros(K, np.int64)
    mu, t, b, m = np.zeros(K), 0, 0, 1
    while alive.size > 1 and t < horizon:
        b, m = b + 1, BASE * m
        g, best = rule.precision(m), -math.inf
        for a in alive:
            pulled = min(m, horizon - t)
            if pulled == 0:
                break
            total = rounded_sum(rng, arms, a, pulled, g)
            note_span(journal, t, pulled, pulls, a)
            pulls[a] += pulled
            t += pulled
            if pulled == m:  # otherwise the horizon cuts the batch, and nothing is released
                total = rule.noisy(rng, total, g)
                mu[a] = aggregated(total, m, g, rule.tolerance(g)) / (m * g)
                best = max(best, mu[a])
        limit = 2 * rule.width(alive.size, b, m)
        if t < horizon:
            alive = alive[best - mu[alive] <= limit]
    if t < horizon:
        note_span(journal, t, horizon - t, pulls, alive[0])
