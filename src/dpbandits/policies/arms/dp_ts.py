"""DP-TS: Hu & Hegde (2022), Algorithm 1.

    pull each arm once; C_a: the reward with Lap(2/epsilon); n_a = 1 (O_a in the paper)
    in round t > K:
        x_a = m_a + 6 sqrt(8) log(n_a + 1) log t/(epsilon n_a), clipped to [0, 1]
        theta_a ~ Beta(x_a n_a + 1, (1 - x_a) n_a + 1), play the largest
        m_a = (C_a + B_a)/n_a: C_a has the rewards of whole epochs, B_a those since then

Epoch k of an arm has its rewards 2^k, ..., 2^(k+1) - 1. With the last one their sum is added to
C_a, with Lap(2/epsilon). B_a is the output of a binary mechanism with Lap(2k/epsilon) on each of
its k levels. So this is the hybrid mechanism (`privacy.hybrid`) of a stream whose first item is 0.
"""

import math

import numpy as np

from dpbandits.bandits.arms import next_checkpoint, note, pull
from dpbandits.drivers.posterior import CANDIDATES, arm_of_largest, observe, uniform_prior
from dpbandits.kernels import kernel, step
from dpbandits.parameters import Positive
from dpbandits.policies.arms.lazy_dp_ts import LN_BASE, Logarithm
from dpbandits.policy import ArmsPolicy
from dpbandits.privacy.hybrid import MAX_LEVELS, hybrid_account
from dpbandits.privacy.tree import tree_levels, tree_noise


class DPTS(ArmsPolicy):
    """Thompson sampling on an optimistic mean of all rewards of an arm."""

    epsilon: Positive
    log: Logarithm = "log2"

    def play(self, rng, arms, horizon, journal):
        bonus = 6 * math.sqrt(8) / LN_BASE[self.log] ** 2
        dp_ts(rng, arms, horizon, journal, self.epsilon, bonus, CANDIDATES)

    def privacy(self, horizon, number_of_arms):
        """A reward is in one sum of C and in the nodes of one tree, with epsilon/2 each."""
        return hybrid_account(horizon + 1, "half_log2", self.epsilon)


@step
def noise_of_sum(rng, a, s, n, noise_of_C, nodes, epsilon):
    """The noise of C_a + B_a after n rewards with the sum s."""
    k = tree_levels(n + 1) - 1
    in_B = n + 1 - (1 << k)
    if in_B == 0:
        noise_of_C[a] += rng.release_noise(2 / epsilon, a, 1 << (k - 1), n, s)
        return noise_of_C[a]
    return noise_of_C[a] + tree_noise(rng, in_B, nodes[a], 2 * k / epsilon, a, n, s)


@kernel
def dp_ts(rng, arms, horizon, journal, epsilon, bonus, max_share):
    """s: the sum of an arm's n rewards."""
    K = arms.means.size
    s, n, t, theta = np.zeros(K), np.zeros(K, np.int64), np.int64(0), uniform_prior(K, max_share)
    noise_of_C, nodes = np.zeros(K), np.zeros((K, MAX_LEVELS))
    while t < horizon:
        stop = next_checkpoint(journal)
        while t < stop:
            a = t if t < K else arm_of_largest(rng, theta, t)
            s[a] += pull(rng, arms, a)
            n[a] += 1
            t += 1
            total = s[a] + noise_of_sum(rng, a, s[a], n[a], noise_of_C, nodes, epsilon)
            theta.optimism[a] = bonus * math.log(n[a] + 1) / epsilon
            observe(theta, a, total, n[a], t)
        note(journal, t, n)
