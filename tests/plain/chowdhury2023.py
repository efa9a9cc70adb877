"""Dist-DP-SE once more, in plain Python, written from the pseudocode. Nothing is shared with the package."""

import math


def dist_dp_se(rng, means, horizon, epsilon, failure_prob=0.1, base=4, one_by_one=False):
    """`one_by_one`: every user adds a difference of two Polya numbers and sends the result modulo M."""
    active, b, actions = list(range(len(means))), 0, []
    while len(active) > 1:
        b += 1
        m = base**b
        g = math.ceil(epsilon * math.sqrt(m))
        tau = math.ceil(g * math.log(2 / failure_prob) / epsilon)
        M = m * g + 2 * tau + 1
        mu = {}
        for a in active:
            sent = 0
            for _ in range(m):
                if len(actions) == horizon:
                    return actions
                message = g * (rng.random() < means[a])
                if one_by_one:
                    message += polya(rng, 1 / m, math.exp(-epsilon / g)) - polya(rng, 1 / m, math.exp(-epsilon / g))
                sent = (sent + message) % M
                actions.append(a)
            if not one_by_one:
                sent = (sent + two_sided_geometric(rng, g / epsilon)) % M
            mu[a] = (sent - M if sent > m * g + tau else sent) / g / m
        A = len(active)
        h = math.log(2 * A * b**2 / failure_prob)
        width = math.sqrt(math.log(4 * A * b**2 / failure_prob) / (2 * m))
        width += math.sqrt(2) / epsilon * math.sqrt(h) / m + h / (epsilon * m)
        highest = max(mu[a] - width for a in active)
        active = [a for a in active if mu[a] + width >= highest]
    return actions + active * (horizon - len(actions))


def polya(rng, shape, ratio):
    """A negative binomial number with a shape that is no whole number, as a Poisson number with a Gamma mean."""
    return int(rng.poisson(rng.gamma(shape, ratio / (1 - ratio))))


def two_sided_geometric(rng, scale):
    """From Laplace numbers: their size rounded down, with their sign; of the two zeros the one with a minus is
    refused."""
    while True:
        number = rng.laplace(0.0, scale)
        size = math.floor(abs(number))
        if size > 0 or number >= 0:
            return size if number >= 0 else -size
