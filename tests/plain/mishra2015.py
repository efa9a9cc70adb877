"""The policies of mishra2015's Figure 1, from the paper's pseudocode.

It draws the thetas, then the reward, then the noise of the tree.
"""

import math

from plain.parts import Tree, argmax, levels, play_rounds, reward, rewards, ucb1


def tuned(r, n, t):
    return r / n + math.sqrt(max(r, 0.0) * math.log(t)) / n + math.log(t) / n


def ucb_tuned(rng, means, horizon):
    return play_rounds(rng, means, horizon, tuned)


def delayed_ucb_tuned(rng, means, horizon, delay=1):
    """Each arm once, then the largest index of the rewards that have arrived."""

    def choose(r, n, t):
        if t <= len(means):
            return t - 1
        return argmax([tuned(x, m, t) if m else math.inf for x, m in zip(r, n, strict=True)])

    return play_delayed(rng, means, horizon, delay, choose)


def play_delayed(rng, means, horizon, delay, choose):
    """Play choose(r, n, t): sums and numbers of the rewards that arrive after each `delay`."""
    r, n, actions, waiting = [0.0] * len(means), [0] * len(means), [], []
    while len(actions) < horizon:
        a = choose(r, n, len(actions) + 1)
        actions.append(a)
        waiting.append((a, reward(rng, means[a])))
        if len(actions) % delay == 0:
            for b, x in waiting:
                r[b], n[b] = r[b] + x, n[b] + 1
            waiting = []
    return actions


def delayed_thompson(rng, means, horizon, delay=1):
    return play_delayed(rng, means, horizon, delay, lambda r, n, t: largest_theta(rng, r, n))


def private_ucb_tuned(rng, means, horizon, epsilon, ucb_clip="unit", relax_c=0.0, ucb=tuned):
    scale = levels(horizon) / (epsilon / len(means))
    trees = [Tree(scale) for _ in means]

    def see(r, a, x):
        r[a] = trees[a].insert(x, rng)
        if ucb_clip == "unit":
            r[a] = min(max(r[a], 0.0), trees[a].items)

    def index(r, n, t):
        return ucb(r, n, t) + relax_c * scale / n

    return play_rounds(rng, means, horizon, index, see)


def private_ucb_clipped(*game, **parameters):
    return private_ucb_tuned(*game, **parameters, ucb=ucb1)


def largest_theta(rng, r, n):
    """The arm with the largest theta_a ~ Beta(r_a + 1, n_a - r_a + 1), r_a cut to [0, n_a]."""
    within = [(min(max(total, 0.0), m), m) for total, m in zip(r, n, strict=True)]
    return argmax([rng.beta(x + 1, m - x + 1) for x, m in within])


def play_thompson(rng, means, horizon, r, n, actions, see):
    """Play the largest theta; see(a, x) is the new r_a."""
    while len(actions) < horizon:
        a = largest_theta(rng, r, n)
        n[a] += 1
        r[a] = see(a, reward(rng, means[a]))
        actions.append(a)
    return actions


def thompson(rng, means, horizon):
    return delayed_thompson(rng, means, horizon)


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
