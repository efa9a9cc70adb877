"""The policies as a researcher would write them for a paper: a loop over rounds, NumPy arrays over arms.

These are what the kernels' speed is compared with. (tests/plain.py is closer to the pseudocode and slower.)
"""

import numpy as np


class TreeNoise:
    """One binary mechanism: the noise of the current count."""

    def __init__(self, rng, scale, levels):
        self.rng, self.scale, self.levels, self.n = rng, scale, np.zeros(levels), 0

    def step(self):
        self.n += 1
        low = (self.n & -self.n).bit_length() - 1
        self.levels[:low] = 0.0
        self.levels[low] = self.rng.laplace(0.0, self.scale)
        return self.levels.sum()


class HybridNoise:
    """One hybrid mechanism: a running total at powers of two, a new tree in between."""

    def __init__(self, rng, epsilon):
        self.rng, self.epsilon, self.total, self.n, self.tree = rng, epsilon, 0.0, 0, None

    def step(self):
        self.n += 1
        if self.n & (self.n - 1) == 0:
            self.total += self.rng.laplace(0.0, 2 / self.epsilon)
            levels = self.n.bit_length() - 1
            self.tree = TreeNoise(self.rng, 2 * levels / self.epsilon, levels) if levels else None
            return self.total
        return self.total + self.tree.step()


def finish(means, n):
    return float(((means.max() - means) * n).sum())


def ucb(rng, means, T):
    K = len(means)
    s, n = np.zeros(K), np.zeros(K)
    for t in range(1, T + 1):
        a = t - 1 if t <= K else int(np.argmax(s / n + np.sqrt(2 * np.log(t) / n)))
        s[a] += rng.random() < means[a]
        n[a] += 1
    return finish(means, n)


def dp_ucb_bound(rng, means, T, epsilon):
    K = len(means)
    s, n, noise, factor = np.zeros(K), np.zeros(K), np.zeros(K), np.zeros(K)
    mechanisms = [HybridNoise(rng, epsilon) for _ in range(K)]
    for t in range(1, T + 1):
        if t <= K:
            a = t - 1
        else:
            nu = np.sqrt(8) / epsilon * np.log(4 * float(t) ** 4) * factor
            a = int(np.argmax((s + noise) / n + np.sqrt(2 * np.log(t) / n) + nu / n))
        s[a] += rng.random() < means[a]
        n[a] += 1
        noise[a] = mechanisms[a].step()
        factor[a] = 1.0 if int(n[a]) & (int(n[a]) - 1) == 0 else np.log(n[a]) + 1
    return finish(means, n)


def dp_ucb(rng, means, T, epsilon):
    K = len(means)
    s, n, noise = np.zeros(K), np.zeros(K), np.zeros(K)
    mechanisms = [HybridNoise(rng, epsilon) for _ in range(K)]
    for t in range(1, T + 1):
        a = t - 1 if t <= K else int(np.argmax((s + noise) / n + np.sqrt(2 * np.log(t) / n)))
        s[a] += rng.random() < means[a]
        n[a] += 1
        for b in range(K):
            noise[b] = mechanisms[b].step()
    return finish(means, n)


def private_ucb(rng, means, T, epsilon):
    K, eps0, levels = len(means), epsilon / len(means), T.bit_length()
    s, n, noise = np.zeros(K), np.zeros(K), np.zeros(K)
    trees = [TreeNoise(rng, levels / eps0, levels) for _ in range(K)]
    for t in range(1, T + 1):
        if t <= K:
            a = t - 1
        else:
            G = np.log(T) ** 2 * (np.log(K * T * np.log(T)) + 4 * np.log(t)) / eps0
            a = int(np.argmax((s + noise) / n + np.sqrt(2 * np.log(t) / n) + G / n))
        s[a] += rng.random() < means[a]
        n[a] += 1
        noise[a] = trees[a].step()
    return finish(means, n)


def interval_ucb(rng, means, T, v, updates):
    K, due = len(means), set(updates.tolist())
    s, n, mean, x = np.zeros(K), np.zeros(K), np.zeros(K), np.zeros(K)
    fresh = np.ones(K, bool)
    for t in range(1, T + 1):
        if t <= K * updates[0]:
            a = (t - 1) % K
        else:
            for b in range(K):
                if int(n[b]) in due:
                    if fresh[b]:
                        mean[b] = s[b] / n[b] + rng.laplace(0.0, n[b] ** (v / 2 - 1))
                        fresh[b] = False
                    x[b] = mean[b] + np.sqrt(2 * np.log(t) / n[b])
            a = int(np.argmax(x))
        s[a] += rng.random() < means[a]
        n[a] += 1
        fresh[a] = True
    return finish(means, n)


def exp3_law(G, gamma):
    w = np.exp(gamma / len(G) * (G - G.max()))
    return (1 - gamma) * w / w.sum() + gamma / len(G)


def exp3(rng, gains, gamma):
    T, K = gains.shape
    G, total = np.zeros(K), 0.0
    for t in range(T):
        p = exp3_law(G, gamma)
        a = int(np.searchsorted(np.cumsum(p), rng.random()))
        g = float(gains[t, a])
        total += g
        G[a] += g / p[a]
    return total


def dp_exp3_lap(rng, gains, gamma, epsilon):
    T, K = gains.shape
    G, total, b = np.zeros(K), 0.0, np.log(T) / epsilon
    for t in range(T):
        p = exp3_law(G, gamma)
        a = int(np.searchsorted(np.cumsum(p), rng.random()))
        g = float(gains[t, a])
        r = g + rng.laplace(0.0, 1 / epsilon)
        total += g
        if -b <= r <= b + 1:
            G[a] += (r + b) / (2 * b + 1) / p[a]
    return total


def exp3_tau(rng, gains, gamma, tau):
    T, K = gains.shape
    G, total = np.zeros(K), 0.0
    for start in range(0, T, tau):
        p = exp3_law(G, gamma)
        a = int(np.searchsorted(np.cumsum(p), rng.random()))
        batch = gains[start : start + tau, a]
        total += float(batch.sum())
        if len(batch) == tau:
            G[a] += batch.mean() / p[a]
    return total
