"""GDP-NCB: Sarkar, Pandey & Ray Chowdhury (2025), Algorithm 4. The Nash confidence bound under global privacy.

    Phase I   play random arms until N1_i mu_i of some arm exceeds a threshold (`_nash`)
    Phase II  in episodes: play the arm with the largest index twice as often as in its last episode (2 at first) and
              release its mean, over Phase I and this episode alone, with Laplace noise

A reward of Phase I is in all releases of its arm's mean, at most log2 T of them, so noise of scale log2 T/(epsilon n)
is sufficient; ln T/(epsilon n), as in the authors' code, is not. With `cap: none` the end of Phase I depends on rewards
without noise: not private for any epsilon.

The authors' code is algorithms/GDPNCB.py in the repository NP-Hardest/DP-NCB, commit 4839751: ln T in line 135, ln W and beta in
lines 105 to 107, means of 0 in line 93. `private_mean` is that of Phase I, which the paper names, too:

    none      as in the code: Phase II begins with means of 0
    at_end    the mean of each arm is released at the end of Phase I, and Phase II begins with it
    in_test   the mean of an arm is released whenever the number of its pulls has doubled, the test that ends Phase I
              reads it instead of the rewards, and Phase II begins with it
"""

import math
from typing import Literal, NamedTuple

import numpy as np

from dpbandits.drivers.episodes import episode_rule, play_episodes
from dpbandits.drivers.index import Tally
from dpbandits.drivers.nash_phases import Cap, Log, cap_of, explore, log_by, log_of
from dpbandits.kernels import kernel, step
from dpbandits.parameters import Positive, passes_to
from dpbandits.privacy.ledger import Account, Ledger
from dpbandits.random import laplace


@episode_rule
class GDPNCB(NamedTuple):
    """The constants that follow from the parameters and the planned horizon, and the state after Phase I."""

    epsilon: float
    phase1: int  # the most rounds of Phase I
    threshold: float
    c_term: float  # 2c sqrt(2 L)
    first_term: float  # alpha L^2/epsilon
    second_term: float  # beta L^{3/2}/sqrt(epsilon)
    noise: float  # log2 T
    releases_at_end: bool  # of Phase I
    tests_private_means: bool
    mu: np.ndarray  # of every arm, 0 before its first release
    s: np.ndarray  # the sums of the rewards of Phase I
    N1: np.ndarray  # and their numbers

    def report(self, rng, reward):
        return reward

    def explored(self, rng, a, s, n):
        """Whether N1_i mu_i exceeds the threshold; a private mean is released after 1, 2, 4, 8, ... pulls."""
        if not self.tests_private_means:
            return s > self.threshold
        if n & (n - 1) == 0:
            self.mu[a] = private_mean(rng, s, n, self.noise / self.epsilon)
        return n * self.mu[a] > self.threshold

    def index_at(self, mu, n, t):
        """mu + 2c sqrt(2 mu L/n) + alpha L^2/(epsilon n) + beta L^{3/2}/(sqrt(epsilon) n)."""
        return mu + self.c_term * math.sqrt(mu / n) + (self.first_term + self.second_term) / n

    def length(self, a, h, n):
        """Twice as many rounds as the arm's last episode, N2 = h - N1."""
        return 2 * (h - self.N1[a])

    def release(self, rng, a, mu, h, total, m):
        n = self.N1[a] + m
        return private_mean(rng, self.s[a] + total, n, self.noise / self.epsilon), n


def plan(
    horizon: int,
    number_of_arms: int,
    *,
    epsilon: Positive,
    c: Positive = 3.0,
    alpha: Positive = 3.1,
    cap: Cap = "sqrt",
    multiplier: Positive = 1600.0,
    index_log: Log = "cap",
    beta: Literal["2c", "4"] = "4",
    noise_log: Literal["log2", "ln"] = "log2",
    private_mean: Literal["none", "at_end", "in_test"] = "none",
) -> GDPNCB:
    """The constants of a game of `horizon` rounds.

    The theory needs alpha > 3; beta is 4 sqrt(2 alpha) in their code, 2c sqrt(2 alpha) by derivation.
    """
    W, L = cap_of(horizon, cap), log_by(horizon, index_log)
    return GDPNCB(
        epsilon=epsilon,
        phase1=W,
        threshold=multiplier * (c * c * log_of(W) + log_of(W) ** 2 / epsilon),
        c_term=2 * c * math.sqrt(2 * L),
        first_term=alpha * L**2 / epsilon,
        second_term=(4.0 if beta == "4" else 2 * c)
        * math.sqrt(2 * alpha)
        * L**1.5
        / math.sqrt(epsilon),
        noise=log_of(horizon) if noise_log == "ln" else max(1.0, math.log2(horizon)),
        releases_at_end=private_mean == "at_end",
        tests_private_means=private_mean == "in_test",
        mu=np.zeros(number_of_arms),
        s=np.zeros(number_of_arms),
        N1=np.zeros(number_of_arms, np.int64),
    )


@passes_to(plan)
def play(rng, arms, horizon, journal, **parameters):
    """Play one run."""
    K = len(arms.means)
    play_game(rng, arms, 0, horizon, journal, np.zeros(K, np.int64), plan(horizon, K, **parameters))


def privacy(horizon, number_of_arms, *, epsilon, **given) -> Account:
    """The account of an arm played in every episode: item 1 is its rewards of Phase I, item 1 + j those of episode j.

    A release is the mean of n rewards: sensitivity 1/n and scale log2 T/(epsilon n), so the loss does not depend on n.
    The mean of an episode that ends after the last round is not released.
    """
    rule = plan(horizon, number_of_arms, epsilon=epsilon, **given)
    if not rule.tests_private_means and rule.phase1 > rule.threshold:
        return Account(
            epsilon, 0.0, None
        )  # a sum of W rewards can exceed it: the length of Phase I depends on them
    in_phase1, episodes = most_releases(horizon, rule)
    ledger = Ledger()
    ledger.book(1, 1, sensitivity=1.0, scale=rule.noise / epsilon, times=in_phase1 + episodes)
    if episodes:
        ledger.book(2, 1 + episodes, sensitivity=1.0, scale=rule.noise / epsilon)
    return Account(epsilon, 0.0, ledger)


def most_releases(horizon: int, rule: GDPNCB) -> tuple[int, int]:
    """The releases that contain an arm's first reward, of Phase I and of its episodes, for the arm with the most of them."""
    if not rule.tests_private_means:
        return int(rule.releases_at_end), max_releases(horizon - rule.phase1)
    ends = [
        min((2 << j) - 1, rule.phase1) for j in range(rule.phase1.bit_length())
    ]  # just before another release
    starts = [1 << j for j in range(rule.phase1.bit_length())]  # just after it
    return max(((n.bit_length(), max_releases(horizon - n)) for n in (*starts, *ends)), key=sum)


def max_releases(rounds: int) -> int:
    """The number of episodes, of 2, 4, 8, ... rounds, that one arm can finish before the last round."""
    return max(0, (rounds + 1).bit_length() - 2)


@kernel
def play_game(rng, arms, start, rounds, journal, pulls, rule):
    """Play the rounds start+1..start+rounds; `pulls` includes earlier pulls."""
    end = start + rounds
    tally = Tally(rule.s, rule.N1, pulls)
    t = explore(rng, arms, start, min(start + rule.phase1, end), journal, rule, tally)
    if rule.releases_at_end:
        for a in range(pulls.size):
            if rule.N1[a] > 0:
                rule.mu[a] = private_mean(rng, rule.s[a], rule.N1[a], rule.noise / rule.epsilon)
    play_episodes(rng, arms, t, end, journal, rule, rule.mu, rule.N1 + 1, pulls)


@step
def private_mean(rng, s, n, scale):
    """The mean of n rewards whose sum is s, whose noise has this scale, cut to [0, 1]."""
    return min(max((s + laplace(rng, scale)) / n, 0.0), 1.0)
