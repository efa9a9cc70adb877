"""The policies in plain NumPy, as in research code: a loop over rounds, arrays over arms.

The speed of the kernels is compared with these. (tests/plain/ is closer to the pseudocode and slower.)
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


def dp_ucb_int(rng, means, T, v, updates):
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


def private_ucb_tuned(rng, means, T, epsilon):
    K, levels = len(means), T.bit_length()
    s, n, noise = np.zeros(K), np.zeros(K), np.zeros(K)
    trees = [TreeNoise(rng, levels * K / epsilon, levels) for _ in range(K)]
    for t in range(1, T + 1):
        if t <= K:
            a = t - 1
        else:
            r = np.clip(s + noise, 0, n)
            a = int(np.argmax(r / n + np.sqrt(r * np.log(t)) / n + np.log(t) / n))
        s[a] += rng.random() < means[a]
        n[a] += 1
        noise[a] = trees[a].step()
    return finish(means, n)


def thompson(rng, means, T):
    K = len(means)
    r, n = np.zeros(K), np.zeros(K)
    for _ in range(T):
        a = int(np.argmax(rng.beta(r + 1, n - r + 1)))
        r[a] += rng.random() < means[a]
        n[a] += 1
    return finish(means, n)


def private_thompson(rng, means, T, epsilon):
    K, levels = len(means), T.bit_length()
    scale = levels * 2 * K / epsilon
    m = int(np.ceil(6 * scale))
    if K * m >= T:
        return finish(means, np.full(K, T / K))
    s, n = rng.binomial(m, means).astype(float), np.full(K, float(m))
    trees = [TreeNoise(rng, scale, levels) for _ in range(K)]
    noise = np.array([tree.step() for tree in trees])
    for _ in range(T - K * m):
        r = np.clip(s + noise, 0, n)
        a = int(np.argmax(rng.beta(r + 1, n - r + 1)))
        s[a] += rng.random() < means[a]
        n[a] += 1
        noise[a] = trees[a].step()
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


def kl(p, q):
    """Relative entropy of Bernoulli laws, elementwise; 0 < q < 1."""
    with np.errstate(divide="ignore", invalid="ignore"):
        first = np.where(p > 0, p * np.log(p / q), 0.0)
        return first + np.where(p < 1, (1 - p) * np.log((1 - p) / (1 - q)), 0.0)


def kl_indices(x, budget):
    low, high = x.copy(), np.minimum(1 - 1e-16, x + np.sqrt(budget / 2))
    for _ in range(50):
        middle = (low + high) / 2
        inside = kl(x, middle) <= budget
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    return np.where(x >= 1, 1.0, low)


def episodes(rng, means, T, epsilon, index):
    K = len(means)
    mu, h, n = (rng.random(K) < means) + rng.laplace(0, 1 / epsilon, K), np.ones(K), np.ones(K)
    t = K
    while t < T:
        a = int(np.argmax(index(mu, h, np.log(t + 1))))
        m = int(min(n[a], T - t))
        total = 0.0
        for _ in range(m):
            total += rng.random() < means[a]
        mu[a] = total / m + rng.laplace(0, 1 / (epsilon * m))
        h[a] = m
        n[a] += m
        t += m
    return finish(means, n)


def adap_ucb(rng, means, T, epsilon, alpha):
    def index(mu, h, log_t):
        return mu + np.sqrt(alpha * log_t / (2 * h)) + alpha * log_t / (epsilon * h)

    return episodes(rng, means, T, epsilon, index)


def adap_klucb(rng, means, T, epsilon, alpha):
    def index(mu, h, log_t):
        return kl_indices(np.clip(mu + alpha * log_t / (epsilon * h), 0, 1), alpha * log_t / h)

    return episodes(rng, means, T, epsilon, index)


def dp_se(rng, means, T, epsilon):
    alive, n, t, e = list(range(len(means))), np.zeros(len(means)), 0, 0
    while len(alive) > 1 and t < T:
        e += 1
        s, D = len(alive), 2.0**-e
        log8, log4 = np.log(8 * s * e**2 * T), np.log(4 * s * e**2 * T)
        R = int(max(32 * log8 / D**2, 8 * log4 / (epsilon * D))) + 1
        sums = dict.fromkeys(alive, 0.0)
        for _ in range(R):
            for a in alive:
                if t < T:
                    sums[a] += rng.random() < means[a]
                    n[a] += 1
                    t += 1
        if t < T:
            mu = {a: sums[a] / R + rng.laplace(0, 1 / (epsilon * R)) for a in alive}
            limit = 2 * np.sqrt(log8 / (2 * R)) + 2 * log4 / (R * epsilon)
            alive = [a for a in alive if max(mu.values()) - mu[a] <= limit]
    while t < T:
        rng.random()
        n[alive[0]] += 1
        t += 1
    return finish(means, n)


def kl_ucb(rng, means, T, alpha):
    K = len(means)
    s, n = np.zeros(K), np.zeros(K)
    for t in range(T):
        a = t if t < K else int(np.argmax(kl_indices(s / n, alpha * np.log(t + 1) / n)))
        s[a] += rng.random() < means[a]
        n[a] += 1
    return finish(means, n)


# sarkar2025: c = 3, alpha = 3.1, epsilon = 0.2, as in the corrected reading of its figures.


def explore(rng, means, rounds, report, s, n):
    for _ in range(rounds):
        a = rng.integers(len(means))
        s[a] += report(a)
        n[a] += 1


def ncb(rng, means, T):
    K, L = len(means), np.log(T)
    s, n = np.zeros(K), np.zeros(K)
    for _ in range(T):
        if s.max() <= 9 * L:
            a = rng.integers(K)
        else:
            mu = s / n
            a = int(np.argmax(mu + 6 * np.sqrt(2 * mu * L / n)))
        s[a] += rng.random() < means[a]
        n[a] += 1
    return finish(means, n)


def gdp_ncb(rng, means, T, epsilon=0.2):
    K, W = len(means), int(np.sqrt(T)) + 1
    s, N1, L = np.zeros(K), np.zeros(K), np.log(W)
    explore(rng, means, W, lambda a: rng.random() < means[a], s, N1)
    N2, mu, t, played = np.ones(K), np.zeros(K), W, N1.copy()
    while t < T:
        n = N1 + N2
        b = 3.1 * L**2 / epsilon + 4 * np.sqrt(6.2) * L**1.5 / np.sqrt(epsilon)
        a = int(np.argmax(mu + 6 * np.sqrt(2 * mu * L / n) + b / n))
        m, S = int(min(2 * N2[a], T - t)), 0.0
        for _ in range(m):
            S += rng.random() < means[a]
        m_all = N1[a] + m
        mu[a] = min(max((s[a] + S) / m_all + rng.laplace(0, np.log2(T) / (epsilon * m_all)), 0.0), 1.0)
        N2[a], t = m, t + m
        played[a] += m
    return finish(means, played)


def ldp_ncb(rng, means, T, epsilon=0.2):
    K, W, L = len(means), int(np.sqrt(T)) + 1, np.log(T)
    s, n, ell = np.zeros(K), np.zeros(K), np.log(W)
    explore(rng, means, W + 1, lambda a: (rng.random() < means[a]) + rng.laplace(0, 1 / epsilon), s, n)
    for _ in range(T - W - 1):
        mu = np.clip(s / n, 0, 1)
        noise = np.sqrt(8 * 3.1 * L / n) / epsilon + 12 * 6.2**0.25 * ell**0.75 / (np.sqrt(epsilon) * n**0.75)
        a = int(np.argmax(mu + 6 * np.sqrt(2 * mu * L / n) + noise))
        s[a] += (rng.random() < means[a]) + rng.laplace(0, 1 / epsilon)
        n[a] += 1
    return finish(means, n)


def ldp_ucb(rng, means, T, epsilon=0.2, clipped=False):
    K = len(means)
    s, n = np.zeros(K), np.zeros(K)
    for t in range(1, T + 1):
        starved = np.flatnonzero(n <= 4 * np.log(t))
        if t <= K or starved.size:
            a = t - 1 if t <= K else int(starved[0])
        else:
            a = int(np.argmax(s / n + np.sqrt(2 * np.log(t) / n) + np.sqrt(32 * np.log(t) / (epsilon**2 * n))))
        x = (rng.random() < means[a]) + rng.laplace(0, 1 / epsilon)
        s[a] += min(max(x, 0.0), 1.0) if clipped else x
        n[a] += 1
    return finish(means, n)


def ldp_ucb_clipped(rng, means, T):
    return ldp_ucb(rng, means, T, clipped=True)


def adap_ucb_drawn(rng, means, T, epsilon=0.2):
    K = len(means)
    mu, h, n, t = (rng.random(K) < means).astype(float), np.ones(K), np.ones(K), K
    while t < T:
        L = 3.1 * np.log(t + 1)
        a = int(np.argmax(mu + np.sqrt(L / h) + 2 * L / h))
        m, S = int(min(2 * h[a], T - t)), 0.0
        for _ in range(m):
            S += rng.random() < means[a]
        mu[a] = min(max(S / m + rng.laplace(0, 1 / (epsilon * m)), 0.0), 1.0)
        h[a], t = m, t + m
        n[a] += m
    return finish(means, n)
