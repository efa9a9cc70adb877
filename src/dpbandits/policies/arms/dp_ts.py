"""DP-TS: Hu & Hegde (2022), Algorithm 1.

    pull each arm once; C_a: the reward with Lap(2/epsilon); n_a = 1 (O_a in the paper)
    in round t > K:
        x_a = m_a + 6 sqrt(8) log(n_a + 1) log t/(epsilon n_a), clipped to [0, 1]
        theta_a ~ Beta(x_a n_a + 1, (1 - x_a) n_a + 1), play the largest
        m_a = (C_a + B_a)/n_a: C_a has the rewards of whole epochs, B_a those since then

Epoch k of an arm has its rewards 2^k, ..., 2^(k+1) - 1. With the last one their sum is added to
C_a, with Lap(2/epsilon). B_a is the output of a binary mechanism with Lap(2k/epsilon) on each of
its k levels. So this is the hybrid mechanism (`privacy.hybrid`) of a stream whose first item is 0.

Line 17 invokes the mechanism with the rewards since the last epoch, and passes no state. The proof
of Theorem 1 needs one invocation an epoch, whose nodes keep their noise: Chan et al.'s Theorem 3.5
is about one stream. The drawn curves follow the line as printed, with an invocation at every pull,
whose noise is new (docs/readings/hu2022.md has the evidence).
"""

import math
from typing import Literal

from dpbandits.drivers.posterior import PosteriorPolicy, observe
from dpbandits.parameters import Positive
from dpbandits.policies.arms.lazy_dp_ts import LN_BASE, Logarithm
from dpbandits.privacy.hybrid import hybrid, hybrid_account, hybrid_noise, scales


class DPTS(PosteriorPolicy):
    """Thompson sampling on an optimistic mean of all rewards of an arm."""

    epsilon: Positive
    log: Logarithm = "log2"
    invoke: Literal["each_epoch", "each_pull"] = "each_epoch"

    def constants(self, horizon, number_of_arms):
        return {"bonus": 6 * math.sqrt(8) / LN_BASE[self.log] ** 2}

    def state(self, number_of_arms):
        scale, fresh = scales("half_log2", self.epsilon), self.invoke == "each_pull"
        return {"mechanism": hybrid(number_of_arms, *scale, 1, fresh)}

    def first_rounds(self, K):
        return K

    def learn(self, releases, theta, a, s, n, t):
        noise = hybrid_noise(releases, self.mechanism, a, s[a], n[a])
        theta.optimism[a] = self.bonus * math.log(n[a] + 1) / self.epsilon
        observe(theta, a, s[a] + noise, n[a], t)

    def privacy(self, horizon, number_of_arms):
        """A reward is in one sum of C and in the nodes of one tree, with epsilon/2 each.

        If the mechanism is invoked at every pull, it is in all further sums B of its epoch.
        """
        fresh = self.invoke == "each_pull"
        return hybrid_account(horizon + 1, "half_log2", self.epsilon, fresh)
