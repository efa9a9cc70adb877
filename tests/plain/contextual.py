"""The linear policies of mishra2015, event by event, and a synthetic log with all events."""

import math

import numpy as np
from plain.parts import Tree

TRIANGLE = np.tril_indices(6)


class Model:
    """Ridge regression on 27 released sums: the triangle of z z', then reward z."""

    def __init__(self, lam, eps0, levels):
        self.lam, self.sums = lam, np.zeros(27)
        self.trees = [Tree(levels / eps0) for _ in self.sums] if eps0 else []
        self.shift = 2 * levels / eps0 * math.sqrt(2 * levels) * math.sqrt(6) if eps0 else 0.0

    def learn(self, rng, z, reward):
        numbers = np.append(np.outer(z, z)[TRIANGLE], reward * z)
        if self.trees:
            pairs = zip(self.trees, numbers, strict=True)
            self.sums = np.array([tree.insert(number, rng) for tree, number in pairs])
        else:
            self.sums += numbers

    def released(self):
        A = (self.lam + self.shift) * np.eye(6)
        for i, j, total in zip(*TRIANGLE, self.sums, strict=False):
            A[i, j] = A[j, i] = A[i, j] + total
        return raised(A, self.lam) if self.trees else A, self.sums[21:]


def raised(A, least):
    """A with eigenvalues of at least `least`."""
    values, vectors = np.linalg.eigh(A)
    return vectors @ np.diag(np.maximum(values, least)) @ vectors.T


def play(
    rng, blocks, articles, policy, width, lam=1.0, context="shared_product", delay=0, eps0=None,
    levels=0,
):  # fmt: skip
    """(t, position, click) of every kept event."""
    models, waiting, kept = {}, [], []
    for events in blocks:
        for i, t in enumerate(events.t):
            pool = [a for a in events.pools[events.pool[i]] if a >= 0]
            if len(waiting) == max(delay, 1):
                for name, z, click in waiting:
                    models[name].learn(rng, z, click)
                waiting = []
            user, zs, names = events.users[i], [], []
            for a in pool:
                x = articles[:, a]
                features = {"shared_product": user * x, "shared_article": x, "disjoint_user": user}
                zs.append(features[context])
                names.append(a if context == "disjoint_user" else 0)
                models.setdefault(names[-1], Model(lam, eps0, levels))
            scores, drawn = [], None
            for s, z in enumerate(zs):
                A, b = models[names[s]].released()
                if policy == "ucb":
                    inverse = np.linalg.inv(A)
                    scores.append(z @ inverse @ b + width * math.sqrt(z @ inverse @ z))
                else:
                    if s == 0 or context == "disjoint_user":
                        xi = np.array([rng.standard_normal() for _ in range(6)])
                        root = np.linalg.inv(np.linalg.cholesky(A)).T
                        drawn = np.linalg.solve(A, b) + width * root @ xi
                    scores.append(z @ drawn)
            first = int(rng.random() * len(pool))
            order = [(first + k) % len(pool) for k in range(len(pool))]
            a = max(order, key=lambda s: (round(scores[s], 12), -order.index(s)))
            if events.p is None:
                if events.displayed[i] != a:
                    continue
                click = int(events.at_random[i])
            else:
                click = int(events.chance[i] < events.p[i, a])
            kept.append((int(t), a, click))
            waiting.append((names[a], zs[a].copy(), click))
    return kept


# The synthetic log. `law` is what the paper file states.


def memberships(rng, concentration, n):
    """Vectors of a constant 1 and five memberships, with six decimals."""
    return np.column_stack([np.ones(n), np.round(rng.dirichlet(np.full(5, concentration), n), 6)])


def click_rate(law, horizon, quality, articles, t, users, a):
    """P(user i clicks on article a[i] in event t[i]). Users and articles are rows."""
    live = law["live"]
    age = ((t - 1) * (law["articles"] - live + 1) / horizon - (a + 1 - live)) / live
    u, v = users[:, 1:], articles[a, 1:]
    liked = np.einsum("ij,j->i", v, law["taste"]) + np.einsum("ij,jk,ik->i", u, law["match"], v)
    exponent = quality[a] + liked - law["ageing"] * age
    return np.clip(law["base_rate"] * np.exp(exponent), law["least"], law["most"])


def all_events(rng, law, horizon, quality, articles):
    """Every event of a log: times, users, pools by event, displayed positions and clicks."""
    live, t = law["live"], np.arange(1, horizon + 1)
    users = memberships(rng, law["user_concentration"], horizon)
    displayed = rng.integers(0, live, horizon)
    oldest = (t - 1) * (law["articles"] - live + 1) // horizon
    pools = np.array([[k + (s - k) % live for s in range(live)] for k in range(oldest[-1] + 1)])
    p = click_rate(law, horizon, quality, articles, t, users, pools[oldest, displayed])
    return t, users, oldest, pools, displayed, (rng.random(horizon) < p).astype(float)
