"""UCB1, the non-private baseline. Auer, Cesa-Bianchi & Fischer (2002); tossou2016 section 2.1.

Play each arm once, then argmax_a s_a/n_a + sqrt(2 ln t / n_a).
"""

import math

import numpy as np

from dpbandits.algorithms.arms._leader import lead, window_end
from dpbandits.compiled import kernel
from dpbandits.environments.arms import note, pull


def play(rng, arms, horizon, journal):
    """One run."""
    ucb(rng, arms, horizon, journal)


def nanoseconds(horizon, number_of_arms):
    """Where the leader is rarely caught up with, most rounds look at one arm."""
    return 2 * number_of_arms * horizon


@kernel
def ucb(rng, arms, horizon, journal):
    """s: sum of an arm's rewards; pulls: how often it was played."""
    K = arms.means.size
    s, pulls = np.zeros(K), np.zeros(K, np.int64)
    mu_hat, width, slack = np.zeros(K), np.zeros(K), np.zeros(K)
    t = 0
    while t < horizon:
        if t < K:
            a, rival, c, end = t, np.inf, 0.0, t + 1
        else:
            end = window_end(t + 1, horizon)
            c = math.sqrt(2 * math.log(t + 1))
            a, rival = lead(mu_hat, width, slack, c, 0.0, math.sqrt(2 * math.log(end)), 0.0)
        leads = True
        while leads:
            t += 1
            s[a] += pull(rng, arms, a)
            pulls[a] += 1
            note(journal, t, pulls)
            mu_hat[a] = s[a] / pulls[a]
            width[a] = math.sqrt(1 / pulls[a])
            leads = t < end and mu_hat[a] + c * width[a] > rival
