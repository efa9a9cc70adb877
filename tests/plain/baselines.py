"""The plain baselines, round by round."""

import math

from plain.parts import argmax, reward, rewards


def uniform(rng, means, horizon):
    return [int(rng.random() * len(means)) for _ in range(horizon)]


def explore_then_commit(rng, means, horizon, epsilon, noise="laplace", delta=1e-8):
    """Round robin of the pulls that the docstring asks for, one noisy mean per arm, then the best of them."""
    K, N, log_t = len(means), horizon / len(means), math.log(horizon)
    deviation = 1 / math.sqrt(2) / (math.sqrt(math.log(1 / delta) + epsilon) - math.sqrt(math.log(1 / delta)))
    m = math.ceil({
        "laplace": max(N ** (2 / 3) * log_t ** (1 / 3), math.sqrt(N * log_t / epsilon)),
        "gaussian": max(N ** (2 / 3) * log_t ** (1 / 3), math.sqrt(N * deviation * math.sqrt(2 * log_t))),
        "local": N ** (2 / 3) * ((1 / 4 + 2 / epsilon**2) / (1 / 4) * log_t) ** (1 / 3),
    }[noise])  # fmt: skip
    m = min(m, horizon // K)
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
