"""Parts of plain twins: rounds, episodes, and the binary mechanism, as papers define them.

Nothing in tests/plain is shared with the package. A twin draws its random numbers in the order of
its pseudocode: the reward, then the noise. Rewards of 0 and 1 that an episode adds up are one
binomial number.
"""

import math


def argmax(values):
    """The first of the largest."""
    return values.index(max(values))


def clip(x):
    return min(max(x, 0.0), 1.0)


def reward(rng, arm):
    """An arm is the mean of rewards of 0 and 1, or a function that draws one reward."""
    if callable(arm):
        return arm(rng)
    return 1.0 if rng.random() < arm else 0.0


def rewards(rng, arm, m):
    """The sum of m rewards."""
    return sum(arm(rng) for _ in range(m)) if callable(arm) else float(rng.binomial(m, arm))


def noise_of_sum(rng, epsilon, noise):
    """The noise of the sum of an episode."""
    return (
        rng.laplace(0.0, 1 / epsilon) if noise == "laplace" else rng.discrete_laplace(1 / epsilon)
    )


def bisect(holds, low, high, steps=40):
    """The last number from low, where a condition holds, to high, where it does not."""
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def kl(p, q):
    """Relative entropy of two Bernoulli distributions."""
    total = 0.0
    if p > 0:
        total += p * math.log(p / q) if q > 0 else math.inf
    if p < 1:
        total += (1 - p) * math.log((1 - p) / (1 - q)) if q < 1 else math.inf
    return total


def kl_index(x, budget):
    """The largest number q below 1 with kl(x, q) <= budget, by bisection of ln(1 - q)."""
    if x >= 1:
        return 1.0
    if x <= 0:
        return -math.expm1(-budget)
    entropy = x * math.log(x) + (1 - x) * math.log1p(-x)

    def is_within(log):
        return entropy - x * math.log1p(-math.exp(log)) - (1 - x) * log <= budget

    # From q = x to a bound by the second term of kl alone.
    log = bisect(is_within, math.log1p(-x), math.log1p(-x) - budget / (1 - x) - 1, 90)
    return min(-math.expm1(log), 1 - 2**-53)


def ucb1(s, n, t):
    """UCB1's index of an arm whose n rewards have the sum s."""
    return s / n + math.sqrt(2 * math.log(t) / n)


def add(s, a, x):
    s[a] += x


def play_rounds(rng, means, horizon, index, see=add):
    """Each arm once, then in round t the arm with the largest index(s_b, n_b, t).

    see(s, a, x): arm a has paid x. By default s has the sums of all arms.
    """
    K = len(means)
    n, s, actions = [0] * K, [0.0] * K, []
    for t in range(1, horizon + 1):
        a = t - 1 if t <= K else argmax([index(s[b], n[b], t) for b in range(K)])
        n[a] += 1
        see(s, a, reward(rng, means[a]))
        actions.append(a)
    return actions


def play_episodes(rng, means, horizon, choose, length, release, actions=()):
    """Until the horizon, play the arm a = choose(t) of the next round t for length(a) rounds.

    Then release(a, their total, their number).
    """
    actions = list(actions)
    while len(actions) < horizon:
        a = choose(len(actions) + 1)
        m = min(length(a), horizon - len(actions))
        actions += [a] * m
        release(a, rewards(rng, means[a], m), m)
    return actions


def levels(leaves):
    return math.floor(math.log2(leaves)) + 1


class Tree:
    """The binary mechanism of Chan, Shi & Song, which keeps its nodes.

    A node of level i covers 2^i items, and has its own noise.
    """

    def __init__(self, scale):
        self.scale, self.items, self.nodes = scale, 0, {}

    def insert(self, x, rng):
        """The noisy sum of all items so far."""
        self.items += 1
        level = 0
        while self.items % 2 ** (level + 1) == 0:
            level += 1
        covered = x + sum(exact for i, (exact, _) in self.nodes.items() if i < level)
        self.nodes = {i: node for i, node in self.nodes.items() if i > level}
        self.nodes[level] = (covered, covered + rng.laplace(0.0, self.scale))
        return sum(noisy for _, noisy in self.nodes.values())
