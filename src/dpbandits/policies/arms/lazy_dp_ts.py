"""Lazy-DP-TS: Hu & Hegde (2022), Algorithm 2.

    pull each arm once; m_a: the reward with Lap(1/epsilon); h_a = 1 (O_a in the paper)
    in round t > K:
        x_a = m_a + 3 log t/(epsilon h_a), clipped to [0, 1]
        theta_a ~ Beta(x_a h_a + 1, (1 - x_a) h_a + 1), play the largest
        an arm with 2, 4, 8, ... rewards since its last release: h_a is their number,
        m_a = (their sum + Lap(1/epsilon))/h_a

The paper's logarithm has base 2 (section 3). Its figures have the natural one, and they count no
pulls before an arm's epoch of two (docs/readings/hu2022.md has the evidence).
"""

import math
from typing import Literal

import numpy as np

from dpbandits.bandits.arms import next_checkpoint, note, pull
from dpbandits.drivers.posterior import CANDIDATES, arm_of_largest, observe, uniform_prior
from dpbandits.kernels import kernel
from dpbandits.parameters import Positive
from dpbandits.policy import ArmsPolicy
from dpbandits.privacy.ledger import released_once

Logarithm = Literal["log2", "ln"]
LN_BASE = {"log2": math.log(2), "ln": 1.0}


class LazyDPTS(ArmsPolicy):
    """Thompson sampling on an optimistic mean of an arm's last epoch."""

    epsilon: Positive
    log: Logarithm = "log2"
    first_pulls: bool = True  # without them an arm has Beta(1, 1) up to the end of its first epoch

    def play(self, rng, arms, horizon, journal):
        forced = len(arms.means) if self.first_pulls else 0
        optimism = 3 / (LN_BASE[self.log] * self.epsilon)
        lazy_dp_ts(rng, arms, horizon, journal, self.epsilon, optimism, forced, CANDIDATES)

    def privacy(self, horizon, number_of_arms):
        """Every reward is released once, with its epoch."""
        return released_once(self.epsilon, horizon)


@kernel
def lazy_dp_ts(rng, arms, horizon, journal, epsilon, optimism, forced, max_share):
    """psi: the sum of an arm's k rewards since its last release, of h rewards; n: all its pulls."""
    K = arms.means.size
    n, h, k = np.zeros(K, np.int64), np.zeros(K, np.int64), np.zeros(K, np.int64)
    psi, t, theta = np.zeros(K), np.int64(0), uniform_prior(K, max_share)
    theta.optimism[:] = optimism
    while t < horizon:
        stop = next_checkpoint(journal)
        while t < stop:
            a = t if t < forced else arm_of_largest(rng, theta, t)
            psi[a] += pull(rng, arms, a)
            k[a] += 1
            n[a] += 1
            t += 1
            if t <= forced or k[a] == max(2 * h[a], 2):
                h[a] = k[a]
                observe(theta, a, rng.release(psi[a], 1 / epsilon), h[a], t)
                psi[a], k[a] = 0.0, 0
        note(journal, t, n)
