"""Algorithm 1 of Azize & Basu (2022): adaptive episodes with doubling and forgetting, for AdaP-UCB and AdaP-KLUCB.

    pull each arm once and release its reward
    while t < T:                        an episode, whose first round is t + 1
        A = argmax of an index          of the last released means, the episodes' lengths and ln(t + 1)
        pull A as often as it has been pulled before (cut at T)
        release the mean of these pulls alone, with Lap(1/(epsilon m)) for m of them

An index policy is this loop with its own index: `first_pulls`, then `play_episode` until the horizon.

The paper does not say whether the K first rewards are released with noise; without noise they are not private
(`init_noise`). It writes 1/2 N_a for the number of samples in the mean, which is wrong for an arm with one pull: its
mean has one sample, not half a sample (`init_h`).
"""

from typing import Literal, NamedTuple

import numpy as np

from dpbandits.environments.arms import note_span, pull_many
from dpbandits.kernels.compiled import kernel
from dpbandits.kernels.sampling import laplace
from dpbandits.privacy.ledger import Account, Ledger

InitialH = Literal["one", "half"]


class Frame(NamedTuple):
    """The parameters of episodes: epsilon, noise on first rewards, sample count of a first mean."""

    epsilon: float
    init_noise: bool
    init_h: float


class Means(NamedTuple):
    """Per arm: the number of pulls, and the last released mean mu of h rewards."""

    pulls: np.ndarray
    h: np.ndarray
    mu: np.ndarray


def frame(epsilon: float, init_noise: bool, init_h: InitialH) -> Frame:
    """Translate the parameters that both policies share into numbers."""
    return Frame(epsilon, init_noise, 1.0 if init_h == "one" else 0.5)


def episodes_privacy(horizon, number_of_arms, *, epsilon, init_noise=True, **_) -> Account:
    """The account of an arm that is pulled in every round: each reward is in the mean of one episode, also the first.

    The last episode, which the horizon cuts, is booked as if its mean were released. A first reward without noise is
    not private for any epsilon.
    """
    if not init_noise:
        return Account(epsilon, 0.0, None, releases="means after first")
    ledger = Ledger(horizon)
    first = 1
    while first <= horizon:
        m = min(max(first - 1, 1), horizon - first + 1)
        ledger.release(first, first + m - 1, sensitivity=1 / m, scale=1 / (epsilon * m))
        first += m
    return Account(epsilon, 0.0, ledger, releases="means")


@kernel
def first_pulls(rng, arms, horizon, journal, frame):
    """Play each arm once, in the rounds 1..K."""
    K = arms.means.size
    means = Means(np.zeros(K, np.int64), np.full(K, frame.init_h), np.zeros(K))
    for a in range(K):
        note_span(journal, a, 1, means.pulls, a)
        means.mu[a] = pull_many(rng, arms, a, 1)
        if frame.init_noise:
            means.mu[a] += laplace(rng, 1 / frame.epsilon)
        means.pulls[a] = 1
    return means


@kernel
def play_episode(rng, arms, horizon, journal, frame, means, t, a):
    """Pull arm a as often as before, replace its mean by that of this episode, and return the episode's last round."""
    m = min(means.pulls[a], horizon - t)
    note_span(journal, t, m, means.pulls, a)
    means.mu[a] = pull_many(rng, arms, a, m) / m + laplace(rng, 1 / (frame.epsilon * m))
    means.h[a] = m
    means.pulls[a] += m
    return t + m


def episode_log(rng, arms, horizon, journal, frame, choices) -> list[tuple[int, int, int]]:
    """Play the first pulls and an episode of each arm in `choices`; return (first round, arm, length) of each."""
    means = first_pulls(rng, arms, horizon, journal, frame)
    t = arms.means.size
    log = [(a + 1, a, 1) for a in range(t)]
    for a in choices:
        end = play_episode(rng, arms, horizon, journal, frame, means, t, a)
        log.append((t + 1, a, end - t))
        t = end
    return log
