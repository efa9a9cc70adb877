"""Epsilon-greedy on noisy reports: a plain baseline with local privacy. Slivkins, "Introduction to Multi-Armed Bandits"
(2019), Algorithm 1.2, where every user reports reward + Lap(1/epsilon).

Pull each arm once. Then, in round t, pull an arm at random with probability (K ln t/t)^(1/3), or surely if that is above
1, and otherwise the arm whose reports have the largest mean. The probability is that of the source, for rewards without
noise: unlike ldp_explore_then_commit, it explores no more where reports are noisier.
"""

import numpy as np

from dpbandits.algorithms.arms._checks import one_pull_of_each
from dpbandits.algorithms.arms.ldp_explore_then_commit import privacy
from dpbandits.environments.arms import next_checkpoint, note, pull
from dpbandits.kernels.compiled import kernel, step
from dpbandits.kernels.sampling import laplace, uniform
from dpbandits.parameters import Positive
from dpbandits.privacy.releases import GAINS, SHORT, AuditSettings, Setting

__all__ = ["audited", "check", "nanoseconds", "play", "privacy"]
check = one_pull_of_each
nanoseconds = {"round": 14, "arm and round": 0.2}  # a report, and now and then a search for the best arm


def play(rng, arms, horizon, journal, *, epsilon: Positive):
    """Play one run."""
    ldp_epsilon_greedy(rng, arms, horizon, journal, epsilon)


def audited(epsilon) -> AuditSettings:
    """Short games, and longer ones, whose number of pulls shows which arm is ahead although many rounds explore."""
    return AuditSettings((SHORT, Setting(2, 64, ("zeros",), (2,), told=1)), (GAINS,))


@kernel
def ldp_epsilon_greedy(rng, arms, horizon, journal, epsilon):
    """s: the sum of an arm's n reports; best: the first arm with the largest mean; rival: the largest mean of the others."""
    K = arms.means.size
    s, n, mean, best, rival = np.zeros(K), np.zeros(K, np.int64), np.full(K, -np.inf), 0, -np.inf
    t = 0
    while t < horizon:
        stop = min(horizon, next_checkpoint(journal))
        most = K * np.log(stop)  # of K ln t, so that most rounds need no logarithm
        while t < stop:
            a = t
            if t >= K:
                drawn = uniform(rng) ** 3 * (t + 1)
                explores = drawn < most and drawn < K * np.log(t + 1)
                a = int(K * uniform(rng)) if explores else best
            s[a] += pull(rng, arms, a) + laplace(rng, 1 / epsilon)
            n[a] += 1
            t += 1
            mean[a] = s[a] / n[a]
            if a != best or mean[a] <= rival:
                best, rival = first_and_second(mean)
        note(journal, t, n)


@step
def first_and_second(mean):
    """The first arm with the largest mean, and the largest mean of any other arm."""
    best, most, second = 0, mean[0], -np.inf
    for a in range(1, mean.size):
        if mean[a] > most:
            best, most, second = a, mean[a], most
        elif mean[a] > second:
            second = mean[a]
    return best, second
