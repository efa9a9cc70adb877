"""The contextual policies of mishra2015 once more, event by event in plain Python with numpy.linalg; nothing is shared."""

import math

import numpy as np


class Tree:
    """Noise of every prefix, from the nodes at the set bits of n."""

    def __init__(self, scale):
        self.scale, self.nodes, self.n = scale, {}, 0

    def append(self, rng):
        self.n += 1
        last, noise = self.n, 0.0
        while last:
            size = last & -last
            if (last, size) not in self.nodes:
                self.nodes[last, size] = rng.laplace(0.0, self.scale)
            noise += self.nodes[last, size]
            last -= size
        return noise


class Model:
    """Ridge regression on released sums."""

    def __init__(self, lam, eps0, levels, repair):
        self.lam, self.repair = lam, repair
        self.A, self.b, self.triangle = np.zeros((6, 6)), np.zeros(6), np.tril_indices(6)
        self.noise_A, self.noise_b = np.zeros((6, 6)), np.zeros(6)
        self.trees = [Tree(levels / eps0) for _ in range(27)] if eps0 else []
        self.shift = 2 * levels / eps0 * math.sqrt(2 * levels) * math.sqrt(6) if eps0 and repair == "shift" else 0.0

    def learn(self, rng, z, reward):
        self.A += np.outer(z, z)
        self.b += reward * z
        if self.trees:
            noise = [tree.append(rng) for tree in self.trees]
            for i, j, x in zip(*self.triangle, noise[:21], strict=True):
                self.noise_A[i, j] = self.noise_A[j, i] = x
            self.noise_b = np.array(noise[21:])

    def released(self):
        A = self.A + self.noise_A + (self.lam + self.shift) * np.eye(6)
        if self.trees and self.repair != "none":
            values, vectors = np.linalg.eigh(A)
            A = vectors @ np.diag(np.maximum(values, self.lam)) @ vectors.T
        return A, self.b + self.noise_b


def play(rng, blocks, articles, policy, width, lam=1.0, context="shared_product", delay=0, mode="batch", unit="kept",
         eps0=None, levels=0, repair="shift"):  # fmt: skip
    """(t, position, click) of every kept event."""
    models, waiting, kept = {}, [], []
    for events in blocks:
        for i, t in enumerate(events.t):
            pool = [a for a in events.pools[events.pool[i]] if a >= 0]
            clock = len(kept) + 1 if unit == "kept" else t
            over = clock - 1 if not delay else clock - 1 - delay if mode == "lag" else (clock - 1) // delay * delay
            while waiting and waiting[0][0] <= over:
                _, name, z, click = waiting.pop(0)
                models[name].learn(rng, z, click)
            user, zs, names = events.users[i], [], []
            for a in pool:
                x = articles[:, a]
                zs.append({"shared_product": user * x, "shared_article": x, "disjoint_user": user}[context])
                names.append(a if context == "disjoint_user" else 0)
                models.setdefault(names[-1], Model(lam, eps0, levels, repair))
            scores, drawn = [], None
            for s, z in enumerate(zs):
                A, b = models[names[s]].released()
                if policy == "ucb":
                    inverse = np.linalg.inv(A)
                    scores.append(z @ inverse @ b + width * math.sqrt(max(z @ inverse @ z, 0)))
                else:
                    if s == 0 or context == "disjoint_user":
                        xi = np.array([rng.standard_normal() for _ in range(6)])
                        drawn = np.linalg.solve(A, b) + width * np.linalg.inv(np.linalg.cholesky(A)).T @ xi
                    scores.append(z @ drawn)
            first = int(rng.random() * len(pool))
            order = [(first + k) % len(pool) for k in range(len(pool))]
            a = max(order, key=lambda s: (round(scores[s], 12), -order.index(s)))
            if events.displayed.size:
                if events.displayed[i] != a:
                    continue
                click = int(events.clicked[i])
            else:
                click = int(events.chance[i] < events.p[i, a])
            kept.append((int(t), a, click))
            waiting.append((len(kept) if unit == "kept" else t, names[a], zs[a].copy(), click))
    return kept


def rates(rng, law, visits):
    """Of random visits to one set of articles: the mean probability of a click in the pool, and the largest over it."""
    articles = rng.dirichlet(np.full(5, law["article_concentration"]), law["articles"])
    quality = law["quality_sd"] * rng.standard_normal(law["articles"])
    live, found = law["live"], []
    for _ in range(visits):
        x = rng.random() * (law["articles"] - live)
        pool = int(x) + np.arange(live)
        age = (x - (pool - live + 1)) / live
        user = rng.dirichlet(np.full(5, law["user_concentration"]))
        exponent = quality[pool] + articles[pool] @ law["taste"] + user @ np.array(law["match"]) @ articles[pool].T
        p = np.clip(law["base_rate"] * np.exp(exponent - law["ageing"] * age), law["least"], law["most"])
        found.append((p.mean(), p.max()))
    mean, best = np.mean(found, axis=0)
    return mean, best / mean
