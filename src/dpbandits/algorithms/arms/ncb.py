"""NCB, the Nash confidence bound, without privacy. Barman, Khan, Maiti & Sawarni, "Fairness and Welfare Quantification for
Regret in Multi-Armed Bandits" (2023); the baseline of Sarkar et al. (2025).

    Phase I   an arm at random, until n_i mu_i of some arm exceeds theta c^2 ln T
    Phase II  argmax_i mu_i + 2c sqrt(2 mu_i ln T/n_i)

theta = 420 in the paper that it is from; what was run for the figures has theta = 1.
"""

import math

import numpy as np

from dpbandits.algorithms.arms._at_rest import first_and_second, uniform_arm
from dpbandits.compiled import kernel
from dpbandits.environments.arms import note, pull
from dpbandits.parameters import Positive


def play(rng, arms, horizon, journal, *, c: Positive = 3.0, theta: Positive = 1.0):
    """One run."""
    L = math.log(horizon)
    ncb(rng, arms, horizon, journal, theta * c**2 * L, 2 * c * math.sqrt(2 * L))


def nanoseconds(horizon, number_of_arms, **_):
    """One arm is looked at while it leads, and leads grow longer."""
    return 5 * horizon + 60_000_000


@kernel
def ncb(rng, arms, horizon, journal, threshold, bonus):
    """s_i = n_i mu_i; bonus = 2c sqrt(2 ln T)."""
    K = arms.means.size
    s, pulls = np.zeros(K), np.zeros(K, np.int64)
    t, most = 0, 0.0
    while t < horizon and most <= threshold:
        t += 1
        a = uniform_arm(rng, K)
        s[a] += pull(rng, arms, a)
        pulls[a] += 1
        note(journal, t, pulls)
        most = max(most, s[a])
    index = np.array([ncb_index(s[a], pulls[a], bonus) for a in range(K)])
    while t < horizon:
        a, rival, b = first_and_second(index)
        leads = True
        while leads:
            t += 1
            s[a] += pull(rng, arms, a)
            pulls[a] += 1
            note(journal, t, pulls)
            index[a] = ncb_index(s[a], pulls[a], bonus)
            leads = t < horizon and (index[a] > rival or (index[a] == rival and a < b))


@kernel
def ncb_index(s, n, bonus):
    """mu + 2c sqrt(2 mu L/n), with s = n mu, as (s + 2c sqrt(2 L s))/n; an arm that was never played comes first."""
    return (s + bonus * math.sqrt(s)) / n if n > 0 else np.inf
