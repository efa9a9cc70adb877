"""KL-UCB on randomised responses once more, in plain Python, written from its definition. Nothing is shared with the
package."""

import math

from plain.azize2022 import argmax, kl


def rr_kl_ucb(rng, means, horizon, epsilon, c=3.0, one_by_one=False):
    """`one_by_one`: a user tosses a coin of its own for the bit and another one for the answer, instead of a single
    one."""
    K, actions = len(means), []
    s, n = [0.0] * K, [0] * K

    def g(q):
        return (1 + q * (math.exp(epsilon) - 1)) / (1 + math.exp(epsilon))

    def index(b, budget):
        """By bisection over q, where n kl(mean of reports, g(q)) increases above that mean."""
        x = s[b] / n[b]
        if g(1) <= x or n[b] * kl(x, g(1)) < budget:
            return 1.0
        low, high = 0.0, 1.0
        for _ in range(40):
            q = (low + high) / 2
            low, high = (q, high) if g(q) <= x or n[b] * kl(x, g(q)) <= budget else (low, q)
        return round(low, 9)

    while len(actions) < horizon:
        t = len(actions) + 1
        a = t - 1
        if t > K:
            budget = math.log(t) + c * math.log(max(math.log(t), 1.0))
            a = argmax([index(b, budget) for b in range(K)])
        reward = 1.0 if rng.random() < means[a] else 0.0
        if one_by_one:
            bit = rng.random() < reward
            s[a] += bit if rng.random() < g(1) else not bit
        else:
            s[a] += 1.0 if rng.random() < g(reward) else 0.0
        n[a] += 1
        actions.append(a)
    return actions
