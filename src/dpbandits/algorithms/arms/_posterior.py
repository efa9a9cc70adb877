"""The rounds of Thompson sampling: draw theta_a ~ Beta(r_a + 1, n_a - r_a + 1) for every arm, play the largest.

A Beta draw takes as long as ten other operations of a round, and all but one of the draws are for arms that almost
never win. The short cut draws the leader's theta and determines for its rivals only whether one exceeds a level x
between them. Above x > mode the log-concave density f of a rival lies below its tangent there,

    f(u) <= f(x) exp(-slope (u - x)),   slope = -(ln f)'(x) > 0,

whose mass is q = f(x)/slope. So with probability q a candidate x + Exp(slope) is drawn and kept with probability
f/tangent, which gives theta on (x, 1] its exact density; otherwise theta <= x. The rival's q is constant while the
rival is not played. If no rival exceeds x and the leader does, the leader is the largest; if the leader does not
either, the rivals are drawn conditionally on theta <= x. The played arm has the same law as with a draw for every arm;
tests compare both.
"""

import math
from typing import NamedTuple

import numpy as np

from dpbandits.environments.arms import note, pull
from dpbandits.kernels.compiled import kernel, step
from dpbandits.kernels.sampling import uniform
from dpbandits.privacy.tree import tree_noise

CANDIDATES = 0.25  # the short cut is used while rivals have a candidate in at most this share of rounds
REVIEW_ROUNDS = 16  # the smallest number of rounds between two choices of x


class Totals(NamedTuple):
    """What the posterior of each arm depends on, and the arm's tree."""

    s: np.ndarray  # the true total
    n: np.ndarray  # of this many pulls
    pulls: np.ndarray  # all pulls
    noise: np.ndarray  # of the released total
    leaf: np.ndarray  # number of leaves of the tree
    memory: np.ndarray  # of the tree


@kernel
def no_pulls(K):
    """The totals before the first round."""
    counts = np.zeros(K, np.int64), np.zeros(K, np.int64), np.zeros(K, np.int64)
    return Totals(np.zeros(K), counts[0], counts[1], np.zeros(K), counts[2], np.zeros((K, 64)))


@step
def posterior(r, n):
    """The parameters of theta's Beta law, r + 1 and n - r + 1; a noisy total r is clipped to [0, n]."""
    r = min(max(r, 0.0), n)
    return r + 1, n - r + 1


@kernel
def thompson_rounds(rng, arms, horizon, journal, t, totals, node_scale, max_share):
    """Play the rounds t+1..T; `node_scale`: of the trees' noise, 0 without privacy; `max_share`: see CANDIDATES."""
    s, n, pulls, noise, leaf, memory = totals
    K = pulls.size
    alpha, beta = np.ones(K), np.ones(K)
    q, slope, none = np.zeros(K), np.zeros(K), np.zeros(K)
    for a in range(K):
        alpha[a], beta[a] = posterior(s[a] + noise[a], n[a])
    leader, x, review = -1, 0.0, t
    while t < horizon:
        if t >= review:
            leader, x = choose_leader_and_level(alpha, beta, q, slope, none, max_share)
            review = t + max(REVIEW_ROUNDS, t // 32)
        if leader >= 0:
            a = quick_choice(rng, alpha, beta, leader, x, q, slope, none)
        else:
            a = plain_choice(rng, alpha, beta)
        t += 1
        s[a] += pull(rng, arms, a)
        n[a] += 1
        pulls[a] += 1
        note(journal, t, pulls)
        if node_scale > 0:
            leaf[a] += 1
            noise[a] = tree_noise(rng, leaf[a], memory[a], node_scale)
        alpha[a], beta[a] = posterior(s[a] + noise[a], n[a])
        if leader >= 0 and a != leader and not update_tangent(alpha, beta, a, x, leader, q, slope, none, max_share):
            leader, review = -1, t + REVIEW_ROUNDS


@step
def plain_choice(rng, alpha, beta):
    """The arm with the largest theta, one draw for every arm."""
    best, top = 0, -1.0
    for a in range(alpha.size):
        theta = rng.beta(alpha[a], beta[a])
        if theta > top:
            best, top = a, theta
    return best


@step
def choose_leader_and_level(alpha, beta, q, slope, none, max_share):
    """The leader, and an x as many deviations below its mean as above every rival's; -1 if not worthwhile."""
    K = alpha.size
    leader = 0
    for a in range(1, K):
        if alpha[a] * (alpha[leader] + beta[leader]) > alpha[leader] * (alpha[a] + beta[a]):
            leader = a
    x, mean, sd = 0.0, 0.0, 0.0
    for a in range(-1, K):
        b = leader if a < 0 else a
        m = alpha[b] / (alpha[b] + beta[b])
        d = math.sqrt(m * (1 - m) / (alpha[b] + beta[b] + 1))
        if a < 0:
            mean, sd = m, d
        elif a != leader:
            x = max(x, (mean * d + m * sd) / (d + sd))
    for a in range(K):
        q[a] = 0.0
    for a in range(K):
        if a != leader and not update_tangent(alpha, beta, a, x, leader, q, slope, none, max_share):
            return -1, x
    return leader, x


@step
def update_tangent(alpha, beta, a, x, leader, q, slope, none, max_share):
    """Update q and slope of arm a's tangent at x; return whether the short cut is worthwhile.

    none[b] is the probability that no rival up to b has a candidate.
    """
    slope[a] = (beta[a] - 1) / (1 - x) - (alpha[a] - 1) / x
    if slope[a] <= 0:
        return False
    log_f = (alpha[a] - 1) * math.log(x) + (beta[a] - 1) * math.log(1 - x)
    log_f += math.lgamma(alpha[a] + beta[a]) - math.lgamma(alpha[a]) - math.lgamma(beta[a])
    q[a] = math.exp(log_f) / slope[a]
    if q[a] > max_share:
        return False
    product = 1.0
    for b in range(q.size):
        if b != leader:
            product *= 1 - q[b]
        none[b] = product
    return product >= 1 - max_share


@step
def quick_choice(rng, alpha, beta, leader, x, q, slope, none):
    """The arm with the largest theta, in law, by the short cut."""
    K = alpha.size
    best, top = leader, rng.beta(alpha[leader], beta[leader])
    u = uniform(rng)
    exceeded = False
    if u >= none[K - 1]:
        first = 0
        while u < none[first]:
            first += 1
        for b in range(first, K):
            if b != leader and (b == first or uniform(rng) < q[b]):
                theta = x - math.log(1 - uniform(rng)) / slope[b]
                if theta < 1:
                    log_ratio = (alpha[b] - 1) * math.log(theta / x) + (beta[b] - 1) * math.log((1 - theta) / (1 - x))
                    if math.log(1 - uniform(rng)) < log_ratio + slope[b] * (theta - x):
                        exceeded = True
                        if theta > top:
                            best, top = b, theta
    if not exceeded and top <= x:
        for b in range(K):
            if b != leader:
                theta = rng.beta(alpha[b], beta[b])
                while theta > x:
                    theta = rng.beta(alpha[b], beta[b])
                if theta > top:
                    best, top = b, theta
    return best
