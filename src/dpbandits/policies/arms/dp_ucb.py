"""DP-UCB: Tossou & Dimitrakakis (2016), Algorithm 2.

It is DP-UCB-BOUND without the error bound in the index. Every mechanism receives an item in every
round: the reward for the played arm, and 0 for the others. So all streams have length t and the
same noise distribution.
"""

import math

import numpy as np

from dpbandits.kernels import kernel
from dpbandits.parameters import Positive
from dpbandits.policy import ArmsPolicy
from dpbandits.privacy.games import SHORT, AuditGames
from dpbandits.privacy.hybrid import Split, hybrid, hybrid_account, hybrid_noise, scales


class DPUCB(ArmsPolicy):
    """The index is s_hat_a/n_a + sqrt(2 ln t/n_a), with the true pull count n_a and not t."""

    epsilon: Positive
    hybrid_split: Split = "half_log2"

    def play(self, run):
        dp_ucb(run, *scales(self.hybrid_split, self.epsilon))

    def privacy(self, horizon, number_of_arms):
        """Every stream has `horizon` items; a reward is a non-zero item of one of them."""
        return hybrid_account(horizon, self.hybrid_split, self.epsilon)

    def audit_games(self):
        """Short games alone."""
        return AuditGames((SHORT,))


@kernel
def dp_ucb(run, total_scale, level_scale):
    """s: the sum of an arm's rewards; noise: of its mechanism."""
    K = run.K
    mechanism, s, noise = hybrid(K, total_scale, level_scale), np.zeros(K), np.zeros(K)
    one_over_n, width, releases = np.zeros(K), np.zeros(K), run.releases
    for t in range(1, run.end + 1):
        a = t - 1
        if t > K:
            c = math.sqrt(2 * math.log(t))
            a, best = 0, -np.inf
            for b in range(K):
                index = (s[b] + noise[b]) * one_over_n[b] + c * width[b]
                if index > best:
                    a, best = b, index
        s[a] += run.play(a)[0]
        one_over_n[a] = 1 / run.pulls[a]
        width[a] = math.sqrt(one_over_n[a])
        for b in range(K):
            noise[b] = hybrid_noise(releases, mechanism, b, s[b], t)
