"""The plain baselines once more, round by round in plain Python; nothing here is shared with the package."""

import math


def uniform(rng, means, horizon):
    return [int(rng.integers(0, len(means))) for _ in range(horizon)]


def gaussian_explore_then_commit(rng, means, horizon, epsilon, delta=1e-8, one_by_one=False):
    """As explore_then_commit, with normal noise on the sums."""
    K, log = len(means), math.log(1 / delta)
    deviation = 1 / math.sqrt(2 * (math.sqrt(log + epsilon) - math.sqrt(log)) ** 2)
    per_arm, log_t = horizon / K, math.log(horizon)
    m = math.ceil(max(per_arm ** (2 / 3) * log_t ** (1 / 3), math.sqrt(per_arm * deviation * math.sqrt(2 * log_t))))
    m = min(m, horizon // K)
    released = []
    for mean in means:
        total = sum(rng.random() < mean for _ in range(m)) if one_by_one else int(rng.binomial(m, mean))
        released.append((total + rng.normal(0.0, deviation)) / m)
    return [*range(K)] * m + [released.index(max(released))] * (horizon - K * m)


def ldp_explore_then_commit(rng, means, horizon, epsilon, one_by_one=False):
    """As explore_then_commit, with noise on every report; `one_by_one` draws every reward and every noise."""
    K = len(means)
    v = (1 / 4 + 2 / epsilon**2) / (1 / 4)
    m = min(math.ceil((horizon / K) ** (2 / 3) * (v * math.log(horizon)) ** (1 / 3)), horizon // K)
    reported = []
    for mean in means:
        if one_by_one:
            total = sum((rng.random() < mean) + rng.laplace(0.0, 1 / epsilon) for _ in range(m))
        else:
            total = float(rng.binomial(m, mean))
            for _ in range(m):
                total += rng.laplace(0.0, 1 / epsilon)
        reported.append(total / m)
    return [*range(K)] * m + [reported.index(max(reported))] * (horizon - K * m)


def ldp_epsilon_greedy(rng, means, horizon, epsilon):
    """Explore with a probability that falls with t, else play the largest mean of reports."""
    K, played = len(means), []
    reports = [[] for _ in means]
    for t in range(1, horizon + 1):
        if t <= K:
            a = t - 1
        else:
            chance = (K * math.log(t) / t) ** (1 / 3)
            if rng.random() < chance:
                a = int(K * rng.random())
            else:
                averages = [sum(each) / len(each) for each in reports]
                a = averages.index(max(averages))
        reports[a].append((rng.random() < means[a]) + rng.laplace(0.0, 1 / epsilon))
        played.append(a)
    return played


def explore_then_commit(rng, means, horizon, epsilon, one_by_one=False):
    """Round robin of the pulls that the docstring asks for, one noisy mean per arm, then the best of them."""
    K = len(means)
    per_arm, log_t = horizon / K, math.log(horizon)
    m = math.ceil(max(per_arm ** (2 / 3) * log_t ** (1 / 3), math.sqrt(per_arm * log_t / epsilon)))
    m = min(m, horizon // K)
    released = []
    for mean in means:
        total = sum(rng.random() < mean for _ in range(m)) if one_by_one else int(rng.binomial(m, mean))
        released.append(total / m + rng.laplace(0.0, 1 / (epsilon * m)))
    return [*range(K)] * m + [released.index(max(released))] * (horizon - K * m)
