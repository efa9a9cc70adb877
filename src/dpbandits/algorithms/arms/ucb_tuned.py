"""UCB with the tuned interval of Mishra & Thakurta (2015), section on experiments; not private.

Play each arm once, then argmax_a r_a/n_a + sqrt(r_a ln t)/n_a + ln t/n_a. This is the relative-entropy bound
r/n + sqrt(2 (r/n) w/n) + 2 w/n of Chapelle & Li (2011), whom the paper credits, with w = ln(t)/2.
"""

import math

import numpy as np

from dpbandits.algorithms.arms import private_ucb
from dpbandits.algorithms.arms._leader import lead, window_end
from dpbandits.compiled import kernel
from dpbandits.environments.arms import note, pull


def play(rng, arms, horizon, journal):
    """One run."""
    ucb_tuned(rng, arms, horizon, journal)


def check(horizon, number_of_arms):
    """Every arm is played once before an index is known."""
    private_ucb.check(horizon, number_of_arms)


def nanoseconds(horizon, number_of_arms, **_):
    """One arm is looked at while it leads."""
    return 15 * horizon


@kernel
def ucb_tuned(rng, arms, horizon, journal):
    """r: sum of an arm's rewards; n: how often it was played."""
    K = arms.means.size
    r, n = np.zeros(K), np.zeros(K, np.int64)
    mean, width, slack = np.zeros(K), np.zeros(K), np.zeros(K)
    t = 0
    while t < horizon:
        if t < K:
            a, rival, log_t, end = t, np.inf, 0.0, t + 1
        else:
            end = window_end(t + 1, horizon)
            log_t, log_end = math.log(t + 1), math.log(end)
            a, rival = lead(mean, width, slack, math.sqrt(log_t), log_t, math.sqrt(log_end), log_end)
        leads = True
        while leads:
            t += 1
            r[a] += pull(rng, arms, a)
            n[a] += 1
            note(journal, t, n)
            mean[a], width[a], slack[a] = r[a] / n[a], math.sqrt(r[a]) / n[a], 1 / n[a]
            leads = t < end and mean[a] + math.sqrt(log_t) * width[a] + log_t * slack[a] > rival
