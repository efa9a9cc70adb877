"""The algorithms once more, slowly and in plain Python, written from the papers' pseudocode.

Nothing here is shared with the package. A twin draws from the generator in the order in which its pseudocode does
(the reward, then the noise), so a kernel fed with the same generator must choose the same arms. DP-UCB-INT's rewards are
drawn when they are released: as one binomial number, or (`one_by_one`) in their rounds, which has the same law.
"""

import math


class LogarithmMechanism:
    """Chan, Shi & Song: a running total that gets one more Laplace at every power of two."""

    def __init__(self, scale):
        self.scale, self.beta, self.n = scale, 0.0, 0

    def insert(self, x, rng):
        self.n += 1
        self.beta += x
        if math.log2(self.n).is_integer():
            self.beta += rng.laplace(0.0, self.scale)
            return True
        return False


class BinaryMechanism:
    """Chan, Shi & Song: partial sums alpha_i over 2^i items, each released with its own noise."""

    def __init__(self, levels, scale):
        self.alpha, self.noisy = [0.0] * (levels + 1), [0.0] * (levels + 1)
        self.scale, self.j = scale, 0

    def insert(self, x, rng):
        self.j += 1
        i = 0
        while (self.j >> i) % 2 == 0:
            i += 1
        self.alpha[i] = x + sum(self.alpha[:i])
        for lower in range(i):
            self.alpha[lower] = self.noisy[lower] = 0.0
        self.noisy[i] = self.alpha[i] + rng.laplace(0.0, self.scale)
        return sum(self.noisy[level] for level in range(len(self.noisy)) if (self.j >> level) % 2)


class HybridMechanism:
    """The logarithm mechanism at powers of two, a new binary mechanism in between."""

    def __init__(self, epsilon, split):
        if split == "half_log2":
            self.total_epsilon, self.tree_epsilon, self.log = epsilon / 2, epsilon / 2, math.log2
        elif split == "full_log2":
            self.total_epsilon, self.tree_epsilon, self.log = epsilon, epsilon, math.log2
        else:
            self.total_epsilon, self.tree_epsilon, self.log = epsilon, epsilon, math.log
        self.total, self.tree, self.n, self.released = (
            LogarithmMechanism(1 / self.total_epsilon),
            None,
            0,
            0.0,
        )

    def insert(self, x, rng):
        self.n += 1
        if self.total.insert(x, rng):
            self.base = self.released = self.total.beta
            levels = int(math.log2(self.n))
            self.tree = BinaryMechanism(levels, self.log(2**levels) / self.tree_epsilon) if levels else None
        else:
            self.released = self.base + self.tree.insert(x, rng)
        return self.released


def reward(rng, mean):
    return 1.0 if rng.random() < mean else 0.0


def argmax(values):
    return max(range(len(values)), key=lambda a: (values[a], -a))


def ucb(rng, means, horizon):
    arms, s, n, actions = range(len(means)), [0.0] * len(means), [0] * len(means), []
    for t in range(1, horizon + 1):
        if t <= len(means):
            a = t - 1
        else:
            a = argmax([s[b] / n[b] + math.sqrt(2 * math.log(t) / n[b]) for b in arms])
        s[a] += reward(rng, means[a])
        n[a] += 1
        actions.append(a)
    return actions


def dp_ucb_bound(rng, means, horizon, epsilon, hybrid_split="half_log2", power_of_two_rule=True):
    arms, n, actions = range(len(means)), [0] * len(means), []
    mechanisms = [HybridMechanism(epsilon, hybrid_split) for _ in means]
    for t in range(1, horizon + 1):
        if t <= len(means):
            a = t - 1
        else:
            c = math.sqrt(8) / epsilon * math.log(4 * t**4)
            nu = [c if power_of_two_rule and math.log2(n[b]).is_integer() else c * (math.log(n[b]) + 1) for b in arms]
            a = argmax([mechanisms[b].released / n[b] + math.sqrt(2 * math.log(t) / n[b]) + nu[b] / n[b] for b in arms])
        x = reward(rng, means[a])
        n[a] += 1
        mechanisms[a].insert(x, rng)
        actions.append(a)
    return actions


def dp_ucb(rng, means, horizon, epsilon, hybrid_split="half_log2"):
    arms, n, actions = range(len(means)), [0] * len(means), []
    mechanisms = [HybridMechanism(epsilon, hybrid_split) for _ in means]
    for t in range(1, horizon + 1):
        if t <= len(means):
            a = t - 1
        else:
            a = argmax([mechanisms[b].released / n[b] + math.sqrt(2 * math.log(t) / n[b]) for b in arms])
        x = reward(rng, means[a])
        n[a] += 1
        for b in arms:
            mechanisms[b].insert(x if b == a else 0.0, rng)
        actions.append(a)
    return actions


def private_ucb(rng, means, horizon, epsilon, budget="split", relaxation=True, failure_prob="t^-4"):
    K, arms, n, actions = len(means), range(len(means)), [0] * len(means), []
    eps0 = epsilon / K if budget == "split" else epsilon
    levels = math.floor(math.log2(horizon)) + 1
    trees, released = [BinaryMechanism(levels, levels / eps0) for _ in arms], [0.0] * K
    for t in range(1, horizon + 1):
        if t <= K:
            a = t - 1
        else:
            g = t**-4 if failure_prob == "t^-4" else horizon**-4
            G = math.log(horizon) ** 2 * math.log(K * horizon * math.log(horizon) / g) / eps0 if relaxation else 0.0
            a = argmax([released[b] / n[b] + math.sqrt(2 * math.log(t) / n[b]) + G / n[b] for b in arms])
        x = reward(rng, means[a])
        n[a] += 1
        released[a] = trees[a].insert(x, rng)
        actions.append(a)
    return actions


def interval_counts(epsilon, exponent, limit):
    """W_1, W_2, ... by Lemma B.1, term by term."""
    counts, previous = [], 0
    while True:
        y, total = previous + 1, (previous + 1) ** -exponent
        while y <= limit and total < 1 / (epsilon * y**exponent):
            y += 1
            total += y**-exponent
        if y > limit:
            return counts
        counts.append(y)
        previous = y


def dp_ucb_int(
    rng, means, horizon, input_epsilon, v, schedule="series_y", redraw_noise=False, bonus="refresh_at_update",
    one_by_one=False,
):  # fmt: skip
    K, arms, s, n, actions = len(means), range(len(means)), [0.0] * len(means), [0] * len(means), []
    if schedule == "simple":
        step = math.ceil(1 / input_epsilon)
        updates = list(range(step, horizon + 1, step))
    else:
        updates = interval_counts(input_epsilon, v if schedule == "series_y" else v / 2, horizon)
    drawn, x_hat, latest = {}, [0.0] * K, [0] * K
    for t in range(1, horizon + 1):
        if not updates or t <= K * updates[0]:
            a = (t - 1) % K
        else:
            for b in arms:
                at_update = n[b] in updates
                new = at_update and (b, n[b]) not in drawn
                if new and not one_by_one:
                    s[b] += float(rng.binomial(n[b] - latest[b], means[b]))
                if new or (at_update and redraw_noise):
                    drawn[b, n[b]] = s[b] / n[b] + rng.laplace(0.0, n[b] ** (v / 2 - 1))
                    latest[b] = n[b]
                if new or bonus == "current_t" or (at_update and bonus == "refresh_at_update"):
                    x_hat[b] = drawn[b, latest[b]] + math.sqrt(2 * math.log(t) / latest[b])
            a = argmax(x_hat)
        if one_by_one:
            s[a] += reward(rng, means[a])
        n[a] += 1
        actions.append(a)
    return actions
