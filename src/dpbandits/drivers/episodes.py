"""Episodes: an arm is chosen, played for some rounds, and only then released. A rule defines the policy, one driver plays it.

    while t < T:                 an episode, whose first round is t + 1
        A = choose(...)          from what has been released
        play A for length(...) rounds (cut at T)
        release a noisy number that stands for the rewards of these rounds

A rule is a named tuple of the policy's parameters, with the decorator `@episode_rule`. In its methods x is what has been
released of an arm, h the number of rewards in that (0 before the arm is played), and n the arm's pulls:

    index_at(x, h, t)                   the index in round t; or choose(x, h, t), given the arrays of all arms
    may_exceed(x, h, t, level)          whether the index may be above a level, if that takes less time
    length(a, h, n)                     the rounds of an episode of arm a
    release(rng, a, x, h, total, m)     the new x and h after an episode of m rounds whose rewards have the sum `total`. A
                                        policy that forgets drops the former x.

The rewards of an episode are drawn as one sum, so that it takes no longer than a round.
"""

import numpy as np

from dpbandits.bandits.arms import note_span, pull_many
from dpbandits.drivers.index import with_defaults
from dpbandits.kernels import kernel, methods
from dpbandits.privacy.ledger import Account, Ledger


@methods
class EpisodeRule:
    """The methods of a rule."""

    def choose(self, x, h, t):
        """By default the first arm that has not been played, then the first with the largest index."""
        a, best = -1, -np.inf
        for b in range(h.size):
            if h[b] == 0:
                return b
            if self.may_exceed(x[b], h[b], t, best):
                index = self.index_at(x[b], h[b], t)
                if index > best:
                    a, best = b, index
        return a

    def may_exceed(self, x, h, t, level):
        """By default it may."""
        return True

    def index_at(self, x, h, t):
        """A rule defines this or `choose`."""
        raise NotImplementedError

    def length(self, a, h, n):
        """By default as often as the arm was played before."""
        return max(n, 1)

    def release(self, rng, a, x, h, total, m):
        """Every rule defines this."""
        raise NotImplementedError


def episode_rule(rule: type) -> type:
    """Make a rule of a class of named tuples: methods that it does not define are those of `EpisodeRule`."""
    return with_defaults(rule, EpisodeRule)


@kernel
def play_in_episodes(rng, arms, horizon, journal, rule):
    """Play a whole game."""
    K = arms.means.size
    play_episodes(
        rng,
        arms,
        0,
        horizon,
        journal,
        rule,
        np.zeros(K),
        np.zeros(K, np.int64),
        np.zeros(K, np.int64),
    )


@kernel
def play_episodes(rng, arms, t, end, journal, rule, x, h, n):
    """Play the rounds t+1..end."""
    while t < end:
        a = rule.choose(x, h, t + 1)
        m = min(rule.length(a, h[a], n[a]), end - t)
        note_span(journal, t, m, n, a)
        x[a], h[a] = rule.release(rng, a, x[a], h[a], pull_many(rng, arms, a, m), m)
        n[a] += m
        t += m


def account_of_episodes(horizon, number_of_arms, *, epsilon, **_) -> Account:
    """The account of a policy that releases the rewards of each episode once, with a loss of epsilon; also of the last one,
    which the horizon may cut."""
    return Account(epsilon, 0.0, Ledger().book(1, horizon, sensitivity=1.0, scale=1 / epsilon))
