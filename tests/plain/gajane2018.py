"""KL-UCB on randomised responses, from its definition."""

import math

from plain.parts import Sums, kl, play_rounds


def rr_kl_ucb(rng, means, horizon, epsilon, c=3.0):
    s = Sums(means)

    def g(q):
        return (1 + q * (math.exp(epsilon) - 1)) / (1 + math.exp(epsilon))

    def index(b, n, t):
        """By bisection over q, where n kl(mean of reports, g(q)) increases above that mean."""
        x, budget = s[b] / n, math.log(t) + c * math.log(max(math.log(t), 1.0))
        if g(1) <= x or n * kl(x, g(1)) < budget:
            return 1.0
        low, high = 0.0, 1.0
        for _ in range(40):
            q = (low + high) / 2
            low, high = (q, high) if g(q) <= x or n * kl(x, g(q)) <= budget else (low, q)
        return round(low, 9)

    return play_rounds(rng, means, horizon, index, lambda a, x: s.see(a, 1.0 if rng.random() < g(x) else 0.0))
