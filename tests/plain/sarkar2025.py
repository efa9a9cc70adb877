"""The algorithms of sarkar2025 in plain Python, round by round, from the pseudocode. Slow on purpose.

`rng` is used in the order in which the kernels use it, so that both take the same actions from the same generator;
`one_by_one` draws every reward of an episode on its own instead, for tests of the law.
"""

import math

import numpy as np


def argmax(values):
    return max(range(len(values)), key=lambda i: (values[i], -i))


def uniform_arm(rng, K):
    return int(K * rng.random())


def reward(rng, mean):
    return 1.0 if rng.random() < mean else 0.0


def episode(rng, mean, m, one_by_one):
    return sum(reward(rng, mean) for _ in range(m)) if one_by_one else float(rng.binomial(m, mean))


def clip(x):
    return min(max(x, 0.0), 1.0)


def ln(x):
    return math.log(x) if x > 1 else 1.0


def ncb(rng, means, T, c=3.0, theta=1.0, planned=1.0):
    K, L, actions = len(means), math.log(planned * T), []
    n, s = [0] * K, [0.0] * K
    while len(actions) < T:
        if not exploring_done(s, theta * c**2 * L, actions):
            a = uniform_arm(rng, K)
        else:
            a = argmax(
                [s[i] / n[i] + 2 * c * math.sqrt(2 * (s[i] / n[i]) * L / n[i]) if n[i] else math.inf for i in range(K)]
            )
        s[a] += reward(rng, means[a])
        n[a] += 1
        actions.append(a)
    return actions


def exploring_done(s, threshold, actions):
    return max(s) > threshold


def gdp_ncb(
    rng, means, T, epsilon, c=3.0, alpha=3.1, cap="sqrt", multiplier=1600.0, index_log="cap", beta="4", noise_log="log2",
    private_mean="none", one_by_one=False, releases=None,
):  # fmt: skip
    K, actions = len(means), []
    root = math.floor(math.sqrt(T)) + 1
    W = root if cap == "sqrt" else T
    threshold = multiplier * (c**2 * ln(W) + ln(W) ** 2 / epsilon)
    L = ln(root) if index_log == "cap" else ln(T)
    noise = ln(T) if noise_log == "ln" else max(1.0, math.log2(T))
    b = (4 if beta == "4" else 2 * c) * math.sqrt(2 * alpha)
    N1, S1, mu = [0] * K, [0.0] * K, [0.0] * K

    def release(a, total, n, m):
        scale = noise / (epsilon * n)
        mu[a] = clip(total / n + rng.laplace(0.0, scale))
        if releases is not None and len(actions) < T:
            releases.append((a, n - m, m, scale))

    def seen(i):
        return N1[i] * mu[i] if private_mean == "in_test" else S1[i]

    while len(actions) < min(T, W) and max(seen(i) for i in range(K)) <= threshold:
        a = uniform_arm(rng, K)
        S1[a] += reward(rng, means[a])
        N1[a] += 1
        actions.append(a)
        if private_mean == "in_test" and math.log2(N1[a]).is_integer():
            release(a, S1[a], N1[a], 0)
    for a in range(K):
        if private_mean == "at_end" and N1[a]:
            release(a, S1[a], N1[a], 0)
    N2 = [1] * K
    while len(actions) < T:
        n = [N1[i] + N2[i] for i in range(K)]
        a = argmax([
            mu[i] + 2 * c * math.sqrt(2 * mu[i] * L / n[i]) + alpha * L**2 / (epsilon * n[i])
            + b * L**1.5 / (math.sqrt(epsilon) * n[i])
            for i in range(K)
        ])  # fmt: skip
        m = min(2 * N2[a], T - len(actions))
        S = episode(rng, means[a], m, one_by_one)
        actions += [a] * m
        release(a, S1[a] + S, N1[a] + m, m)
        N2[a] = m
    return actions


def ldp_ncb(
    rng, means, T, epsilon, c=3.0, alpha=3.1, cap="sqrt", multiplier=1600.0, index_log="cap", phase1_noise="centred",
    leading_log="horizon",
):  # fmt: skip
    K, actions = len(means), []
    root = math.floor(math.sqrt(T)) + 1
    L = ln(root if leading_log == "cap" else T)
    W, ell = (root if cap == "sqrt" else T), ln(root if index_log == "cap" else T)
    n, s = [0] * K, [0.0] * K

    def enough(i):
        if n[i] == 0:
            return False
        mu = clip(s[i] / n[i])
        d = max(mu - math.sqrt(8 * alpha * L / n[i]) / epsilon, 1e-300)
        return n[i] * mu > multiplier * (c**2 * L + L**2 / (epsilon**2 * d)) + math.sqrt(8 * n[i] * alpha * L) / epsilon

    def index(i):
        if n[i] == 0:
            return math.inf
        mu = clip(s[i] / n[i])
        return (
            mu + 2 * c * math.sqrt(2 * mu * L / n[i]) + math.sqrt(8 * alpha * L / n[i]) / epsilon
            + 4 * c * (2 * alpha) ** 0.25 * ell**0.75 / (math.sqrt(epsilon) * n[i] ** 0.75)
        )  # fmt: skip

    first = True
    while len(actions) < T:
        first = first and len(actions) <= W and not any(enough(i) for i in range(K))
        a = uniform_arm(rng, K) if first else argmax([index(i) for i in range(K)])
        r = reward(rng, means[a])
        s[a] += r + (
            rng.laplace(1 / epsilon, 1.0) if first and phase1_noise == "misplaced" else rng.laplace(0.0, 1 / epsilon)
        )
        n[a] += 1
        actions.append(a)
    return actions


def ldp_ucb(rng, means, T, epsilon, clipped=False):
    K, actions = len(means), []
    n, s = [0] * K, [0.0] * K
    for t in range(T):
        starved = [i for i in range(K) if t >= K and n[i] <= 4 * math.log(t + 1)]
        if t < K:
            a = t
        elif starved:
            a = starved[0]
        else:
            L = math.log(t + 1)
            a = argmax(
                [s[i] / n[i] + math.sqrt(2 * L / n[i]) + math.sqrt(32 * L / (epsilon**2 * n[i])) for i in range(K)]
            )
        r = reward(rng, means[a])
        x = r + rng.laplace(0.0, 1 / epsilon)
        s[a] += clip(x) if clipped else x
        n[a] += 1
        actions.append(a)
    return actions


def ldp_ucb_clipped(rng, means, T, epsilon):
    return ldp_ucb(rng, means, T, epsilon, clipped=True)


def adap_ucb_baseline(rng, means, T, epsilon, alpha=3.1, variant="eq7", one_by_one=False):
    K, drawn = len(means), variant == "as_drawn"
    actions, mu, h, N = [], [], [1] * K, [1] * K
    for a in range(K):
        mu.append(episode(rng, means[a], 1, one_by_one) + (0.0 if drawn else rng.laplace(0.0, 1 / epsilon)))
        actions.append(a)
    while len(actions) < T:
        L = alpha * math.log(len(actions) + 1)
        if drawn:
            a = argmax([mu[i] + math.sqrt(L / h[i]) + 2 * L / h[i] for i in range(K)])
            m = 2 * h[a]
        else:
            a = argmax([mu[i] + math.sqrt(L / (2 * h[i])) + L / (epsilon * h[i]) for i in range(K)])
            m = N[a]
        m = min(m, T - len(actions))
        private = episode(rng, means[a], m, one_by_one) / m + rng.laplace(0.0, 1 / (epsilon * m))
        mu[a] = clip(private) if drawn else private
        h[a] = m
        N[a] += m
        actions += [a] * m
    return actions


def anytime(inner):
    def play(rng, means, T, epsilon, **given):
        actions, W = [], 1
        while len(actions) < T:
            if rng.random() < 1 / W**2:
                actions += [uniform_arm(rng, len(means)) for _ in range(min(W, T - len(actions)))]
            else:
                actions += inner(rng, means, W, epsilon, **given)
            W *= 2
        return actions[:T]

    return play


anytime_gdp_ncb = anytime(gdp_ncb)
anytime_ldp_ncb = anytime(ldp_ncb)


def nash_regret(mu_of_actions, best):
    """The estimator of every round: mu* - the geometric mean over t of the mean over the runs, exactly."""
    m = np.mean(mu_of_actions, axis=0)
    return best - np.exp(np.cumsum(np.log(m)) / np.arange(1, len(m) + 1))
