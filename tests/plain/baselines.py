"""The plain baselines once more, round by round in plain Python; nothing here is shared with the package."""

import math


def uniform(rng, means, horizon):
    return [int(rng.integers(0, len(means))) for _ in range(horizon)]


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
