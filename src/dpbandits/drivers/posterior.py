"""Thompson sampling: a driver, and a short cut with the same distribution.

    theta = uniform_prior(K, max_share)     the laws of all theta_a before the first round
    a = arm_of_largest(rng, theta, t)       the arm of round t + 1; ~a if the total of a is NaN
    observe(theta, a, r, n, t)              after round t, arm a has the noisy total r of n rewards

Thompson sampling draws theta_a ~ Beta(r_a + 1, n_a - r_a + 1) for every arm, and plays the largest.
With the optimism o_a, the r_a of round t has o_a ln t added, within [0, n_a].

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

Leader and x are chosen anew after a number of rounds. Optimism lets laws grow in between: q is then
that of a rival's law at the end of these rounds, and c that of the leader's law at their start.
With the law of round t a candidate comes with probability q_t <= q, so that one is kept with
probability q_t/q. This is so if f(x) grows with alpha = N + 2 - beta up to the end, where ln f is
concave: if d/dalpha ln f = ln(x/(1 - x)) - psi(alpha) + psi(beta) >= 0, for which it is enough that
x/(1 - x) >= alpha/(beta - 1/2).

If no rival is above x and the leader is, it is played. Otherwise those thetas that matter are
drawn: the leader's, and if it is not above x either, the rivals' conditionally on theta <= x. So
the played arm has the distribution that it has with a draw for every arm.
"""

import math
from typing import NamedTuple

import numpy as np

from dpbandits.bandits.run import ROUND
from dpbandits.kernels import kernel, step
from dpbandits.policy import ArmsPolicy

# The short cut is used while there are candidates in at most this share of rounds,
CANDIDATES = 0.25
# or, where there are more arms than these, from at most as many as this share of the others.
MANY = 10
REVIEW_ROUNDS = 16  # the smallest number of rounds between two choices of x


class PosteriorPolicy(ArmsPolicy):
    """Thompson sampling on Beta laws. A subclass says what is learned of a reward, and when.

    All methods but `play` are compiled. In them `self` has the parameters that are numbers, the
    `constants` and the `state`; `theta` has the laws, r and n the sums and numbers of all arms'
    rewards. Without a method of its own a subclass is Thompson sampling without privacy.
    """

    def begin(self, run, theta, r):
        """Play and learn before the first choice: by default nothing."""

    def first_rounds(self, K):
        """Return how many rounds play the arms in turn: by default none."""
        return 0

    def learn(self, releases, theta, a, r, n, t):
        """Learn from the reward of arm a in round t: by default the sum of its rewards."""
        observe(theta, a, r[a], n[a], t)

    def play(self, run):
        """Play one run."""
        policy = self.compiled(run.horizon, run.K)
        self.refuse_nan(play_by_posterior(run, policy, CANDIDATES))


@kernel
def play_by_posterior(run, policy, max_share):
    """Play a whole game; max_share: see CANDIDATES."""
    theta, r, n = uniform_prior(run.K, max_share), np.zeros(run.K), run.pulls
    policy.begin(run, theta, r)
    t, first = run.clock[ROUND], policy.first_rounds(run.K)
    arms, releases = run.arms, run.releases
    rng = releases.rng
    while t < run.end:
        stop = run.next_checkpoint()
        while t < stop:
            a = t % n.size if t < first else arm_of_largest(rng, theta, t)
            if a < 0:
                return t + 1, ~a
            r[a] += arms.reward(rng, a)
            n[a] += 1
            t += 1
            policy.learn(releases, theta, a, r, n, t)
        run.note(t)
    return 0, 0


class Posterior(NamedTuple):
    """The Beta laws of the arms, and the short cut."""

    r: np.ndarray
    n: np.ndarray
    optimism: np.ndarray
    log_t: np.ndarray  # of the first and the last round in which leader and x are in use
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
    r, n, optimism, log_t = np.zeros(K), np.zeros(K), np.zeros(K), np.zeros(2)
    leader, x, review = np.full(1, -1), np.zeros(1), np.zeros(1, np.int64)
    q, slope, none = np.zeros(K), np.zeros(K), np.zeros(K)
    return Posterior(r, n, optimism, log_t, leader, x, review, q, slope, none, max_share)


@step
def law(theta, a, log_t):
    """The alpha and beta of arm a. A noisy total is clipped to [0, n]."""
    r = min(max(theta.r[a] + theta.optimism[a] * log_t, 0.0), theta.n[a])
    return r + 1, theta.n[a] - r + 1


@step
def arm_of_largest(rng, theta, t):
    """The arm with the largest theta in round t + 1, by the short cut where it is worthwhile.

    If the total of arm a is NaN, return ~a, which is negative: `observe` asks for a review.
    """
    if t >= theta.review[0]:
        for a in range(theta.r.size):
            if np.isnan(theta.r[a]):
                return ~a
        theta.review[0] = t + max(REVIEW_ROUNDS, t // 32)
        theta.log_t[0], theta.log_t[1] = math.log(t + 1), math.log(theta.review[0])
        theta.leader[0], theta.x[0] = leader_and_level(theta)
    return quick_choice(rng, theta, t) if theta.leader[0] >= 0 else plain_choice(rng, theta, t)


@step
def observe(theta, a, r, n, t):
    """Set the law of arm a after round t to that of the total r of n rewards."""
    theta.r[a], theta.n[a] = r, n
    leader = theta.leader[0]
    if np.isnan(r):
        theta.leader[0], theta.review[0] = -1, 0
    elif leader >= 0 and a != leader and not update_tangent(theta, a, theta.x[0], leader):
        theta.leader[0], theta.review[0] = -1, t + REVIEW_ROUNDS


@step
def plain_choice(rng, theta, t):
    """The arm with the largest theta, one draw for every arm.

    With optimism many laws are Beta(n + 1, 1), and many cannot exceed the largest theta so far.
    """
    best, top, log_t = 0, 0.0, math.log(t + 1)
    for a in range(theta.r.size):
        alpha, beta = law(theta, a, log_t)
        drawn = top
        if theta.optimism[a] == 0:
            drawn = rng.beta(alpha, beta)
        elif beta == 1:
            drawn = math.exp(-rng.exponential() / alpha)
        else:
            c = chance_above(alpha, beta, top)
            if c >= theta.max_share:
                drawn = rng.beta(alpha, beta)
            elif rng.random() < c:
                drawn = beyond(rng, alpha, beta, top, c)
        if drawn > top:
            best, top = a, drawn
    return best


@step
def leader_and_level(theta):
    """Return the leader, -1 if the short cut is not worthwhile, and x.

    x is as many deviations below the leader's mean as above every rival's. The leader's deviation
    counts as 3/sqrt(N), more than it is, with which c is next to nothing.
    """
    first, last = theta.log_t
    K, leader = theta.r.size, np.int64(0)
    leader_alpha, total = law(theta, leader, first)[0], theta.n[leader] + 2
    for a in range(1, K):
        alpha = law(theta, a, first)[0]
        if alpha * total > leader_alpha * (theta.n[a] + 2):
            leader, leader_alpha, total = a, alpha, theta.n[a] + 2
    mean, sd = leader_alpha / total, 3 / math.sqrt(total)
    x = 0.0
    for a in range(K):
        if a != leader:
            m = law(theta, a, last)[0] / (theta.n[a] + 2)
            d = math.sqrt(m * (1 - m) / (theta.n[a] + 3))
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
    alpha, beta = law(theta, a, theta.log_t[1])
    theta.slope[a], theta.q[a] = tangent(alpha, beta, x)
    falls = theta.optimism[a] > 0 and x * (beta - 0.5) < (1 - x) * alpha
    if theta.slope[a] <= 0 or theta.q[a] > 1 or falls:
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
def chance_above(alpha, beta, x):
    """Return a bound on the probability q of a candidate above x, or 1 up to the mode.

    With the mode m and d = x - m, f(x) = f(m) exp(-N kl(m, x)), where f(m) <= N + 1. Between m and
    x the variance u(1 - u) is at most v, so that kl(m, x) >= d^2/(2v) and slope >= N d/v.
    """
    N = alpha + beta - 2
    m = (alpha - 1) / N
    d, v = x - m, m * (1 - m) if m > 0.5 else 0.25
    return (N + 1) / N * v / d * math.exp(-0.5 * N * d * d / v) if d > 0 else 1.0


@step
def beyond(rng, alpha, beta, x, c):
    """With probability P(theta is beyond x)/c such a theta, otherwise x; c is at least q."""
    slope, q = tangent(alpha, beta, x)
    return candidate(rng, alpha, beta, x, slope) if rng.random() * c < q else x


@step
def quick_choice(rng, theta, t):
    """The arm with the largest theta, in law, by the short cut."""
    none, K, leader, x = theta.none, theta.r.size, theta.leader[0], theta.x[0]
    alpha, beta = law(theta, leader, theta.log_t[0])
    c = chance_below(alpha, beta, x)
    c = c if c <= theta.max_share else 1.0
    u = rng.random()
    if u < none[K - 1] * (1 - c):
        return leader
    best, log_t = leader, math.log(t + 1)
    alpha, beta = law(theta, leader, log_t)
    if u < none[K - 1] and c < 1:
        top = beyond(rng, alpha, beta, x, c)
        if top == x:
            return leader
    else:
        top = rng.beta(alpha, beta)
    if u >= none[K - 1]:
        first = 0
        while u < none[first]:
            first += 1
        for b in range(first, K):
            if b != leader and (b == first or rng.random() < theta.q[b]):
                alpha, beta = law(theta, b, log_t)
                if theta.slope[b] == 0:
                    drawn = rng.beta(alpha, beta)
                elif theta.optimism[b] > 0:
                    drawn = beyond(rng, alpha, beta, x, theta.q[b])
                else:
                    drawn = candidate(rng, alpha, beta, x, theta.slope[b])
                if drawn > max(top, x):
                    best, top = b, drawn
    if top <= x:
        for b in range(K):
            if b != leader:
                alpha, beta = law(theta, b, log_t)
                drawn = rng.beta(alpha, beta)
                while drawn > x:
                    drawn = rng.beta(alpha, beta)
                if drawn > top:
                    best, top = b, drawn
    return best
