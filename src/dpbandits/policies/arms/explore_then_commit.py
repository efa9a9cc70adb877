"""Explore, then commit: the plainest policy for each kind of promise.

Slivkins, "Introduction to Multi-Armed Bandits" (2019), Algorithm 1.1, where only noisy means of the
exploration are released. Pull every arm m times in turn, release each arm's mean with noise, and
play the arm with the largest one for the rest of the game. With N = T/K, the source's m is N^(2/3)
(ln T)^(1/3): exploration then costs as much as sampling errors. Here m is the larger one of this
and of a number that does the same for the errors of the noise:

    laplace    each mean has Lap(1/(epsilon m)); m = sqrt(N ln T/epsilon)
    gaussian   each sum has N(0, s^2), s^2 = 1/(2 rho), with the largest rho whose concentrated
               privacy is (epsilon, delta)-privacy; m = sqrt(N s sqrt(2 ln T))
    local      every user reports reward + Lap(1/epsilon), whose variance is at most v =
               1 + 8/epsilon^2 times that of a fair coin; m = N^(2/3) (v ln T)^(1/3)
"""

import math
from typing import Literal

import numpy as np

from dpbandits.kernels import kernel
from dpbandits.parameters import Positive, Probability
from dpbandits.policy import ArmsPolicy
from dpbandits.privacy.ledger import GAUSSIAN, LAPLACE, Account, Ledger, rho_of


class ExploreThenCommit(ArmsPolicy):
    """Explore for K m rounds, then play one arm."""

    epsilon: Positive
    noise: Literal["laplace", "gaussian", "local"] = "laplace"
    delta: Probability = 1e-8  # of Gaussian noise

    @property
    def scale(self) -> float:
        """The scale of the noise of a sum or a report."""
        if self.noise == "gaussian":
            return 1 / math.sqrt(2 * rho_of(self.epsilon, self.delta))
        return 1 / self.epsilon

    def pulls_of_an_arm(self, horizon: int, number_of_arms: int) -> int:
        """m, at most T/K."""
        N, log_t = horizon / number_of_arms, math.log(horizon)
        for_noise = {
            "laplace": N * self.scale * log_t,
            "gaussian": N * self.scale * math.sqrt(2 * log_t),
            "local": 0.0,
        }[self.noise]
        variance = 1 + 8 / self.epsilon**2 if self.noise == "local" else 1.0
        wanted = max(N ** (2 / 3) * (variance * log_t) ** (1 / 3), math.sqrt(for_noise))
        return min(math.ceil(wanted), horizon // number_of_arms)

    def constants(self, horizon, number_of_arms):
        """noises: how many noises an arm's sum has: one for each report, otherwise one."""
        m, is_gaussian = self.pulls_of_an_arm(horizon, number_of_arms), self.noise == "gaussian"
        noises = m if self.noise == "local" else 1
        return {"m": m, "scale": self.scale, "is_gaussian": is_gaussian, "noises": noises}

    def report(self, releases, x):
        """Return what is released of a sum, or of a user's reward."""
        if self.is_gaussian:
            return releases.gaussian(x, self.scale)
        return releases.laplace(x, self.scale)

    def play(self, run):
        explore_then_commit(run, self.compiled(run.horizon, run.K))

    def reports(self, horizon, number_of_arms):
        """Users report in every round, if nobody is trusted with their rewards."""
        if self.noise != "local":
            return {}
        return {"any round": self.compiled(horizon, number_of_arms)}

    def privacy(self, horizon, number_of_arms):
        """Each of an arm's m rewards is in one released sum, or in its user's report."""
        m, trust = self.pulls_of_an_arm(horizon, number_of_arms), "central"
        if self.noise == "local":
            m, trust = 1, "local"
        law, delta = (GAUSSIAN, self.delta) if self.noise == "gaussian" else (LAPLACE, 0.0)
        ledger = Ledger().book(1, m, sensitivity=1.0, scale=self.scale, law=law)
        return Account(self.epsilon, delta, ledger, trust=trust)


@kernel
def explore_then_commit(run, policy):
    """released: the noisy means; ties: the first arm."""
    run.spend_in_turn(np.arange(run.K), policy.m)
    released = np.zeros(run.K)
    for a in range(run.K):
        total = run.collect(a)
        for _ in range(policy.noises):
            total = policy.report(run.releases, total)
        released[a] = total / policy.m
    run.spend(np.argmax(released), run.horizon)
