"""AdaC-UCB once more, in plain Python, written from the pseudocode of Azize & Basu (2024). Nothing is shared with the
package."""

import math

from plain.azize2022 import argmax, rewards


def adac_ucb(rng, means, horizon, epsilon, delta=1e-8, beta=1.0, one_by_one=False):
    root = math.sqrt(math.log(1 / delta) + epsilon) - math.sqrt(math.log(1 / delta))
    rho, K = root**2, len(means)
    actions, pulls, h, mu = [], [0] * K, [0] * K, [0.0] * K
    while len(actions) < horizon:
        a = len(actions)
        if a >= K:
            L = beta * math.log(len(actions) + 1)
            a = argmax([mu[b] + math.sqrt((1 / (2 * h[b]) + 1 / (rho * h[b] ** 2)) * L) for b in range(K)])
        m = min(max(pulls[a], 1), horizon - len(actions))
        mean = rewards(rng, means[a], m, one_by_one) / m
        mu[a], h[a] = mean + math.sqrt(1 / (2 * rho * m**2)) * rng.standard_normal(), m
        pulls[a] += m
        actions += [a] * m
    return actions
