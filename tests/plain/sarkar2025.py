"""The algorithms of sarkar2025, round by round, from the pseudocode."""

import math

from plain.azize2022 import episodes_that_forget
from plain.parts import (
    add,
    argmax,
    clip,
    noise_of_sum,
    play_episodes,
    play_rounds,
    reward,
    ucb1,
)


def uniform_arm(rng, K):
    return int(K * rng.random())


def ln(x):
    return math.log(x) if x > 1 else 1.0


def two_phases(rng, means, T, is_explored, index, report):
    """Random arms until is_explored(s, n, t) after t rounds, then the largest index(s_i, n_i).

    report(x, exploring): what the policy sees of a reward x.
    """
    K, actions, exploring = len(means), [], True
    s, n = [0.0] * K, [0] * K
    while len(actions) < T:
        exploring = exploring and not is_explored(s, n, len(actions))
        if exploring:
            a = uniform_arm(rng, K)
        else:
            a = argmax([index(s[i], n[i]) if n[i] else math.inf for i in range(K)])
        add(s, a, report(reward(rng, means[a]), exploring))
        n[a] += 1
        actions.append(a)
    return actions


def ncb(rng, means, T, c=3.0, theta=1.0, planned=1.0):
    L = math.log(planned * T)

    def index(s, n):
        return s / n + 2 * c * math.sqrt(2 * (s / n) * L / n)

    return two_phases(
        rng, means, T, lambda s, n, t: max(s) > theta * c**2 * L, index, lambda x, _: x
    )


def gdp_ncb(
    rng, means, T, epsilon, c=3.0, alpha=3.1, cap="sqrt", multiplier=1600.0, index_log="cap",
    beta="4", noise_log="log2", private_mean="none",
):  # fmt: skip
    K, actions, root = len(means), [], math.floor(math.sqrt(T)) + 1
    W, L = root if cap == "sqrt" else T, ln(root if index_log == "cap" else T)
    threshold = multiplier * (c**2 * ln(W) + ln(W) ** 2 / epsilon)
    noise = ln(T) if noise_log == "ln" else max(1.0, math.log2(T))
    b = (4 if beta == "4" else 2 * c) * math.sqrt(2 * alpha)
    N1, S1, N2, mu = [0] * K, [0.0] * K, [1] * K, [0.0] * K

    def release(a, total, m):
        mu[a] = clip((S1[a] + total + rng.laplace(0.0, noise / epsilon)) / (N1[a] + m))
        N2[a] = m or 1

    def seen(i):
        return N1[i] * mu[i] if private_mean == "in_test" else S1[i]

    while len(actions) < min(T, W) and max(map(seen, range(K))) <= threshold:
        a = uniform_arm(rng, K)
        S1[a] += reward(rng, means[a])
        N1[a] += 1
        actions.append(a)
        if private_mean == "in_test" and math.log2(N1[a]).is_integer():
            release(a, 0.0, 0)
    for a in range(K):
        if private_mean == "at_end" and N1[a]:
            release(a, 0.0, 0)

    def index(i):
        n = N1[i] + N2[i]
        bonus = alpha * L**2 / (epsilon * n) + b * L**1.5 / (math.sqrt(epsilon) * n)
        return mu[i] + 2 * c * math.sqrt(2 * mu[i] * L / n) + bonus

    def choose(t):
        return argmax([index(i) for i in range(K)])

    return play_episodes(rng, means, T, choose, lambda a: 2 * N2[a], release, actions)


def ldp_ncb(
    rng, means, T, epsilon, c=3.0, alpha=3.1, cap="sqrt", multiplier=1600.0, index_log="cap",
    phase1_noise="centred", leading_log="horizon",
):  # fmt: skip
    root = math.floor(math.sqrt(T)) + 1
    L = ln(root if leading_log == "cap" else T)
    W, ell = (root if cap == "sqrt" else T), ln(root if index_log == "cap" else T)

    def enough(s, n):
        if n == 0:
            return False
        mu = clip(s / n)
        d = max(mu - math.sqrt(8 * alpha * L / n) / epsilon, 1e-300)
        threshold = multiplier * (c**2 * L + L**2 / (epsilon**2 * d))
        return n * mu > threshold + math.sqrt(8 * n * alpha * L) / epsilon

    def index(s, n):
        mu = clip(s / n)
        private = math.sqrt(8 * alpha * L / n) / epsilon
        mixed = 4 * c * (2 * alpha) ** 0.25 * ell**0.75 / (math.sqrt(epsilon) * n**0.75)
        return mu + 2 * c * math.sqrt(2 * mu * L / n) + private + mixed

    def report(x, exploring):
        misplaced = exploring and phase1_noise == "misplaced"
        return x + (rng.laplace(1 / epsilon, 1.0) if misplaced else rng.laplace(0.0, 1 / epsilon))

    return two_phases(rng, means, T, lambda s, n, t: t > W or any(map(enough, s, n)), index, report)


def ldp_ucb(rng, means, T, epsilon, cut=lambda report: report):
    def index(s, n, t):
        if n <= 4 * math.log(t):
            return math.inf
        return ucb1(s, n, t) + math.sqrt(32 * math.log(t) / (epsilon**2 * n))

    def see(s, a, x):
        s[a] += cut(x + rng.laplace(0.0, 1 / epsilon))

    return play_rounds(rng, means, T, index, see)


def ldp_ucb_clipped(rng, means, T, epsilon):
    return ldp_ucb(rng, means, T, epsilon, clip)


def adap_ucb_as_drawn(rng, means, T, epsilon, alpha=3.1, noise="laplace"):
    K = len(means)
    h = [0] * K

    def index(mu, m, t):
        return mu + math.sqrt(alpha * math.log(t) / m) + 2 * alpha * math.log(t) / m

    def noise_of_mean(m, before):
        return noise_of_sum(rng, epsilon, noise) / m if before else 0.0

    def length(a):
        h[a] = max(2 * h[a], 1)
        return h[a]

    return episodes_that_forget(rng, means, T, index, noise_of_mean, True, length)


def anytime_ncb(rng, means, T, epsilon, game):
    actions, W = [], 1
    while len(actions) < T:
        if rng.random() < 1 / W**2:
            actions += [uniform_arm(rng, len(means)) for _ in range(min(W, T - len(actions)))]
        else:
            actions += {"gdp_ncb": gdp_ncb, "ldp_ncb": ldp_ncb}[game](rng, means, W, epsilon)
        W *= 2
    return actions[:T]
