"""Thompson sampling's choice of an arm: draw theta_a ~ Beta(r_a + 1, n_a - r_a + 1) for every arm, play the largest.

    theta = uniform_prior(K, max_share)     the Beta laws of all arms before the first round
    a = arm_of_largest(rng, theta, t)       the arm of round t + 1
    observe(theta, a, r, n, t)              after round t, arm a has the (noisy) total r of n rewards

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

from dpbandits.kernels.compiled import kernel, step
from dpbandits.kernels.sampling import uniform

CANDIDATES = 0.25  # the short cut is used while rivals have a candidate in at most this share of rounds
REVIEW_ROUNDS = 16  # the smallest number of rounds between two choices of x


class Posterior(NamedTuple):
    """The Beta laws of the arms, and the short cut: its leader (-1: it is not used), its level x, and its tangents at x."""

    alphas: np.ndarray
    betas: np.ndarray  # not "beta", which is a method of generators
    leader: np.ndarray  # of one element, as x and review
    x: np.ndarray
    review: np.ndarray  # the round after which leader and x are chosen next
    q: np.ndarray  # the probability that an arm has a candidate
    slope: np.ndarray
    none: np.ndarray  # none[b]: the probability that no rival up to b has a candidate
    max_share: float  # see CANDIDATES


@kernel
def uniform_prior(K, max_share):
    """Beta(1, 1) for every arm."""
    leader, review = np.full(1, -1), np.zeros(1, np.int64)
    q, slope, none = np.zeros(K), np.zeros(K), np.zeros(K)
    return Posterior(np.ones(K), np.ones(K), leader, np.zeros(1), review, q, slope, none, max_share)


@step
def arm_of_largest(rng, theta, t):
    """The arm with the largest theta in round t + 1, by the short cut where it is worthwhile."""
    if t >= theta.review[0]:
        theta.leader[0], theta.x[0] = leader_and_level(theta)
        theta.review[0] = t + max(REVIEW_ROUNDS, t // 32)
    return quick_choice(rng, theta) if theta.leader[0] >= 0 else plain_choice(rng, theta)


@step
def observe(theta, a, r, n, t):
    """Set the law of arm a after round t to that of the total r of n rewards; a noisy total is clipped to [0, n]."""
    r = min(max(r, 0.0), n)
    theta.alphas[a], theta.betas[a] = r + 1, n - r + 1
    leader = theta.leader[0]
    if leader >= 0 and a != leader and not update_tangent(theta, a, theta.x[0], leader):
        theta.leader[0], theta.review[0] = -1, t + REVIEW_ROUNDS


@step
def plain_choice(rng, theta):
    """The arm with the largest theta, one draw for every arm."""
    best, top = 0, -1.0
    for a in range(theta.alphas.size):
        drawn = rng.beta(theta.alphas[a], theta.betas[a])
        if drawn > top:
            best, top = a, drawn
    return best


@step
def leader_and_level(theta):
    """The leader, and an x as many deviations below its mean as above every rival's; -1 if not worthwhile."""
    alpha, beta = theta.alphas, theta.betas
    K = alpha.size
    leader = 0
    for a in range(1, K):
        if alpha[a] * (alpha[leader] + beta[leader]) > alpha[leader] * (alpha[a] + beta[a]):
            leader = a
    mean, sd = mean_and_deviation(alpha[leader], beta[leader])
    x = 0.0
    for a in range(K):
        if a != leader:
            m, d = mean_and_deviation(alpha[a], beta[a])
            x = max(x, (mean * d + m * sd) / (d + sd))
    theta.q[:] = 0.0
    for a in range(K):
        if a != leader and not update_tangent(theta, a, x, leader):
            return -1, x
    return leader, x


@step
def mean_and_deviation(alpha, beta):
    """The mean and the standard deviation of a Beta law."""
    mean = alpha / (alpha + beta)
    return mean, math.sqrt(mean * (1 - mean) / (alpha + beta + 1))


@step
def update_tangent(theta, a, x, leader):
    """Update q and slope of arm a's tangent at x; return whether the short cut is worthwhile."""
    alpha, beta = theta.alphas[a], theta.betas[a]
    theta.slope[a] = (beta - 1) / (1 - x) - (alpha - 1) / x
    if theta.slope[a] <= 0:
        return False
    log_f = (alpha - 1) * math.log(x) + (beta - 1) * math.log(1 - x)
    log_f += math.lgamma(alpha + beta) - math.lgamma(alpha) - math.lgamma(beta)
    theta.q[a] = math.exp(log_f) / theta.slope[a]
    if theta.q[a] > theta.max_share:
        return False
    product = 1.0
    for b in range(theta.q.size):
        if b != leader:
            product *= 1 - theta.q[b]
        theta.none[b] = product
    return product >= 1 - theta.max_share


@step
def quick_choice(rng, theta):
    """The arm with the largest theta, in law, by the short cut."""
    alpha, beta, none, leader, x = theta.alphas, theta.betas, theta.none, theta.leader[0], theta.x[0]
    K = alpha.size
    best, top = leader, rng.beta(alpha[leader], beta[leader])
    u = uniform(rng)
    exceeded = False
    if u >= none[K - 1]:
        first = 0
        while u < none[first]:
            first += 1
        for b in range(first, K):
            if b != leader and (b == first or uniform(rng) < theta.q[b]):
                candidate = x - math.log(1 - uniform(rng)) / theta.slope[b]
                if candidate < 1:
                    log_ratio = (alpha[b] - 1) * math.log(candidate / x)
                    log_ratio += (beta[b] - 1) * math.log((1 - candidate) / (1 - x))
                    if math.log(1 - uniform(rng)) < log_ratio + theta.slope[b] * (candidate - x):
                        exceeded = True
                        if candidate > top:
                            best, top = b, candidate
    if not exceeded and top <= x:
        for b in range(K):
            if b != leader:
                drawn = rng.beta(alpha[b], beta[b])
                while drawn > x:
                    drawn = rng.beta(alpha[b], beta[b])
                if drawn > top:
                    best, top = b, drawn
    return best
