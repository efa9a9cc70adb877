"""DP-KLUCB, DP-IMED and IMED once more, round by round in plain Python, written from their pseudocode.

Nothing here is shared with the package, whose kernels have closed forms of d_epsilon and of the index.
"""

import math

from plain.azize2022 import argmax, kl, rewards


def d_epsilon(x, y, epsilon):
    """min over z in [x, y] of epsilon (z - x) + kl(z, y), where the derivative, epsilon + logit z - logit y, is 0."""
    if x >= y:
        return 0.0
    z = y
    if y < 1:
        z = max(x, 1 / (1 + math.exp(epsilon) * (1 - y) / y))
    return epsilon * (z - x) + kl(z, y)


def klucb_index(x, budget, epsilon):
    """Bisection."""
    if d_epsilon(x, 1.0, epsilon) <= budget:
        return 1.0
    low, high = x, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if d_epsilon(x, middle, epsilon) <= budget else (low, middle)
    return low


def _phases(rng, means, horizon, epsilon, growth, choose, one_by_one):
    """`choose(x, n, t)`: the arm of the phase that begins in round t."""
    K, actions = len(means), []
    s, n = [0.0] * K, [0] * K
    while len(actions) < horizon:
        t = len(actions) + 1
        a = t - 1 if t <= K else choose([min(max(s[b] / n[b], 0.0), 1.0) for b in range(K)], n, t)
        m = min(max(1, math.ceil(growth * n[a]) - n[a]), horizon - len(actions))
        s[a] += rewards(rng, means[a], m, one_by_one) + rng.laplace(0.0, 1 / epsilon)
        n[a] += m
        actions += [a] * m
    return actions


def dp_klucb(rng, means, horizon, epsilon, growth=2.0, one_by_one=False):
    def choose(x, n, t):
        # Rounded, since a bisection does not tell apart indices that are equal.
        return argmax([round(klucb_index(x[b], math.log(t) / n[b], epsilon), 10) for b in range(len(means))])

    return _phases(rng, means, horizon, epsilon, growth, choose, one_by_one)


def dp_imed(rng, means, horizon, epsilon, growth=2.0, one_by_one=False):
    def choose(x, n, t):
        indices = [n[b] * d_epsilon(x[b], max(x), epsilon) + math.log(n[b]) for b in range(len(means))]
        return argmax([-index for index in indices])

    return _phases(rng, means, horizon, epsilon, growth, choose, one_by_one)


def imed(rng, means, horizon):
    """n kl(mean, best) as a ratio of likelihoods, and added up in the kernel's order: where two indices are equal, as
    those of 1 of 2 and 0 of 1 rewards are, rounding decides."""
    K, actions = len(means), []
    s, n = [0.0] * K, [0] * K

    def log_likelihood(share, of):
        """Of `of` rewards with a probability of `share` each."""
        return 0.0 if of == 0 else -math.inf if share == 0 else of * math.log(share)

    def index(b, best):
        mean = s[b] / n[b]
        if mean == best:
            return math.log(n[b])
        own = log_likelihood(mean, s[b]) + log_likelihood(1 - mean, n[b] - s[b]) + math.log(n[b])
        return own - log_likelihood(best, s[b]) - log_likelihood(1 - best, n[b] - s[b])

    while len(actions) < horizon:
        a = len(actions)
        if a >= K:
            best = max(s[b] / n[b] for b in range(K))
            indices = [index(b, best) for b in range(K)]
            a = indices.index(min(indices))
        s[a] += 1.0 if rng.random() < means[a] else 0.0
        n[a] += 1
        actions.append(a)
    return actions
