"""Thompson sampling's choice of an arm, and a short cut with the same distribution.

    theta = uniform_prior(K, max_share)     the laws of all theta_a before the first round
    a = arm_of_largest(rng, theta, t)       the arm of round t + 1
    observe(theta, a, r, n, t)              after round t, arm a has the noisy total r of n rewards

Thompson sampling draws theta_a ~ Beta(r_a + 1, n_a - r_a + 1) for every arm, and plays the largest.
Most rounds need no Beta draw, which would double their cost. A short cut determines whether the
theta of a leader is below a level x, and whether those of its rivals are above it.

Above x > mode the log-concave density f of a rival lies below its tangent there,

    f(u) <= f(x) exp(-slope (u - x)),   slope = -(ln f)'(x) > 0,

whose mass is q = f(x)/slope. So with probability q a candidate x + Exp(slope) is drawn, and kept
with probability f/tangent. This gives theta on (x, 1] its exact density; otherwise theta <= x. A
rival without such a tangent, or with q > 1, is drawn in every round in place of a candidate.

The leader has candidates below x < mode in the same way, with slope < 0 and q = f(x)/|slope|, which
changes in nearly every round. It is computed only where a bound does not suffice. With N = alpha +
beta - 2 and d = mode - x,

    q <= (N + 1) exp(-N d^2/2)/(N d) <= c = 2 exp(-N d^2/2)/d,

since (ln f)'' <= -N, and f <= N + 1: the N-th root of f is concave, so it is above a triangle, and
the integral of f is 1. With probability 1 - c there is no candidate; otherwise there is one with
probability q/c.

If no rival is above x and the leader is, it is played. Otherwise those thetas that matter are
drawn: the leader's, and if it is not above x either, the rivals' conditionally on theta <= x. So
the played arm has the distribution that it has with a draw for every arm.
"""

import math
from typing import NamedTuple

import numpy as np

from dpbandits.kernels import kernel, step

# The short cut is used while there are candidates in at most this share of rounds,
CANDIDATES = 0.25
# or, where there are more arms than these, from at most as many as this share of the others.
MANY = 10
REVIEW_ROUNDS = 16  # the smallest number of rounds between two choices of x


class Posterior(NamedTuple):
    """The Beta laws of the arms, and the short cut."""

    alphas: np.ndarray
    betas: np.ndarray
    leader: np.ndarray  # of one element, as x and review; -1: the short cut is not used
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
    """Set the law of arm a after round t to that of the total r of n rewards.

    A noisy total is clipped to [0, n].
    """
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
    """Return the leader, -1 if the short cut is not worthwhile, and x.

    x is as many deviations below the leader's mean as above every rival's. The leader's deviation
    counts as 3/sqrt(N), more than it is, with which c is next to nothing.
    """
    alpha, beta = theta.alphas, theta.betas
    K, leader = alpha.size, np.int64(0)
    for a in range(1, K):
        if alpha[a] * (alpha[leader] + beta[leader]) > alpha[leader] * (alpha[a] + beta[a]):
            leader = a
    total = alpha[leader] + beta[leader]
    mean, sd = alpha[leader] / total, 3 / math.sqrt(total)
    x = 0.0
    for a in range(K):
        if a != leader:
            m = alpha[a] / (alpha[a] + beta[a])
            d = math.sqrt(m * (1 - m) / (alpha[a] + beta[a] + 1))
            x = max(x, (mean * d + m * sd) / (d + sd))
    theta.q[:] = 0.0
    for a in range(K):
        if a != leader and not update_tangent(theta, a, x, leader):
            return -1, x
    return leader, x


@step
def tangent(alpha, beta, x):
    """The tangent of a Beta law at x: the slope, and q, the mass below it beyond x."""
    slope = (beta - 1) / (1 - x) - (alpha - 1) / x
    log_f = (alpha - 1) * math.log(x) + (beta - 1) * math.log(1 - x)
    log_f += math.lgamma(alpha + beta) - math.lgamma(alpha) - math.lgamma(beta)
    return slope, math.exp(log_f) / abs(slope) if slope != 0 else np.inf


@step
def candidate(rng, alpha, beta, x, slope):
    """A candidate beyond x if it is kept, otherwise x."""
    drawn = x - math.log(1 - rng.random()) / slope
    if not 0 < drawn < 1:
        return x
    log_ratio = (alpha - 1) * math.log(drawn / x) + (beta - 1) * math.log((1 - drawn) / (1 - x))
    return drawn if math.log(1 - rng.random()) < log_ratio + slope * (drawn - x) else x


@step
def update_tangent(theta, a, x, leader):
    """Update q and slope of arm a's tangent at x; return whether the short cut is worthwhile."""
    alpha, beta = theta.alphas[a], theta.betas[a]
    theta.slope[a], theta.q[a] = tangent(alpha, beta, x)
    if theta.slope[a] <= 0 or theta.q[a] > 1:
        theta.slope[a], theta.q[a] = 0.0, 1.0
    product, candidates = 1.0, 0.0
    for b in range(theta.q.size):
        if b != leader:
            product *= 1 - theta.q[b]
            candidates += theta.q[b]
        theta.none[b] = product
    return product >= 1 - theta.max_share or candidates <= theta.max_share * (theta.q.size - MANY)


@step
def chance_below(alpha, beta, x):
    """Return a bound on the probability q of a candidate below x: c, or 1 beyond the mode."""
    N = alpha + beta - 2
    above = alpha - 1 - N * x  # N d
    if above <= 0:
        return 1.0
    # In most rounds; it saves the exponential, since c < 2 sqrt(N/80) exp(-40) < 1e-18 N.
    if above * above > 80 * N:
        return 1e-18 * N
    return 2 * N * math.exp(-0.5 * above * above / N) / above


@step
def below(rng, alpha, beta, x, c):
    """With probability P(theta < x)/c a theta below x, otherwise x."""
    slope, q = tangent(alpha, beta, x)
    return candidate(rng, alpha, beta, x, slope) if rng.random() * c < q else x


@step
def quick_choice(rng, theta):
    """The arm with the largest theta, in law, by the short cut."""
    alpha, beta, none = theta.alphas, theta.betas, theta.none
    K, leader, x = alpha.size, theta.leader[0], theta.x[0]
    c = chance_below(alpha[leader], beta[leader], x)
    c = c if c <= theta.max_share else 1.0
    u = rng.random()
    if u < none[K - 1] * (1 - c):
        return leader
    best = leader
    if u < none[K - 1] and c < 1:
        top = below(rng, alpha[leader], beta[leader], x, c)
        if top == x:
            return leader
    else:
        top = rng.beta(alpha[leader], beta[leader])
    if u >= none[K - 1]:
        first = 0
        while u < none[first]:
            first += 1
        for b in range(first, K):
            if b != leader and (b == first or rng.random() < theta.q[b]):
                if theta.slope[b] > 0:
                    drawn = candidate(rng, alpha[b], beta[b], x, theta.slope[b])
                else:
                    drawn = rng.beta(alpha[b], beta[b])
                if drawn > max(top, x):
                    best, top = b, drawn
    if top <= x:
        for b in range(K):
            if b != leader:
                drawn = rng.beta(alpha[b], beta[b])
                while drawn > x:
                    drawn = rng.beta(alpha[b], beta[b])
                if drawn > top:
                    best, top = b, drawn
    return best
