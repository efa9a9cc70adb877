"""Episodes: an arm is chosen, played for some rounds, and only then released.

    while t < T:                 an episode, whose first round is t + 1
        A = choose(...)          from what has been released
        play A for length(...) rounds (cut at T)
        release a noisy number that stands for the rewards of these rounds

The rewards of an episode are drawn as one sum, so that it takes no longer than a round.
"""

from typing import ClassVar

import numpy as np

from dpbandits.bandits.arms import note_span, pull_many
from dpbandits.kernels import kernel
from dpbandits.policy import ArmsPolicy


class EpisodePolicy(ArmsPolicy):
    """A policy that plays an arm for an episode and then releases one number.

    A subclass defines `update`, and `index_at` or `choose`. These methods are compiled. In them
    `self` has the parameters that are numbers, and the `constants`. x is what has been released of
    an arm, h the number of rewards in that (0 before the arm is played), n the arm's pulls.
    `may_exceed` is a short cut: a subclass that changes another method or the constants does not
    inherit it.

    Examples
    --------
    >>> from dpbandits.parameters import Positive
    >>> from dpbandits.privacy.ledger import released_once
    >>> class Doubling(EpisodePolicy):
    ...     '''Play the arm with the largest noisy mean of its last episode.'''
    ...     epsilon: Positive
    ...     def index_at(self, x, h, t):
    ...         return x
    ...     def update(self, rng, a, x, h, total, m):
    ...         return rng.release(total, 1 / self.epsilon) / m, m
    ...     def privacy(self, horizon, number_of_arms):
    ...         return released_once(self.epsilon, horizon)
    >>> Doubling(epsilon=1).privacy(1000, 2).spent
    1.0
    """

    needs = ("update",)

    def choose(self, x, h, t):
        """Choose an arm: by default one that has not been played, then the largest index.

        If the index of arm a is NaN, return ~a, which is negative.
        """
        a, best = 0, -np.inf
        for b in range(h.size):
            if h[b] == 0:
                return b
            if self.may_exceed(x[b], h[b], t, best) or not self.may_exceed(x[b], h[b], t, -np.inf):
                index = self.index_at(x[b], h[b], t)
                if np.isnan(index):
                    return ~b
                if index > best:
                    a, best = b, index
        return a

    def may_exceed(self, x, h, t, level):
        """Return whether the index may be above a level, where that is faster than the index."""
        return True

    short_cuts: ClassVar = {"may_exceed": may_exceed}

    def index_at(self, x, h, t):
        """Return the index of an arm in round t."""
        raise NotImplementedError

    def length(self, a, h, n):
        """Return the rounds of an episode of arm a: by default as many as its pulls so far."""
        return max(n, 1)

    def update(self, rng, a, x, h, total, m):
        """Return x and h after an episode of m rounds whose rewards have the sum `total`.

        A policy that forgets drops the former x.
        """
        raise NotImplementedError

    def play(self, rng, arms, horizon, journal):
        """Play one run."""
        rule = self.rule(horizon, len(arms.means))
        self.refuse_nan(play_in_episodes(rng, arms, horizon, journal, rule))


@kernel
def play_in_episodes(rng, arms, horizon, journal, rule):
    """Play a whole game."""
    K = arms.means.size
    known = np.zeros(K), np.zeros(K, np.int64), np.zeros(K, np.int64)
    return play_episodes(rng, arms, 0, horizon, journal, rule, known)


@kernel
def play_episodes(rng, arms, t, end, journal, rule, known):
    """Play the rounds t+1..end; `known` are x, h and n of all arms."""
    x, h, n = known
    while t < end:
        a = rule.choose(x, h, t + 1)
        if a < 0:
            return t + 1, ~a
        m = min(rule.length(a, h[a], n[a]), end - t)
        note_span(journal, t, m, n, a)
        x[a], h[a] = rule.update(rng, a, x[a], h[a], pull_many(rng, arms, a, m), m)
        n[a] += m
        t += m
    return 0, 0
