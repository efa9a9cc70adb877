"""GDP-NCB, Nash bounds under global privacy.

Sarkar, Pandey & Ray Chowdhury (2025), Algorithm 4.

    Phase I   play random arms until N1_i mu_i of some arm exceeds a threshold
              (`drivers.nash_phases`)
    Phase II  in episodes: play the arm with the largest index twice as often as in its last episode
              (2 at first) and release its mean, over Phase I and this episode alone, with Laplace
              noise

A reward of Phase I is in all releases of its arm's mean. With `none` and `at_end` these are at most
log2 T, so noise of scale log2 T/(epsilon n) is sufficient; ln T/(epsilon n), as in the authors'
code, is not. With `in_test` they are up to twice as many, which the ledger counts and the promise
does not allow. With `cap: none` and without `in_test` the end of Phase I depends on rewards without
noise: not private for any epsilon.

The authors' code is algorithms/GDPNCB.py in the repository NP-Hardest/DP-NCB, commit 4839751: ln T
in line 135, ln W and beta in lines 105 to 107, means of 0 in line 93. `private_mean` is that of
Phase I, which the paper names, too:

    none      as in the code: Phase II begins with means of 0
    at_end    the mean of each arm is released at the end of Phase I, and Phase II begins with it
    in_test   the mean of an arm is released whenever the number of its pulls has doubled, the test
              that ends Phase I reads it instead of the rewards, and Phase II begins with it
"""

import math
from typing import Literal

import numpy as np

from dpbandits.drivers.episodes import EpisodePolicy, play_episodes
from dpbandits.drivers.nash_phases import Cap, Log, cap_of, explore, log_by, log_of
from dpbandits.kernels import kernel, step
from dpbandits.parameters import Positive
from dpbandits.privacy.games import AuditGames, Setting
from dpbandits.privacy.ledger import Account, Ledger


class GDPNCB(EpisodePolicy):
    """I_i = mu + 2c sqrt(2 mu L/n) + alpha L^2/(epsilon n) + beta L^{3/2}/(sqrt(epsilon) n).

    beta is 4 sqrt(2 alpha) in the authors' code, 2c sqrt(2 alpha) by derivation.
    """

    epsilon: Positive
    c: Positive = 3.0
    alpha: Positive = 3.1  # the theory needs alpha > 3
    cap: Cap = "sqrt"
    multiplier: Positive = 1600.0
    index_log: Log = "cap"
    beta: Literal["2c", "4"] = "4"
    noise_log: Literal["log2", "ln"] = "log2"
    private_mean: Literal["none", "at_end", "in_test"] = "none"

    def constants(self, horizon, number_of_arms):
        """Those of a game that is planned for `horizon` rounds."""
        W, L = cap_of(horizon, self.cap), log_by(horizon, self.index_log)
        beta = (4.0 if self.beta == "4" else 2 * self.c) * math.sqrt(2 * self.alpha)
        log_2 = max(1.0, math.log2(horizon))
        return {
            "longest_phase1": W,
            "threshold": self.multiplier
            * (self.c * self.c * log_of(W) + log_of(W) ** 2 / self.epsilon),
            "c_term": 2 * self.c * math.sqrt(2 * L),
            "first_term": self.alpha * L**2 / self.epsilon,
            "second_term": beta * L**1.5 / math.sqrt(self.epsilon),
            "noise": log_of(horizon) if self.noise_log == "ln" else log_2,
            "releases_at_end": self.private_mean == "at_end",
            "tests_private_means": self.private_mean == "in_test",
        }

    def state(self, number_of_arms):
        return {
            "mu": np.zeros(number_of_arms),  # 0 before its first release
            "s": np.zeros(number_of_arms),  # the sums of the rewards of Phase I
            "N1": np.zeros(number_of_arms, np.int64),  # and their numbers
        }

    def report(self, releases, reward):
        return reward

    def explored(self, releases, a, s, n):
        """Whether N1_i mu_i exceeds the threshold; a mean is released after 1, 2, 4, ... pulls."""
        if not self.tests_private_means:
            return s > self.threshold
        if n & (n - 1) == 0:
            self.mu[a] = noisy_mean(releases, s, n, self.noise / self.epsilon)
        return n * self.mu[a] > self.threshold

    def index(self, mu, n, t):
        return mu + self.c_term * math.sqrt(mu / n) + (self.first_term + self.second_term) / n

    def length(self, a, h, n):
        """Twice as many rounds as the arm's last episode, N2 = h - N1."""
        return 2 * (h - self.N1[a])

    def update(self, releases, a, mu, h, total, m):
        n = self.N1[a] + m
        return noisy_mean(releases, self.s[a] + total, n, self.noise / self.epsilon), n

    def play(self, run):
        self.refuse_nan(play_phases(run, self.compiled(run.horizon, run.K)))

    def privacy(self, horizon, number_of_arms):
        """The account of an arm played in every episode.

        Item 1 is its rewards of Phase I, item 1 + j those of episode j. A release is the mean of n
        rewards: sensitivity 1/n and scale log2 T/(epsilon n), so the loss does not depend on n. The
        mean of an episode that ends after the last round is not released.
        """
        policy = self.compiled(horizon, number_of_arms)
        if not policy.tests_private_means and policy.longest_phase1 > policy.threshold:
            # A sum of W rewards can exceed it: the length of Phase I depends on them.
            return Account(self.epsilon, 0.0, None)
        in_phase1, episodes = most_releases(horizon, policy)
        scale, ledger = policy.noise / self.epsilon, Ledger()
        ledger.book(1, 1, sensitivity=1.0, scale=scale, times=in_phase1 + episodes)
        if episodes:
            ledger.book(2, 1 + episodes, sensitivity=1.0, scale=scale)
        return Account(self.epsilon, 0.0, ledger)

    def audit_games(self):
        """Games with some rounds after Phase I; no sum of W legal rewards reaches the threshold.

        Without a cap, a threshold ends Phase I. Short games reach it with a smaller constant, with
        which the threshold is 1.5.
        """
        games = Setting(2, 16, users=(1, 5, 7), observed_rounds=16)
        if self.cap == "none":
            L = math.log(6)
            changes = {"multiplier": 1.5 / (self.c**2 * L + L**2 / self.epsilon)}
            games = Setting(2, 6, ("ones", "zeros"), (1, 2), changes=changes)
        return AuditGames((games,), legal_rewards_only=True)


def most_releases(horizon: int, policy) -> tuple[int, int]:
    """The most releases that contain an arm's first reward: of Phase I, and of its episodes."""
    longest = policy.longest_phase1
    if not policy.tests_private_means:
        return int(policy.releases_at_end), max_releases(horizon - longest)
    ends = range(longest.bit_length())  # of Phase I, after 2^j rounds: just after a release
    return max(((j + 1, max_releases(horizon - (1 << j))) for j in ends), key=sum)


def max_releases(rounds: int) -> int:
    """The number of episodes of 2, 4, ... rounds that can end before the last round."""
    return max(0, (rounds + 1).bit_length() - 2)


@kernel
def play_phases(run, policy):
    """Play a whole game."""
    mu, s, N1, scale = policy.mu, policy.s, policy.N1, policy.noise / policy.epsilon
    explore(run, min(policy.longest_phase1, run.end), policy, s, N1)
    if policy.releases_at_end:
        for a in range(run.K):
            if N1[a] > 0:
                mu[a] = noisy_mean(run.releases, s[a], N1[a], scale)
    return play_episodes(run, policy, mu, N1 + 1)


@step
def noisy_mean(releases, s, n, scale):
    """The mean of n rewards whose sum is s, with noise on the sum, cut to [0, 1]."""
    return min(max(releases.laplace(s, scale) / n, 0.0), 1.0)
