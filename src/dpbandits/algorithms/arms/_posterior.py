"""Thompson sampling's rounds: draw theta_a ~ Beta(r_a + 1, n_a - r_a + 1) for every arm, play the largest.

A Beta number costs as much as ten other operations of a round, and all but one of them belong to arms at rest that
almost never win. The short cut draws the leader's theta and asks of the others only whether one exceeds a level x
between them. Above x > mode the log-concave density f of an arm at rest lies below its tangent there,

    f(u) <= f(x) exp(-slope (u - x)),   slope = -(ln f)'(x) > 0,

whose mass is q = f(x)/slope. So with probability q a candidate x + Exp(slope) is drawn and kept with probability
f/tangent, which gives theta on (x, 1] its exact density; else theta <= x. The rival's q stays what it is while the arm is
at rest. If no rival exceeds x and the leader does, the leader is the largest; if not even the leader does, the rivals are
drawn from what is left of their law. The law of the arm that is played is that of the plain draw; tests compare both.
"""

import math

import numpy as np

from dpbandits.compiled import kernel
from dpbandits.environments.arms import note, pull
from dpbandits.privacy.tree import tree_noise

CANDIDATES = 0.25  # the short cut is taken while rivals bring a candidate in at most this share of rounds
_WAIT = 16  # rounds before a new x is looked for, at least


@kernel
def thompson_rounds(rng, arms, horizon, journal, t, s, n, leaf, pulls, noise, memory, node_scale, floor, most):
    """Rounds t+1..T. s: true totals; n: the pulls that they count; leaf: leaves in an arm's tree; `most`: as CANDIDATES.

    A node_scale of 0 is the policy without privacy. `floor` 0 clips a noisy total to [0, n]; above 0 it is the least
    value of both parameters of the Beta law.
    """
    K = pulls.size
    alpha, beta = np.ones(K), np.ones(K)
    q, slope, none = np.zeros(K), np.zeros(K), np.zeros(K)
    for a in range(K):
        alpha[a], beta[a] = parameters(s[a] + noise[a], n[a], floor)
    leader, x, review = -1, 0.0, t
    while t < horizon:
        if t >= review:
            leader, x = plan(alpha, beta, q, slope, none, most)
            review = t + max(_WAIT, t // 32)
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
        alpha[a], beta[a] = parameters(s[a] + noise[a], n[a], floor)
        if leader >= 0 and a != leader and not tangent(alpha, beta, a, x, leader, q, slope, none, most):
            leader, review = -1, t + _WAIT


@kernel
def parameters(r, n, floor):
    """r + 1 and n - r + 1 with the clip that keeps them positive."""
    if floor > 0:
        return max(r + 1, floor), max(n - r + 1, floor)
    r = min(max(r, 0.0), n)
    return r + 1, n - r + 1


@kernel
def plain_choice(rng, alpha, beta):
    """The arm with the largest theta."""
    best, top = 0, -1.0
    for a in range(alpha.size):
        theta = rng.beta(alpha[a], beta[a])
        if theta > top:
            best, top = a, theta
    return best


@kernel
def plan(alpha, beta, q, slope, none, most):
    """The leader and an x as many deviations below its mean as above every rival's; -1 where the short cut does not pay."""
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
        if a != leader and not tangent(alpha, beta, a, x, leader, q, slope, none, most):
            return -1, x
    return leader, x


@kernel
def tangent(alpha, beta, a, x, leader, q, slope, none, most):
    """The mass and slope of arm a's tangent at x; none[b]: no rival up to b has a candidate. Whether the short cut pays."""
    if alpha[a] < 1 or beta[a] < 1:  # not log-concave
        return False
    slope[a] = (beta[a] - 1) / (1 - x) - (alpha[a] - 1) / x
    if slope[a] <= 0:
        return False
    log_f = (alpha[a] - 1) * math.log(x) + (beta[a] - 1) * math.log(1 - x)
    log_f += math.lgamma(alpha[a] + beta[a]) - math.lgamma(alpha[a]) - math.lgamma(beta[a])
    q[a] = math.exp(log_f) / slope[a]
    if q[a] > most:
        return False
    product = 1.0
    for b in range(q.size):
        if b != leader:
            product *= 1 - q[b]
        none[b] = product
    return product >= 1 - most


@kernel
def quick_choice(rng, alpha, beta, leader, x, q, slope, none):
    """The arm with the largest theta, in law."""
    K = alpha.size
    best, top = leader, rng.beta(alpha[leader], beta[leader])
    u = rng.random()
    exceeded = False
    if u >= none[K - 1]:
        first = 0
        while u < none[first]:
            first += 1
        for b in range(first, K):
            if b != leader and (b == first or rng.random() < q[b]):
                theta = x - math.log(1 - rng.random()) / slope[b]
                if theta < 1:
                    log_ratio = (alpha[b] - 1) * math.log(theta / x) + (beta[b] - 1) * math.log((1 - theta) / (1 - x))
                    if math.log(1 - rng.random()) < log_ratio + slope[b] * (theta - x):
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
