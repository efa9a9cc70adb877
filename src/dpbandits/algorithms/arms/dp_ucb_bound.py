"""DP-UCB-BOUND: Tossou & Dimitrakakis (2016), Algorithm 1.

UCB on the counts of one hybrid mechanism an arm, with the mechanism's error bound (their eq. 2.2 at failure
probability t^-4) added to the index. Each mechanism has the whole budget: a reward enters one of them only.
"""

import math

import numpy as np

from dpbandits.algorithms.arms._leader import lead, window_end
from dpbandits.compiled import kernel
from dpbandits.environments.arms import note, pull
from dpbandits.parameters import Positive
from dpbandits.privacy.hybrid import Split, hybrid, hybrid_ledger, hybrid_noise
from dpbandits.privacy.ledger import Account


def play(
    rng,
    arms,
    horizon,
    journal,
    *,
    epsilon: Positive,
    hybrid_split: Split = "half_log2",
    power_of_two_rule: bool = True,
):
    """One run."""
    mechanism = hybrid(len(arms.means), hybrid_split, epsilon)
    dp_ucb_bound(rng, arms, horizon, journal, mechanism, epsilon, power_of_two_rule)


def privacy(horizon, number_of_arms, *, epsilon, hybrid_split="half_log2", power_of_two_rule=True) -> Account:
    """One arm's stream may hold every reward; the other arms' streams are disjoint from it."""
    return Account(epsilon, 0.0, hybrid_ledger(horizon, hybrid_split, epsilon))


@kernel
def dp_ucb_bound(rng, arms, horizon, journal, mechanism, epsilon, power_of_two_rule):
    """The index is s_hat_a/n_a + sqrt(2 ln t/n_a) + nu_a/n_a with nu_a = c_t factor(n_a), c_t = sqrt(8)/eps ln(4 t^4)."""
    K = arms.means.size
    s, pulls = np.zeros(K), np.zeros(K, np.int64)
    mu_hat, width, slack = np.zeros(K), np.zeros(K), np.zeros(K)
    t = 0
    while t < horizon:
        if t < K:
            a, rival, c, nu, end = t, np.inf, 0.0, 0.0, t + 1
        else:
            end = window_end(t + 1, horizon)
            c, nu = math.sqrt(2 * math.log(t + 1)), error_bound(t + 1, epsilon)
            a, rival = lead(mu_hat, width, slack, c, nu, math.sqrt(2 * math.log(end)), error_bound(end, epsilon))
        leads = True
        while leads:
            t += 1
            s[a] += pull(rng, arms, a)
            pulls[a] += 1
            note(journal, t, pulls)
            n = pulls[a]
            mu_hat[a] = (s[a] + hybrid_noise(rng, mechanism, a, n)) / n
            width[a] = math.sqrt(1 / n)
            slack[a] = (1.0 if power_of_two_rule and n & (n - 1) == 0 else math.log(n) + 1) / n
            leads = t < end and mu_hat[a] + c * width[a] + nu * slack[a] > rival


@kernel
def error_bound(t, epsilon):
    """c_t: the error that a count at a power of two exceeds with probability at most t^-4."""
    return math.sqrt(8) / epsilon * (math.log(4) + 4 * math.log(t))
