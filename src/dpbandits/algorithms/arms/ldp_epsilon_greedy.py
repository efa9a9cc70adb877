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
nanoseconds = {"round": 25, "arm and round": 1}  # a logarithm and a report, and a search for the best arm


def play(rng, arms, horizon, journal, *, epsilon: Positive):
    """Play one run."""
    ldp_epsilon_greedy(rng, arms, horizon, journal, epsilon)


def audited(epsilon) -> AuditSettings:
    """Short games, and longer ones, whose number of pulls shows which arm is ahead although many rounds explore."""
    return AuditSettings((SHORT, Setting(2, 64, ("zeros",), (2,), told=1)), (GAINS,))


@kernel
def ldp_epsilon_greedy(rng, arms, horizon, journal, epsilon):
    """s: the sum of an arm's n reports; best: the first arm with the largest mean."""
    K = arms.means.size
    s, n, best = np.zeros(K), np.zeros(K, np.int64), 0
    t = 0
    while t < horizon:
        stop = min(horizon, next_checkpoint(journal))
        while t < stop:
            a = t
            if t >= K:
                explores = uniform(rng) ** 3 * (t + 1) < K * np.log(t + 1)
                a = int(K * uniform(rng)) if explores else best
            s[a] += pull(rng, arms, a) + laplace(rng, 1 / epsilon)
            n[a] += 1
            t += 1
            if t >= K:
                best = largest_mean(s, n)
        note(journal, t, n)


@step
def largest_mean(s, n):
    """The first arm with the largest mean."""
    best, most = 0, -np.inf
    for a in range(s.size):
        if s[a] / n[a] > most:
            best, most = a, s[a] / n[a]
    return best
