"""The algorithms of azize2022, from its pseudocode."""

import math

from plain.parts import (
    argmax,
    clip,
    kl_index,
    noise_of_sum,
    play_episodes,
    play_rounds,
    rewards,
)


def episodes_that_forget(rng, means, horizon, index, noise, clipped=False, length=None):
    """Algorithm 1: each episode doubles the pulls of its arm.

    The mean of its m rewards, with noise(m, before), replaces the mean of an earlier episode;
    `before` is the number of earlier pulls. index(mu, h, t): mu is a mean of h rewards.
    """
    K, pulls, h, mu = len(means), [0] * len(means), [0] * len(means), [0.0] * len(means)

    def choose(t):
        return t - 1 if t <= K else argmax([index(mu[b], h[b], t) for b in range(K)])

    def release(a, total, m):
        mu[a] = total / m + noise(m, pulls[a])
        if clipped and pulls[a]:
            mu[a] = clip(mu[a])
        h[a], pulls[a] = m, pulls[a] + m

    return play_episodes(
        rng, means, horizon, choose, length or (lambda a: max(pulls[a], 1)), release
    )


def noise_of_mean(rng, epsilon, noise):
    """The noise of the mean of m rewards."""
    return lambda m, before: noise_of_sum(rng, epsilon, noise) / m


def adap_ucb(rng, means, horizon, epsilon, alpha=3.1, noise="laplace"):
    def index(mu, h, t):
        """Eq. 7."""
        return mu + math.sqrt(alpha * math.log(t) / (2 * h)) + alpha * math.log(t) / (epsilon * h)

    return episodes_that_forget(rng, means, horizon, index, noise_of_mean(rng, epsilon, noise))


def adap_klucb(
    rng,
    means,
    horizon,
    epsilon,
    alpha=3.1,
    kl_bonus="alpha",
    kl_budget="alpha",
    eps_cap=math.inf,
    noise="laplace",
):
    def index(mu, h, t):
        """Eq. 8, of the mean with its bonus clipped to [0, 1]."""
        bonus = (alpha if kl_bonus == "alpha" else 1) * math.log(t) / (min(epsilon, eps_cap) * h)
        budget = alpha * math.log(t) / (h if kl_budget == "alpha" else 2 * h)
        return kl_index(clip(mu + bonus), budget)

    return episodes_that_forget(rng, means, horizon, index, noise_of_mean(rng, epsilon, noise))


def adac_ucb(rng, means, horizon, epsilon, delta=1e-8, beta=1.0):
    """Azize & Basu (2024)."""
    rho = (math.sqrt(math.log(1 / delta) + epsilon) - math.sqrt(math.log(1 / delta))) ** 2

    def index(mu, h, t):
        return mu + math.sqrt((1 / (2 * h) + 1 / (rho * h**2)) * beta * math.log(t))

    def noise(m, before):
        return math.sqrt(1 / (2 * rho * m**2)) * rng.standard_normal()

    return episodes_that_forget(rng, means, horizon, index, noise)


def kl_ucb(rng, means, horizon, alpha=3.1):
    def index(s, n, t):
        return kl_index(s / n, alpha * math.log(t) / n)

    return play_rounds(rng, means, horizon, index)


def dp_se(rng, means, horizon, epsilon, elimination="all", rounding="up"):
    beta = 1 / horizon
    S, e, actions = list(range(len(means))), 0, []
    while len(S) > 1 and len(actions) < horizon:
        e += 1
        D, size = 2**-e, len(S)
        statistical = 32 * math.log(8 * size * e**2 / beta) / D**2
        R = max(statistical, 8 * math.log(4 * size * e**2 / beta) / (epsilon * D)) + 1
        R = math.ceil(R) if rounding == "up" else math.floor(R)
        actions += S * min(R, horizon)
        if len(actions) > horizon:
            return actions[:horizon]
        mu = {a: rewards(rng, means[a], R) / R + rng.laplace(0.0, 1 / (epsilon * R)) for a in S}
        h = math.sqrt(math.log(8 * size * e**2 / beta) / (2 * R))
        c = math.log(4 * size * e**2 / beta) / (R * epsilon)
        best = max(mu.values())
        if elimination == "all":
            S = [a for a in S if best - mu[a] <= 2 * h + 2 * c]
        else:
            for a in S:  # deleting from the list that the loop walks
                if best - mu[a] > 2 * h + 2 * c:
                    S.remove(a)
    return actions + [S[0]] * (horizon - len(actions))
