"""The algorithms of azize2022 once more, round by round in plain Python, written from the paper's pseudocode.

Nothing here is shared with the package. A twin draws an episode's rewards as one binomial number, as the kernels do, or
(`one_by_one`) as single rewards, which has the same law.
"""

import math


def kl(p, q):
    """Relative entropy of two Bernoulli laws, inside (0, 1) for q."""
    total = 0.0
    if p > 0:
        total += p * math.log(p / q) if q > 0 else math.inf
    if p < 1:
        total += (1 - p) * math.log((1 - p) / (1 - q)) if q < 1 else math.inf
    return total


def kl_index(x, budget):
    """Bisection below Pinsker's bound, 50 halvings or a width below 1e-12."""
    if x >= 1:
        return 1.0
    if x <= 0:
        return -math.expm1(-budget)
    low, high, halvings = x, min(1.0, x + math.sqrt(budget / 2)), 0
    while halvings < 50 and high - low >= 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if kl(x, middle) <= budget else (low, middle)
        halvings += 1
    return low


def argmax(values):
    """The first of the largest."""
    return values.index(max(values))


def rewards(rng, mean, m, one_by_one):
    return sum(rng.random() < mean for _ in range(m)) if one_by_one else int(rng.binomial(m, mean))


def _adaptive(rng, means, horizon, epsilon, index, init_noise, init_h, one_by_one):
    K, actions = len(means), []
    pulls, h, mu = [1] * K, [1.0 if init_h == "one" else 0.5] * K, []
    for a in range(K):
        mu.append(float(rewards(rng, means[a], 1, one_by_one)))
        if init_noise:
            mu[a] += rng.laplace(0.0, 1 / epsilon)
        actions.append(a)
    while len(actions) < horizon:
        t = len(actions) + 1
        a = argmax([index(mu[b], h[b], math.log(t)) for b in range(K)])
        m = min(pulls[a], horizon - len(actions))
        total = rewards(rng, means[a], m, one_by_one)
        mu[a] = total / m + rng.laplace(0.0, 1 / (epsilon * m))
        h[a] = m
        pulls[a] += m
        actions += [a] * m
    return actions


def adap_ucb_index(mu, h, log_t, epsilon, alpha):
    """Eq. 7: h samples in the mean, log_t the logarithm of the episode's first round."""
    return mu + math.sqrt(alpha * log_t / (2 * h)) + alpha * log_t / (epsilon * h)


def adap_klucb_index(mu, h, log_t, epsilon, alpha, kl_bonus="alpha", kl_budget="alpha", eps_cap=math.inf):
    """Eq. 8, of the mean with its bonus clipped to [0, 1]."""
    bonus = (alpha if kl_bonus == "alpha" else 1) * log_t / (min(epsilon, eps_cap) * h)
    budget = alpha * log_t / (h if kl_budget == "alpha" else 2 * h)
    return kl_index(min(max(mu + bonus, 0.0), 1.0), budget)


def adap_ucb(rng, means, horizon, epsilon, alpha, init_noise=True, init_h="one", one_by_one=False):
    def index(mu, h, log_t):
        return adap_ucb_index(mu, h, log_t, epsilon, alpha)

    return _adaptive(rng, means, horizon, epsilon, index, init_noise, init_h, one_by_one)


def adap_klucb(
    rng, means, horizon, epsilon, alpha, kl_bonus="alpha", kl_budget="alpha", eps_cap=math.inf, init_noise=True,
    init_h="one", one_by_one=False,
):  # fmt: skip
    def index(mu, h, log_t):
        return adap_klucb_index(mu, h, log_t, epsilon, alpha, kl_bonus, kl_budget, eps_cap)

    return _adaptive(rng, means, horizon, epsilon, index, init_noise, init_h, one_by_one)


def klucb_keeping_all(rng, means, horizon, epsilon, alpha):
    K, actions, pulls, s = len(means), [], [0] * len(means), [0.0] * len(means)
    while len(actions) < horizon:
        t = len(actions) + 1
        a = t - 1
        if t > K:
            L = alpha * math.log(t)
            a = argmax(
                [
                    kl_index(min(max(s[b] / pulls[b] + L / (epsilon * pulls[b]), 0.0), 1.0), L / pulls[b])
                    for b in range(K)
                ]
            )
        m = min(max(pulls[a], 1), horizon - len(actions))
        s[a] += rewards(rng, means[a], m, False) + rng.laplace(0.0, 1 / epsilon)
        pulls[a] += m
        actions += [a] * m
    return actions


def kl_ucb(rng, means, horizon, alpha):
    K, actions, pulls, s = len(means), [], [0] * len(means), [0.0] * len(means)
    for t in range(1, horizon + 1):
        a = t - 1 if t <= K else argmax([kl_index(s[b] / pulls[b], alpha * math.log(t) / pulls[b]) for b in range(K)])
        s[a] += 1.0 if rng.random() < means[a] else 0.0
        pulls[a] += 1
        actions.append(a)
    return actions


def dp_se(rng, means, horizon, epsilon, elimination="all", one_by_one=False):
    beta = 1 / horizon
    S, e, actions = list(range(len(means))), 0, []
    while len(S) > 1 and len(actions) < horizon:
        e += 1
        D, size = 2**-e, len(S)
        statistical = 32 * math.log(8 * size * e**2 / beta) / D**2
        R = math.floor(max(statistical, 8 * math.log(4 * size * e**2 / beta) / (epsilon * D))) + 1
        for _ in range(R):
            actions += S
        if len(actions) > horizon:
            return actions[:horizon]
        mu = {a: rewards(rng, means[a], R, one_by_one) / R + rng.laplace(0.0, 1 / (epsilon * R)) for a in S}
        h = math.sqrt(math.log(8 * size * e**2 / beta) / (2 * R))
        c = math.log(4 * size * e**2 / beta) / (R * epsilon)
        best = max(mu.values())
        if elimination == "all":
            S = [a for a in S if best - mu[a] <= 2 * h + 2 * c]
        else:
            for a in S:  # the slip itself: deleting from the list that the loop walks
                if best - mu[a] > 2 * h + 2 * c:
                    S.remove(a)
    return actions + [S[0]] * (horizon - len(actions))
