"""The policies of mishra2015's Figure 1, from the paper's pseudocode.

It draws the thetas, then the reward, then the noise of the tree.
"""

import math

from plain.parts import Sums, Tree, argmax, levels, play_rounds, reward, rewards


def tuned(r, n, t):
    return r / n + math.sqrt(max(r, 0.0) * math.log(t)) / n + math.log(t) / n


def ucb_tuned(rng, means, horizon):
    s = Sums(means)
    return play_rounds(rng, means, horizon, lambda b, n, t: tuned(s[b], n, t), s.see)


def delayed_ucb_tuned(rng, means, horizon, delay=1):
    """Each arm once, then the largest index of the rewards that have arrived."""
    K, actions, arrived = len(means), [], []

    def index(b, t):
        mine = [x for a, x in arrived if a == b]
        return tuned(sum(mine), len(mine), t) if mine else math.inf

    seen = []
    while len(actions) < horizon:
        t = len(actions) + 1
        a = t - 1 if t <= K else argmax([index(b, t) for b in range(K)])
        actions.append(a)
        seen.append((a, reward(rng, means[a])))
        if t % delay == 0:
            arrived = seen.copy()
    return actions


def delayed_thompson(rng, means, horizon, delay=1):
    r, n, actions, waiting = [0.0] * len(means), [0] * len(means), [], []
    while len(actions) < horizon:
        a = argmax([rng.beta(x + 1, count - x + 1) for x, count in zip(r, n, strict=True)])
        actions.append(a)
        waiting.append((a, reward(rng, means[a])))
        if len(actions) % delay == 0:
            for b, x in waiting:
                r[b], n[b] = r[b] + x, n[b] + 1
            waiting = []
    return actions


def ucb1(r, n, t):
    return r / n + math.sqrt(2 * math.log(t) / n)


def private_ucb_tuned(rng, means, horizon, epsilon, ucb_clip="unit", relax_c=0.0, ucb=tuned):
    scale = levels(horizon) / (epsilon / len(means))
    trees, r = [Tree(scale) for _ in means], Sums(means)

    def see(a, x):
        r[a] = trees[a].insert(x, rng)
        if ucb_clip == "unit":
            r[a] = min(max(r[a], 0.0), trees[a].items)

    def index(b, n, t):
        return ucb(r[b], n, t) + relax_c * scale / n

    return play_rounds(rng, means, horizon, index, see)


def private_ucb_clipped(*game, **parameters):
    return private_ucb_tuned(*game, **parameters, ucb=ucb1)


def play_thompson(rng, means, horizon, r, n, actions, see):
    """theta_a ~ Beta(r_a + 1, n_a - r_a + 1), play the largest; see(a, x) is the new r_a."""
    while len(actions) < horizon:
        within = [min(max(total, 0.0), count) for total, count in zip(r, n, strict=True)]
        a = argmax([rng.beta(x + 1, count - x + 1) for x, count in zip(within, n, strict=True)])
        n[a] += 1
        r[a] = see(a, reward(rng, means[a]))
        actions.append(a)
    return actions


def thompson(rng, means, horizon):
    r = Sums(means)
    return play_thompson(rng, means, horizon, r, [0] * len(means), [], lambda a, x: r[a] + x)


def thompson_on_trees(rng, means, horizon, pulls, m, scale):
    """Thompson sampling on noisy totals, after `pulls` pulls of each arm.

    The last m of these are the first leaf of the arm's tree.
    """
    actions = list(range(len(means))) * min(pulls, horizon)
    if len(actions) >= horizon:
        return actions[:horizon]
    trees = [Tree(scale) for _ in means]
    r = [trees[a].insert(rewards(rng, means[a], m), rng) if m else 0.0 for a in range(len(means))]
    return play_thompson(
        rng, means, horizon, r, [m] * len(means), actions, lambda a, x: trees[a].insert(x, rng)
    )


def private_thompson(rng, means, horizon, epsilon, explore_c=6.0, ts_budget="half"):
    scale = levels(horizon) / (epsilon / len(means) / (2 if ts_budget == "half" else 1))
    m = math.ceil(explore_c * scale)
    return thompson_on_trees(rng, means, horizon, m, m, scale)


def private_thompson_gap(rng, means, horizon, epsilon):
    K, T = len(means), horizon
    D, tau = 1.0, 0
    while True:
        m = math.ceil(192 * K * math.log(T) / (epsilon * D**2))
        scale = 2 * K / (epsilon * m)
        noisy = [rewards(rng, mean, m) / m + rng.laplace(0.0, scale) for mean in means]
        D, tau = D / 2, tau + K * m
        first, second = sorted(noisy)[:-3:-1]
        if first - second > D or tau >= T:
            break
    M = math.ceil(192 * math.log(T) ** 3 / epsilon / D**2)
    scale = levels(T - tau) * 2 * K / epsilon if tau < T else math.inf
    return thompson_on_trees(rng, means, T, tau // K + M, M, scale)
