"""GDP-NCB: Sarkar, Pandey & Ray Chowdhury (2025), Algorithm 4. The Nash confidence bound under global privacy.

    Phase I   play random arms until N1_i mu_i of some arm exceeds a threshold, or for W rounds
    Phase II  in episodes: play the arm with the largest index twice as often as in its last episode (2 at first) and
              release its mean, over Phase I and this episode alone, with Laplace noise; the rewards of the episode are
              not used again

A reward of Phase I is in all releases of its arm's mean, at most log2 T of them, so noise of scale log2 T/(epsilon n)
is sufficient, and ln T/(epsilon n), as in the authors' code, is not covered. With `cap: none` the end of Phase I depends
on rewards without noise: not private for any epsilon.

The paper also names a private mean of Phase I, which the authors' code does not have (`private_mean`):

    none      as in the code: Phase II begins with means of 0, so that without a cap, when Phase I is long and the bonuses
              are small, the first arm that it visits keeps the largest index
    at_end    the mean of each arm is released at the end of Phase I, and Phase II begins with it; with the episodes'
              means these are at most log2 T releases
    in_test   the mean of an arm is released whenever the number of its pulls has doubled, the test that ends Phase I
              reads it instead of the rewards, and Phase II begins with it
"""

import math
from typing import Literal, NamedTuple

import numpy as np

from dpbandits.algorithms.arms._index import index_rule, largest
from dpbandits.algorithms.arms._nash import Cap, Log, cap_of, explore, index_log_of, log_of, uniform_arm
from dpbandits.environments.arms import next_checkpoint, note, note_span, pull, pull_many
from dpbandits.kernels.compiled import kernel, step
from dpbandits.kernels.sampling import laplace
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import Account, Ledger
from dpbandits.privacy.releases import AuditSettings, Setting

NoiseLog = Literal["log2", "ln"]
Beta = Literal["2c", "4"]
PrivateMean = Literal["none", "at_end", "in_test"]


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
    releases_at_end: bool  # of Phase I
    tests_private_means: bool

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
    private_mean: PrivateMean = "none",
):
    """Play one run. The theory needs alpha > 3; beta is 4 sqrt(2 alpha) in their code, 2c sqrt(2 alpha) by derivation."""
    rule = rule_of(horizon, epsilon, c, alpha, cap, multiplier, index_log, beta, noise_log, private_mean)
    gdp_ncb(rng, arms, 0, horizon, journal, np.zeros(len(arms.means), np.int64), rule)


def plan(horizon, **given):
    """The rule of a game of `horizon` rounds, with the defaults of `play` for all that is not given."""
    return rule_of(horizon, **{**play.__kwdefaults__, **given})


def rule_of(horizon, epsilon, c, alpha, cap, multiplier, index_log, beta, noise_log, private_mean):
    """The constants of a game of `horizon` rounds."""
    W, L = cap_of(horizon, cap), index_log_of(horizon, index_log)
    return GDPNCB(
        epsilon=epsilon,
        cap=W,
        threshold=multiplier * (c**2 * log_of(W) + log_of(W) ** 2 / epsilon),
        c_term=2 * c * math.sqrt(2 * L),
        first_term=alpha * L**2 / epsilon,
        second_term=(4.0 if beta == "4" else 2 * c) * math.sqrt(2 * alpha) * L**1.5 / math.sqrt(epsilon),
        noise=log_of(horizon) if noise_log == "ln" else max(1.0, math.log2(horizon)),
        releases_at_end=private_mean == "at_end",
        tests_private_means=private_mean == "in_test",
    )


def audited(epsilon, *, cap="sqrt", private_mean="none", **given) -> AuditSettings:
    """Without a cap, Phase I ends by its threshold, which short games reach with a smaller constant."""
    streams = tuple(Setting(1, T, ("zeros",), (1, 2), told=1, played=16) for T in (72, 1024))
    if cap != "none":
        return AuditSettings((Setting(2, 16, canaries=(1, 5, 7)),), streams)
    actions = Setting(2, 6, ("ones", "zeros"), (1, 2), changes=short_phase1(epsilon, 6, given.get("c", 3.0)))
    return AuditSettings((actions,), streams if private_mean == "in_test" else ())


def short_phase1(epsilon: float, horizon: int, c: float) -> dict[str, float]:
    """The multiplier with which the threshold of Phase I is 1.5."""
    L = math.log(horizon)
    return {"multiplier": 1.5 / (c**2 * L + L**2 / epsilon)}


def nanoseconds(horizon, number_of_arms, *, cap="sqrt", **_):
    """Some two dozen episodes per arm, and the rounds of Phase I if it has no cap."""
    return 1000 * number_of_arms * horizon.bit_length() + (5 * horizon if cap == "none" else 0)


def privacy(horizon, number_of_arms, *, epsilon, **given) -> Account:
    """The account of an arm played in every episode: item 1 is its rewards of Phase I, item 1 + j those of episode j.

    A release is the mean of n rewards: sensitivity 1/n and scale log2 T/(epsilon n), so the loss does not depend on n.
    The mean of an episode that ends after the last round is not released. A mean of Phase I itself is booked for item 1
    as well.
    """
    rule = plan(horizon, epsilon=epsilon, **given)
    raw = not rule.tests_private_means
    released = "episodes and means" if rule.releases_at_end else "episodes"
    if raw and rule.cap > rule.threshold:  # a sum of W rewards can exceed it: the length of Phase I depends on them
        return Account(epsilon, 0.0, None, releases=released)
    in_phase1, episodes = most_releases(horizon, rule)
    ledger = Ledger(1 + episodes)
    for j in range(1, episodes + 1):
        for item in (1, 1 + j):
            ledger.release(item, item, sensitivity=1.0, scale=rule.noise / epsilon)
    if in_phase1:
        ledger.release(1, 1, sensitivity=1.0, scale=rule.noise / epsilon, times=in_phase1)
    return Account(epsilon, 0.0, ledger, releases=released)


def most_releases(horizon: int, rule: GDPNCB) -> tuple[int, int]:
    """The releases that contain an arm's first reward, of Phase I and of its episodes, for the arm with the most of them."""
    if not rule.tests_private_means:
        return int(rule.releases_at_end), max_releases(horizon - rule.cap)
    ends = [min((2 << j) - 1, rule.cap) for j in range(rule.cap.bit_length())]  # just before another release
    starts = [1 << j for j in range(rule.cap.bit_length())]  # just after it
    return max(((n.bit_length(), max_releases(horizon - n)) for n in (*starts, *ends)), key=sum)


def max_releases(rounds: int) -> int:
    """The number of episodes, of 2, 4, 8, ... rounds, that one arm can finish before the last round."""
    return max(0, (rounds + 1).bit_length() - 2)


@kernel
def gdp_ncb(rng, arms, start, rounds, journal, pulls, rule):
    """Play the rounds start+1..start+rounds; `pulls` includes earlier pulls. N2_i: length of the arm's last episode."""
    K, end = arms.means.size, start + rounds
    s, N1, mu = np.zeros(K), np.zeros(K, np.int64), np.zeros(K)
    last = min(start + rule.cap, end)
    if rule.tests_private_means:
        t = explore_with_private_means(rng, arms, start, last, journal, rule, s, N1, mu, pulls)
    else:
        t = explore(rng, arms, start, last, journal, rule, s, N1, pulls)
    if rule.releases_at_end:
        for a in range(K):
            if N1[a] > 0:
                mu[a] = released(rng, rule, s[a], N1[a])
    N2 = np.ones(K, np.int64)
    terms = [(mu[a], N1[a] + 1) for a in range(K)]
    while t < end:
        a = largest(rule, terms, 0.0, K)[0]
        m = min(2 * N2[a], end - t)
        note_span(journal, t, m, pulls, a)
        n = N1[a] + m
        terms[a] = released(rng, rule, s[a] + pull_many(rng, arms, a, m), n), n
        N2[a] = m
        pulls[a] += m
        t += m


@step
def released(rng, rule, s, n):
    """The mean of n rewards whose sum is s, with noise, cut to [0, 1]."""
    return min(max(s / n + laplace(rng, rule.noise / (rule.epsilon * n)), 0.0), 1.0)


@step
def explore_with_private_means(rng, arms, t, last, journal, rule, s, n, mu, pulls):
    """Phase I whose test reads means released after 1, 2, 4, 8, ... pulls of an arm; return its last round."""
    enough = False
    while t < last and not enough:
        stop = min(last, next_checkpoint(journal))
        while t < stop and not enough:
            t += 1
            a = uniform_arm(rng, n.size)
            s[a] += pull(rng, arms, a)
            n[a] += 1
            pulls[a] += 1
            if n[a] & (n[a] - 1) == 0:
                mu[a] = released(rng, rule, s[a], n[a])
            enough = rule.explored(n[a] * mu[a], n[a])
        if t == stop:
            note(journal, t, pulls)
    return t
