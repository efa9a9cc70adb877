"""Epsilon-greedy on noisy reports: a plain baseline with local privacy.

Slivkins, "Introduction to Multi-Armed Bandits" (2019), Algorithm 1.2, where every user reports
reward + Lap(1/epsilon). Pull each arm once. Then, in round t, pull an arm at random with
probability (K ln t/t)^(1/3), or surely if that is above 1. Otherwise pull the arm whose reports
have the largest mean. The probability is that of the source, for rewards without noise: unlike the
local explore_then_commit, it explores no more where reports are noisier.
"""

import math

import numpy as np

from dpbandits.kernels import kernel
from dpbandits.parameters import Positive
from dpbandits.policy import ArmsPolicy
from dpbandits.privacy.games import SHORT, AuditGames, Setting
from dpbandits.privacy.reports import NoisyReports


class LDPEpsilonGreedy(NoisyReports, ArmsPolicy):
    """Explore at random with a falling probability."""

    epsilon: Positive

    def play(self, run):
        ldp_epsilon_greedy(run, self.compiled(run.horizon, run.K))

    def audit_games(self):
        """Games in which many rounds explore, but the last pull counts show the leader."""
        return AuditGames((SHORT, Setting(2, 64, ("zeros",), (2,), observed_rounds=1)))


@kernel
def ldp_epsilon_greedy(run, policy):
    """s: the sum of an arm's reports; mean: their mean; ties: the first arm."""
    K, rng, releases = run.K, run.rng, run.releases
    s, mean = np.zeros(K), np.full(K, -np.inf)
    for t in range(1, run.end + 1):
        a = t - 1
        if t > K:
            explores = rng.random() ** 3 * t < K * math.log(t)
            a = rng.integers(0, K) if explores else np.argmax(mean)
        s[a] += policy.report(releases, run.play(a)[0])
        mean[a] = s[a] / run.pulls[a]
