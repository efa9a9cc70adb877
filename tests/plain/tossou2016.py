"""The algorithms of tossou2016 and Private-UCB, from the papers' pseudocode.

DP-UCB-INT's rewards are drawn when they are released, as one binomial number.
"""

import math

from plain.parts import Tree, argmax, levels, play_rounds, rewards, ucb1
from scipy.special import zeta


class HybridMechanism:
    """Chan, Shi & Song: a running total, and a new tree between powers of two.

    At each power of two the total gets one more Laplace number.
    """

    def __init__(self, epsilon, split):
        half = 2 if split == "half_log2" else 1
        self.scale, self.log = half / epsilon, math.log if split == "literal_natlog" else math.log2
        self.n, self.sum, self.noise, self.base = 0, 0.0, 0.0, 0.0

    def insert(self, x, rng):
        self.n += 1
        self.sum += x
        if math.log2(self.n).is_integer():
            self.noise += rng.laplace(0.0, self.scale)
            self.base = self.sum + self.noise
            self.tree = Tree(self.log(self.n) * self.scale)
            return self.base
        return self.base + self.tree.insert(x, rng)


def ucb(rng, means, horizon):
    return play_rounds(rng, means, horizon, ucb1)


def dp_ucb_bound(rng, means, horizon, epsilon, hybrid_split="half_log2"):
    mechanisms = [HybridMechanism(epsilon, hybrid_split) for _ in means]

    def index(s, n, t):
        terms = 1 if math.log2(n).is_integer() else math.log(n) + 1
        return ucb1(s, n, t) + math.sqrt(8) / epsilon * math.log(4 * t**4) * terms / n

    def see(s, a, x):
        s[a] = mechanisms[a].insert(x, rng)

    return play_rounds(rng, means, horizon, index, see)


def dp_ucb(rng, means, horizon, epsilon, hybrid_split="half_log2"):
    mechanisms = [HybridMechanism(epsilon, hybrid_split) for _ in means]

    def see(s, a, x):
        s[:] = [each.insert(x * (b == a), rng) for b, each in enumerate(mechanisms)]

    return play_rounds(rng, means, horizon, ucb1, see)


def private_ucb(
    rng, means, horizon, epsilon, budget="split", relaxation=True, failure_prob="t^-4",
    planned_for="T",
):  # fmt: skip
    K, T = len(means), horizon if planned_for == "T" else 2 ** math.ceil(math.log2(horizon))
    eps0 = epsilon / K if budget == "split" else epsilon
    trees = [Tree(levels(T) / eps0) for _ in means]

    def see(s, a, x):
        s[a] = trees[a].insert(x, rng)

    def index(s, n, t):
        g = {"t^-4": t**-4, "T^-1": 1 / T}.get(failure_prob, failure_prob)
        G = math.log(T) ** 2 * math.log(K * T * math.log(T) / g) / eps0 if relaxation else 0.0
        return ucb1(s, n, t) + G / n

    return play_rounds(rng, means, horizon, index, see)


DELTA = math.exp(-10)


def update_counts(input_epsilon, v, schedule, limit):
    """W_1, W_2, ...: multiples of 1/epsilon, or by Lemma B.1, term by term."""
    if schedule == "simple":
        step = math.ceil(1 / input_epsilon)
        return list(range(step, limit + 1, step))
    exponent, counts, total = v if schedule == "series_y" else v / 2, [], 0.0
    for y in range(1, limit + 1):
        total += y**-exponent
        if total >= 1 / (input_epsilon * y**exponent):
            counts.append(y)
            total = 0.0
    return counts


def dp_ucb_int(
    rng, means, horizon, epsilon, delta=DELTA, v=1.1, schedule="series_y",
    bonus="refresh_at_update", **_,
):  # fmt: skip
    K, s, n, latest = len(means), [0.0] * len(means), [0] * len(means), [0] * len(means)
    root = (math.sqrt(math.log(1 / delta) + 4 * epsilon) - math.sqrt(math.log(1 / delta))) / 2
    # root^2 + root sqrt(ln 1/delta) = epsilon.
    updates = update_counts(root**2 / (2 * zeta(v)), v, schedule, horizon)
    private, x_hat, actions = [0.0] * K, [0.0] * K, []
    for t in range(1, horizon + 1):
        a = (t - 1) % K
        if updates and t > K * updates[0]:
            for b in range(K):
                at_update = n[b] in updates
                new = at_update and latest[b] < n[b]
                if new:
                    s[b] += rewards(rng, means[b], n[b] - latest[b])
                    private[b] = s[b] / n[b] + rng.laplace(0.0, n[b] ** (v / 2 - 1))
                    latest[b] = n[b]
                if new or bonus == "current_t" or (at_update and bonus == "refresh_at_update"):
                    x_hat[b] = private[b] + math.sqrt(2 * math.log(t) / latest[b])
            a = argmax(x_hat)
        n[a] += 1
        actions.append(a)
    return actions
