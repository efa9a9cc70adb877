"""The algorithms of Hu & Hegde (2022), from the paper's pseudocode.

A theta with the law Beta(n + 1, 1) is e^(-E/(n + 1)) with an exponential number E.
"""

import math

from plain.parts import Tree, argmax, clip, play_rounds, reward

LOGS = {"log2": math.log2, "ln": math.log}


def theta(rng, x, n):
    """Beta(x n + 1, (1 - x) n + 1) with x clipped to [0, 1]."""
    if x >= 1:
        return math.exp(-rng.standard_exponential() / (n + 1))
    return rng.beta(clip(x) * n + 1, (1 - clip(x)) * n + 1)


def largest_theta(rng, x, N):
    return argmax([theta(rng, *of_arm) for of_arm in zip(x, N, strict=True)])


def lazy_dp_ts(rng, means, horizon, epsilon, log="log2", first_pulls=True):
    K, log, actions = len(means), LOGS[log], []
    N, m, r, Psi = [0] * K, [math.inf] * K, [0] * K, [[] for _ in means]
    for t in range(1, horizon + 1):
        is_first = first_pulls and t <= K
        x = [m[j] + 3 * log(t) / (epsilon * max(N[j], 1)) for j in range(K)]
        J = t - 1 if is_first else largest_theta(rng, x, N)
        X = reward(rng, means[J])
        if is_first:
            N[J], m[J] = 1, X + rng.laplace(0.0, 1 / epsilon)
        else:
            Psi[J].append(X)
            if len(Psi[J]) == 2 ** (r[J] + 1):
                N[J] = len(Psi[J])
                m[J] = (sum(Psi[J]) + rng.laplace(0.0, 1 / epsilon)) / N[J]
                r[J], Psi[J] = r[J] + 1, []
        actions.append(J)
    return actions


def dp_ts(rng, means, horizon, epsilon, log="log2", invoke="each_epoch"):
    K, log, actions = len(means), LOGS[log], []
    N, C, B, m, r, Psi, trees = [0] * K, [0] * K, [0] * K, [0] * K, [0] * K, [0] * K, [None] * K
    for t in range(1, horizon + 1):
        if t <= K:
            J = t - 1
            C[J], N[J] = reward(rng, means[J]) + rng.laplace(0.0, 2 / epsilon), 1
            trees[J] = Tree(1 / (epsilon / 2))
        else:
            x = [m[j] + 6 * 8**0.5 * log(N[j] + 1) * log(t) / (epsilon * N[j]) for j in range(K)]
            J = largest_theta(rng, x, N)
            X = reward(rng, means[J])
            N[J], Psi[J] = N[J] + 1, Psi[J] + X
            if N[J] == 2 ** (r[J] + 2) - 1:
                C[J] += Psi[J] + rng.laplace(0.0, 2 / epsilon)
                r[J], Psi[J], B[J] = r[J] + 1, 0, 0
                trees[J] = Tree((r[J] + 1) / (epsilon / 2))
            elif invoke == "each_epoch":
                B[J] = trees[J].insert(X, rng)
            else:  # the mechanism's output for |Psi| rewards: a node for every set bit
                nodes = f"{N[J] - 2 ** (r[J] + 1) + 1:b}".count("1")
                scale = (r[J] + 1) / (epsilon / 2)
                B[J] = Psi[J] + sum(rng.laplace(0.0, scale) for _ in range(nodes))
        m[J] = (C[J] + B[J]) / N[J]
        actions.append(J)
    return actions


def anytime_lazy_ucb(rng, means, horizon, epsilon):
    h, Psi = [0] * len(means), [[] for _ in means]

    def see(released, a, x):
        Psi[a].append(x)
        if len(Psi[a]) == max(2 * h[a], 2):
            h[a] = len(Psi[a])
            m, Psi[a] = (sum(Psi[a]) + rng.laplace(0.0, 1 / epsilon)) / h[a], []
            released[a] = m, h[a]

    def index(released, n, t):
        if released == 0:
            return math.inf
        m, h = released
        return m + math.sqrt(3 * math.log2(t) / h) + 3 * math.log2(t) / (epsilon * h)

    return play_rounds(rng, means, horizon, index, see)
