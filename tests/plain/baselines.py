"""The plain baselines, policies on randomised responses and Dist-DP-SE, round by round."""

import math

from plain.mishra2015 import play_thompson
from plain.parts import argmax, bisect, kl, play_rounds, reward, rewards, ucb1


def uniform(rng, means, horizon):
    return [int(rng.random() * len(means)) for _ in range(horizon)]


def explore_then_commit(rng, means, horizon, epsilon, noise="laplace", delta=1e-8):
    """Round robin, one noisy mean per arm, then the best of them."""
    K, N, log_t, log = len(means), horizon / len(means), math.log(horizon), math.log(1 / delta)
    deviation = math.sqrt(1 / 2) / (math.sqrt(log + epsilon) - math.sqrt(log))
    public = N ** (2 / 3) * log_t ** (1 / 3)
    m = {
        "laplace": max(public, math.sqrt(N * log_t / epsilon)),
        "gaussian": max(public, math.sqrt(N * deviation * math.sqrt(2 * log_t))),
        "local": N ** (2 / 3) * ((1 / 4 + 2 / epsilon**2) / (1 / 4) * log_t) ** (1 / 3),
    }[noise]
    m = min(math.ceil(m), horizon // K)
    released = []
    for mean in means:
        total = rewards(rng, mean, m)
        if noise == "gaussian":
            total += deviation * rng.standard_normal()
        for _ in range({"laplace": 1, "gaussian": 0, "local": m}[noise]):
            total += rng.laplace(0.0, 1 / epsilon)
        released.append(total / m)
    return [*range(K)] * m + [argmax(released)] * (horizon - K * m)


def ldp_epsilon_greedy(rng, means, horizon, epsilon):
    """Explore with a probability that falls with t, else play the largest mean of reports."""
    K, actions, reports = len(means), [], [[] for _ in means]
    for t in range(1, horizon + 1):
        if t <= K:
            a = t - 1
        elif rng.random() < (K * math.log(t) / t) ** (1 / 3):
            a = int(K * rng.random())
        else:
            a = argmax([sum(each) / len(each) for each in reports])
        reports[a].append(reward(rng, means[a]) + rng.laplace(0.0, 1 / epsilon))
        actions.append(a)
    return actions


def response(rng, epsilon):
    """Add to s_a a bit that is honest with probability e^epsilon/(1 + e^epsilon)."""

    def see(s, a, x):
        s[a] += rng.random() < (1 + x * (math.exp(epsilon) - 1)) / (1 + math.exp(epsilon))

    return see


def rr_kl_ucb(rng, means, horizon, epsilon, c=3.0):
    def g(q):
        return (1 + q * (math.exp(epsilon) - 1)) / (1 + math.exp(epsilon))

    def index(s, n, t):
        """By bisection over q, where n kl(mean of reports, g(q)) increases above that mean."""
        x, budget = s / n, math.log(t) + c * math.log(max(math.log(t), 1.0))
        if g(1) <= x or n * kl(x, g(1)) < budget:
            return 1.0
        return round(bisect(lambda q: g(q) <= x or n * kl(x, g(q)) <= budget, 0.0, 1.0), 9)

    return play_rounds(rng, means, horizon, index, response(rng, epsilon))


def ts_cf(rng, means, horizon, epsilon):
    """Play the largest draw from the Beta posteriors of the arms' reports."""
    r, n, report = [0] * len(means), [0] * len(means), response(rng, epsilon)

    def see(a, x):
        report(r, a, x)
        return r[a]

    return play_thompson(rng, means, horizon, r, n, [], see)


def ldp_ucb_b(rng, means, horizon, epsilon):
    return play_rounds(rng, means, horizon, ucb1, response(rng, epsilon))


F = 0.1  # the probability that a batch misleads


def dist_dp_se(rng, means, horizon, epsilon):
    """The noise of all users of a batch is drawn at once.

    Differences of Polya numbers add up to it.
    """
    return eliminated(
        rng, means, horizon,
        precision=lambda m: math.ceil(epsilon * math.sqrt(m)),
        tau=lambda g: math.ceil(g * math.log(2 / F) / epsilon),
        noise=lambda g: rng.discrete_laplace(g / epsilon),
        sigma=math.sqrt(2) / epsilon, h=1 / epsilon,
    )  # fmt: skip


def dist_rdp_se(rng, means, horizon, epsilon, delta=1e-8, scale=10.0):
    """The noise of all users is one Skellam number of variance (g/eps)^2."""
    log = math.log(1 / delta)

    def cost(eps):
        """Of the first batch, at the integer order that is next to Gaussian noise's best one."""
        g, order = math.ceil(scale * eps * 2), max(2, round(1 + math.sqrt(2 * log) / eps))
        variance = (g / eps) ** 2
        skellam = min(((2 * order - 1) * g**2 + 6 * g) / (2 * variance) ** 2, 1.5 * g / variance)
        return order * eps**2 / 2 + skellam + log / (order - 1)

    eps = bisect(lambda eps: cost(eps) <= epsilon, 0.0, 2 * epsilon, 60)
    return eliminated(
        rng, means, horizon,
        precision=lambda m: math.ceil(scale * eps * math.sqrt(m)),
        tau=lambda g: math.ceil((2 * g / eps + math.sqrt(2)) * math.log(2 / F)),
        noise=lambda g: rng.skellam(g / eps),
        sigma=2 / eps + math.sqrt(2) / (scale * eps), h=1 / (scale * eps),
    )  # fmt: skip


def eliminated(rng, means, horizon, precision, tau, noise, sigma, h):
    """Batches of 4^b pulls of each remaining arm, whose sums a protocol adds up modulo M."""
    active, b, actions = list(range(len(means))), 0, []
    while len(active) > 1:
        b += 1
        m = 4**b
        g = precision(m)
        M = m * g + 2 * tau(g) + 1
        mu = {}
        for a in active:
            sent = 0
            for _ in range(m):
                if len(actions) == horizon:
                    return actions
                sent += g * int(reward(rng, means[a]))
                actions.append(a)
            sent = (sent + noise(g)) % M
            mu[a] = (sent - M if sent > m * g + tau(g) else sent) / g / m
        log = math.log(2 * len(active) * b**2 / F)
        width = math.sqrt(math.log(4 * len(active) * b**2 / F) / (2 * m))
        width += sigma * math.sqrt(log) / m + h * log / m
        highest = max(mu[a] - width for a in active)
        active = [a for a in active if mu[a] + width >= highest]
    return actions + active * (horizon - len(actions))
