"""KL-UCB without privacy: Garivier & Cappé (2011), with the exploration budget alpha ln t of azize2022.

The yardstick for what privacy, doubling and forgetting cost together.
"""

import math

import numpy as np

from dpbandits.algorithms.arms._adaptive_episodes import check_horizon, kl, kl_index
from dpbandits.algorithms.arms._leader import window_end
from dpbandits.compiled import kernel
from dpbandits.environments.arms import note, pull
from dpbandits.parameters import Positive


def play(rng, arms, horizon, journal, *, alpha: Positive):
    """One run."""
    kl_ucb(rng, arms, horizon, journal, alpha)


def check(horizon, number_of_arms, **_):
    """There must be room for the first pulls."""
    check_horizon(horizon, number_of_arms)


def nanoseconds(horizon, number_of_arms, **_):
    """An index is found by halving; after some hundred thousand rounds, most do without one."""
    return 20 * horizon + 20_000_000


@kernel
def kl_ucb(rng, arms, horizon, journal, alpha):
    """I_a = max{q : kl(s_a/n_a, q) <= alpha ln t/n_a}.

    While an arm leads only it is looked at, as in _leader: its index, with the budget of the window's start, is above a
    rival's of the window's end exactly when kl(its mean, that index) is below its budget, which needs no bisection. KL-UCB
    keeps all indices close to each other, so a window is as short as it takes the lead to last: twice the one before if
    that was led to its end, else half of it.
    """
    K = arms.means.size
    s, pulls = np.zeros(K), np.zeros(K, np.int64)
    t, span = 0, 1
    while t < horizon:
        if t < K:
            a, rival, budget, end = t, 1.0, 0.0, t + 1
        else:
            end = min(t + span, window_end(t + 1, horizon))
            budget = alpha * math.log(t + 1)
            a = largest(s, pulls, budget, -1)[0]
            rival = largest(s, pulls, alpha * math.log(end), a)[1]
        leads = True
        while leads:
            t += 1
            s[a] += pull(rng, arms, a)
            pulls[a] += 1
            note(journal, t, pulls)
            mu_hat = s[a] / pulls[a]
            leads = t < end and (mu_hat > rival or (rival < 1 and kl(mu_hat, rival) < budget / pulls[a]))
        span = min(2 * span, horizon) if t == end else max(span // 2, 1)


@kernel
def largest(s, pulls, budget, without):
    """The arm with the largest index, not counting one, and that index. A lower index is told without its bisection."""
    a, best = -1, -math.inf
    for b in range(pulls.size):
        mu_hat = s[b] / pulls[b]
        if b != without and (a < 0 or mu_hat > best or (best < 1 and kl(mu_hat, best) < budget / pulls[b])):
            index = kl_index(mu_hat, budget / pulls[b])
            if index > best:
                a, best = b, index
    return a, best
