"""DP-KLUCB, DP-IMED and IMED, from their pseudocode.

The package has closed forms of d_epsilon and of the index.
"""

import math

from plain.parts import argmax, bisect, clip, kl, noise_of_sum, play_episodes, reward


def d_epsilon(x, y, epsilon):
    """min over z in [x, y] of epsilon (z - x) + kl(z, y).

    There the derivative, epsilon + logit z - logit y, is 0.
    """
    if x >= y:
        return 0.0
    z = max(x, 1 / (1 + math.exp(epsilon) * (1 - y) / y)) if y < 1 else y
    return epsilon * (z - x) + kl(z, y)


def klucb_index(x, budget, epsilon):
    """By bisection. Rounded, since that does not tell apart indices that are equal."""
    if d_epsilon(x, 1.0, epsilon) <= budget:
        return 1.0
    return round(bisect(lambda q: d_epsilon(x, q, epsilon) <= budget, x, 1.0), 10)


def episodes_that_keep(rng, means, horizon, epsilon, growth, indices, noise):
    """Phases that multiply an arm's pulls, and whose noisy sums are added.

    indices(x, n, t): of all arms in round t.
    """
    K, s, n = len(means), [0.0] * len(means), [0] * len(means)

    def choose(t):
        return t - 1 if t <= K else argmax(indices([clip(s[b] / n[b]) for b in range(K)], n, t))

    def release(a, total, m):
        s[a] += total + noise_of_sum(rng, epsilon, noise)
        n[a] += m

    return play_episodes(
        rng, means, horizon, choose, lambda a: max(1, math.ceil(growth * n[a]) - n[a]), release
    )


def dp_klucb(rng, means, horizon, epsilon, growth=2.0, noise="laplace"):
    def indices(x, n, t):
        return [klucb_index(x[b], math.log(t) / n[b], epsilon) for b in range(len(means))]

    return episodes_that_keep(rng, means, horizon, epsilon, growth, indices, noise)


def dp_imed(rng, means, horizon, epsilon, growth=2.0, noise="laplace"):
    def indices(x, n, t):
        return [
            -(n[b] * d_epsilon(x[b], max(x), epsilon) + math.log(n[b])) for b in range(len(means))
        ]

    return episodes_that_keep(rng, means, horizon, epsilon, growth, indices, noise)


def imed(rng, means, horizon):
    """n kl(mean, best) as a ratio of likelihoods, in the kernel's order of additions.

    Rounding decides where two indices are equal, as those of 1 of 2 and 0 of 1 rewards are.
    """
    s, n, actions = [0.0] * len(means), [0] * len(means), []

    def log_likelihood(share, of):
        """Of `of` rewards with a probability of `share` each."""
        return 0.0 if of == 0 else -math.inf if share == 0 else of * math.log(share)

    def index(b, best):
        mean = s[b] / n[b]
        if mean == best:
            return math.log(n[b])
        own = log_likelihood(mean, s[b]) + log_likelihood(1 - mean, n[b] - s[b]) + math.log(n[b])
        return own - log_likelihood(best, s[b]) - log_likelihood(1 - best, n[b] - s[b])

    for a in range(horizon):
        if a >= len(means):
            best = max(s[b] / n[b] for b in range(len(means)))
            a = argmax([-index(b, best) for b in range(len(means))])
        s[a] += reward(rng, means[a])
        n[a] += 1
        actions.append(a)
    return actions
