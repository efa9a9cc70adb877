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

from dpbandits.drivers.posterior import PosteriorPolicy, observe
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import released_once

Logarithm = Literal["log2", "ln"]
LN_BASE = {"log2": math.log(2), "ln": 1.0}


class LazyDPTS(PosteriorPolicy):
    """Thompson sampling on an optimistic mean of an arm's last epoch."""

    epsilon: Positive
    log: Logarithm = "log2"
    first_pulls: bool = True  # without them an arm has Beta(1, 1) up to the end of its first epoch

    def constants(self, horizon, number_of_arms):
        return {"optimism": 3 / (LN_BASE[self.log] * self.epsilon)}

    def state(self, number_of_arms):
        """h: the rewards in an arm's last release; k: those since then, whose sum is psi."""
        h, k = np.zeros((2, number_of_arms), np.int64)
        return {"h": h, "k": k}

    def begin(self, run, theta, psi):
        theta.optimism[:] = self.optimism

    def first_rounds(self, K):
        return K if self.first_pulls else 0

    def learn(self, releases, theta, a, psi, n, t):
        h, k = self.h, self.k
        k[a] += 1
        if t <= self.first_rounds(n.size) or k[a] == max(2 * h[a], 2):
            h[a] = k[a]
            observe(theta, a, releases.laplace(psi[a], 1 / self.epsilon), h[a], t)
            psi[a], k[a] = 0.0, 0

    def privacy(self, horizon, number_of_arms):
        """Every reward is released once, with its epoch."""
        return released_once(self.epsilon, horizon)
