"""Dist-DP-SE, from the pseudocode of Chowdhury & Zhou (2023)."""

import math

from plain.parts import reward


def dist_dp_se(rng, means, horizon, epsilon, failure_prob=0.1, base=4):
    """The noise of all users of a batch is drawn at once: differences of Polya numbers add up to it."""
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
                sent = (sent + g * int(reward(rng, means[a]))) % M
                actions.append(a)
            sent = (sent + rng.discrete_laplace(g / epsilon)) % M
            mu[a] = (sent - M if sent > m * g + tau else sent) / g / m
        A = len(active)
        h = math.log(2 * A * b**2 / failure_prob)
        width = math.sqrt(math.log(4 * A * b**2 / failure_prob) / (2 * m))
        width += math.sqrt(2) / epsilon * math.sqrt(h) / m + h / (epsilon * m)
        highest = max(mu[a] - width for a in active)
        active = [a for a in active if mu[a] + width >= highest]
    return actions + active * (horizon - len(actions))
