"""GDP-NCB: Sarkar, Pandey & Ray Chowdhury (2025), Algorithm 4. The Nash confidence bound under global privacy.

    Phase I   play random arms until N1_i mu_i of some arm exceeds a threshold, or for W rounds
    Phase II  in episodes: play the arm with the largest index twice as often as in its last episode (2 at first) and
              release its mean, over Phase I and this episode alone, with Laplace noise; the rewards of the episode are
              not used again

A reward of Phase I is in all releases of its arm's mean, at most log2 T of them, so noise of scale log2 T/(epsilon n)
is sufficient, and ln T/(epsilon n), as in the authors' code, is not. With `cap: none` the end of Phase I depends on
rewards without noise: not private for any epsilon.
"""

import math
from typing import Literal, NamedTuple

import numpy as np

from dpbandits.algorithms.arms._index import index_rule, largest
from dpbandits.algorithms.arms._nash import Cap, Log, cap_of, explore, index_log_of, log_of
from dpbandits.compiled import kernel
from dpbandits.environments.arms import note_span, pull_many
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import Account, Ledger

NoiseLog = Literal["log2", "ln"]
Beta = Literal["2c", "4"]


@index_rule
class GDPNCB(NamedTuple):
    """The constants that follow from the parameters and the planned horizon."""

    epsilon: float
    cap: int  # W
    threshold: float
    c_term: float  # 2c sqrt(2 L)
    first_term: float  # alpha L^2/epsilon
    second_term: float  # beta L^{3/2}/sqrt(epsilon)
    noise: float  # log2 T

    def explored(self, s, n):
        return s > self.threshold

    def index(self, terms, growth):
        """mu + 2c sqrt(2 mu L/n) + alpha L^2/(epsilon n) + beta L^{3/2}/(sqrt(epsilon) n)."""
        mu, n = terms
        return mu + self.c_term * math.sqrt(mu / n) + (self.first_term + self.second_term) / n


def play(
    rng,
    arms,
    horizon,
    journal,
    *,
    epsilon: Positive,
    c: Positive = 3.0,
    alpha: Positive = 3.1,
    cap: Cap = "sqrt",
    multiplier: Positive = 1600.0,
    index_log: Log = "cap",
    beta: Beta = "4",
    noise_log: NoiseLog = "log2",
):
    """Play one run. The theory needs alpha > 3; beta is 4 sqrt(2 alpha) in their code, 2c sqrt(2 alpha) by derivation."""
    rule = plan(horizon, epsilon, c, alpha, cap, multiplier, index_log, beta, noise_log)
    gdp_ncb(rng, arms, 0, horizon, journal, np.zeros(len(arms.means), np.int64), rule)


def plan(
    horizon, epsilon, c=3.0, alpha=3.1, cap="sqrt", multiplier=1600.0, index_log="cap", beta="4", noise_log="log2"
):
    """The rule with the constants of a game of `horizon` rounds."""
    W, L = cap_of(horizon, cap), index_log_of(horizon, index_log)
    return GDPNCB(
        epsilon=epsilon,
        cap=W,
        threshold=multiplier * (c**2 * log_of(W) + log_of(W) ** 2 / epsilon),
        c_term=2 * c * math.sqrt(2 * L),
        first_term=alpha * L**2 / epsilon,
        second_term=(4.0 if beta == "4" else 2 * c) * math.sqrt(2 * alpha) * L**1.5 / math.sqrt(epsilon),
        noise=log_of(horizon) if noise_log == "ln" else max(1.0, math.log2(horizon)),
    )


def nanoseconds(horizon, number_of_arms, **_):
    """Some two dozen episodes per arm."""
    return 1000 * number_of_arms * horizon.bit_length()


def privacy(horizon, number_of_arms, *, epsilon, **given) -> Account:
    """The account of an arm played in every episode: item 1 is its rewards of Phase I, item 1 + j those of episode j.

    A release is the mean of n rewards: sensitivity 1/n and scale log2 T/(epsilon n), so the loss does not depend on n.
    The mean of an episode that ends after the last round is not released.
    """
    rule = plan(horizon, epsilon, **given)
    if rule.cap > rule.threshold:  # a sum of W rewards can exceed the threshold: the length of Phase I depends on them
        return Account(epsilon, 0.0, None)
    releases = max_releases(horizon - rule.cap)
    ledger = Ledger(1 + releases)
    for j in range(1, releases + 1):
        for item in (1, 1 + j):
            ledger.release(item, item, sensitivity=1.0, scale=rule.noise / epsilon)
    return Account(epsilon, 0.0, ledger)


def max_releases(rounds: int) -> int:
    """The number of episodes, of 2, 4, 8, ... rounds, that one arm can finish before the last round."""
    return max(0, (rounds + 1).bit_length() - 2)


@kernel
def gdp_ncb(rng, arms, start, rounds, journal, pulls, rule):
    """Play the rounds start+1..start+rounds; `pulls` includes earlier pulls. N2_i: length of the arm's last episode."""
    K, end = arms.means.size, start + rounds
    s, N1 = np.zeros(K), np.zeros(K, np.int64)
    t = explore(rng, arms, start, min(start + rule.cap, end), journal, rule, s, N1, pulls)
    N2 = np.ones(K, np.int64)
    terms = [(0.0, N1[a] + 1) for a in range(K)]
    while t < end:
        a = largest(rule, terms, 0.0, -1)[0]
        m = min(2 * N2[a], end - t)
        note_span(journal, t, m, pulls, a)
        n = N1[a] + m
        private = (s[a] + pull_many(rng, arms, a, m)) / n + rng.laplace(0.0, rule.noise / (rule.epsilon * n))
        terms[a] = min(max(private, 0.0), 1.0), n
        N2[a] = m
        pulls[a] += m
        t += m
