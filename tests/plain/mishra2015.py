"""The algorithms of mishra2015's Figure 1 once more, slowly and in plain Python, from the paper's pseudocode.

Nothing here is shared with the package. A twin draws from the generator in the order in which its pseudocode does: the
thetas, the reward, the tree's noise. Forced pulls are one binomial number, or (`one_by_one`) single rewards.
"""

import math


def argmax(values):
    """The first of the largest."""
    return values.index(max(values))


def reward(rng, mean):
    return 1.0 if rng.random() < mean else 0.0


def total(rng, mean, m, one_by_one):
    return float(sum(rng.random() < mean for _ in range(m)) if one_by_one else rng.binomial(m, mean))


class Tree:
    """A binary counter that keeps its nodes: a node of level i covers 2^i leaves and has its own noise."""

    def __init__(self, leaves, epsilon):
        self.levels = math.floor(math.log2(leaves)) + 1
        self.scale = self.levels / epsilon
        self.leaf, self.nodes = 0, {}

    def insert(self, x, rng):
        """The noisy sum of all leaves so far."""
        self.leaf += 1
        level = 0
        while self.leaf % 2 ** (level + 1) == 0:
            level += 1
        covered = x + sum(exact for i, (exact, _) in self.nodes.items() if i < level)
        self.nodes = {i: node for i, node in self.nodes.items() if i > level}
        self.nodes[level] = (covered, covered + rng.laplace(0.0, self.scale))
        return sum(noisy for _, noisy in self.nodes.values())


def tuned(r, n, t):
    return r / n + math.sqrt(max(r, 0.0) * math.log(t)) / n + math.log(t) / n


def ucb_tuned(rng, means, horizon):
    K, r, n, actions = len(means), [0.0] * len(means), [0] * len(means), []
    for t in range(1, horizon + 1):
        a = t - 1 if t <= K else argmax([tuned(r[b], n[b], t) for b in range(K)])
        r[a] += reward(rng, means[a])
        n[a] += 1
        actions.append(a)
    return actions


def private_ucb_tuned(rng, means, horizon, epsilon, budget="split", ucb_clip="unit", relax_c=0.0):
    K, n, actions = len(means), [0] * len(means), []
    trees = [Tree(horizon, epsilon / K if budget == "split" else epsilon) for _ in means]
    G = relax_c * trees[0].scale
    r = [0.0] * K
    for t in range(1, horizon + 1):
        a = t - 1 if t <= K else argmax([tuned(r[b], n[b], t) + G / n[b] for b in range(K)])
        n[a] += 1
        r[a] = trees[a].insert(reward(rng, means[a]), rng)
        if ucb_clip == "unit":
            r[a] = min(max(r[a], 0.0), n[a])
        actions.append(a)
    return actions


def private_ucb_clipped(rng, means, horizon, epsilon, budget="split", relax_c=0.0):
    K, n, actions = len(means), [0] * len(means), []
    trees = [Tree(horizon, epsilon / K if budget == "split" else epsilon) for _ in means]
    G = relax_c * trees[0].scale
    r = [0.0] * K
    for t in range(1, horizon + 1):
        a = t - 1 if t <= K else argmax([(r[b] + G) / n[b] + math.sqrt(2 * math.log(t) / n[b]) for b in range(K)])
        n[a] += 1
        r[a] = min(max(trees[a].insert(reward(rng, means[a]), rng), 0.0), n[a])
        actions.append(a)
    return actions


def _thompson(rng, means, horizon, r, n, actions, update):
    while len(actions) < horizon:
        thetas = []
        for total_of, count in zip(r, n, strict=True):
            x = min(max(total_of, 0.0), count)
            thetas.append(rng.beta(x + 1, count - x + 1))
        a = argmax(thetas)
        n[a] += 1
        r[a] = update(a, reward(rng, means[a]))
        actions.append(a)
    return actions


def thompson(rng, means, horizon):
    r = [0.0] * len(means)
    return _thompson(rng, means, horizon, r, [0] * len(means), [], lambda a, x: r[a] + x)


def private_thompson(rng, means, horizon, epsilon, explore_c=6.0, budget="split", ts_budget="half", one_by_one=False):
    K = len(means)
    eps0 = epsilon / (K if budget == "split" else 1) / (2 if ts_budget == "half" else 1)
    trees = [Tree(horizon, eps0) for _ in means]
    m = math.ceil(explore_c * trees[0].levels / eps0)
    actions = [a for _ in range(m) for a in range(K)][:horizon]
    if len(actions) == horizon:
        return actions
    r = [0.0] * K
    if m:
        for a in range(K):
            r[a] = trees[a].insert(total(rng, means[a], m, one_by_one), rng)
    return _thompson(rng, means, horizon, r, [m] * K, actions, lambda a, x: trees[a].insert(x, rng))


def private_thompson_gap(rng, means, horizon, epsilon, one_by_one=False):
    K, T = len(means), horizon
    D, tau = 1.0, 0
    while True:
        m = math.ceil(192 * K * math.log(T) / (epsilon * D**2))
        noisy = [total(rng, mean, m, one_by_one) / m + rng.laplace(0.0, 2 * K / (epsilon * m)) for mean in means]
        D, tau = D / 2, tau + K * m
        first, second = sorted(noisy)[:-3:-1]
        if first - second > D or tau >= T:
            break
    M = math.ceil(192 * math.log(T) ** 3 / epsilon / D**2)
    actions = [a for _ in range(tau // K + M) for a in range(K)][:T]
    if len(actions) == T:
        return actions
    trees = [Tree(T - tau, epsilon / (2 * K)) for _ in means]
    r = [trees[a].insert(total(rng, means[a], M, one_by_one), rng) for a in range(K)]
    return _thompson(rng, means, T, r, [M] * K, actions, lambda a, x: trees[a].insert(x, rng))
