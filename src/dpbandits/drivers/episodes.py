"""Episodes: an arm is chosen, played for some rounds, and only then released.

    while t < T:                 an episode, whose first round is t + 1
        A = choose(...)          from what has been released
        play A for length(...) rounds (cut at T)
        release a noisy number that stands for the rewards of these rounds

The rewards of an episode are drawn as one sum, so that it takes no longer than a round.
"""

from typing import ClassVar, Literal

import numpy as np

from dpbandits.bandits.rewards import rounded
from dpbandits.bandits.run import ROUND
from dpbandits.kernels import kernel
from dpbandits.parameters import Positive
from dpbandits.policy import ArmsPolicy
from dpbandits.privacy.ledger import DISCRETE, released_once


class Bounded:
    """The short cut of an index for which a bound is faster to compute.

    In its method `self` is the policy that it belongs to. A subclass of the policy does not inherit
    it, since its index may be another one.
    """

    def may_exceed(self, x, h, t, level):
        """Return whether the index may be above a level."""
        return True


class EpisodePolicy(ArmsPolicy):
    """A policy that plays an arm for an episode and then releases one number.

    A subclass defines `update`, and `index` or `choose`. These methods are compiled. In them `self`
    has the parameters that are numbers, the `constants` and the `state`. x is what has been
    released of an arm, h the number of rewards in that (0 before the arm is played), n the arm's
    pulls.

    Examples
    --------
    >>> from dpbandits.parameters import Positive
    >>> from dpbandits.privacy.ledger import released_once
    >>> class Doubling(EpisodePolicy):
    ...     '''Play the arm with the largest noisy mean of its last episode.'''
    ...     epsilon: Positive
    ...     def index(self, x, h, t):
    ...         return x
    ...     def update(self, releases, a, x, h, total, m):
    ...         return releases.laplace(total, 1 / self.epsilon) / m, m
    ...     def privacy(self, horizon, number_of_arms):
    ...         return released_once(self.epsilon, horizon)
    >>> Doubling(epsilon=1).privacy(1000, 2).spent
    1.0
    """

    needs = "update", "index or choose"
    no_short_cut: ClassVar[type] = Bounded

    def choose(self, x, h, t):
        """Choose an arm: by default one that has not been played, then the largest index.

        If the index of arm a is NaN, return ~a, which is negative.
        """
        a, best = 0, -np.inf
        for b in range(h.size):
            if h[b] == 0:
                return b
            # The second is true only for NaN, whose index must be computed to be reported.
            if self.may_exceed(x[b], h[b], t, best) or not self.may_exceed(x[b], h[b], t, -np.inf):
                index = self.index(x[b], h[b], t)
                if np.isnan(index):
                    return ~b
                if index > best:
                    a, best = b, index
        return a

    def index(self, x, h, t):
        """Return the index of an arm in round t."""
        raise NotImplementedError

    def length(self, a, h, n):
        """Return the rounds of an episode of arm a: by default as many as its pulls so far."""
        return max(n, 1)

    def update(self, releases, a, x, h, total, m):
        """Return x and h after an episode of m rounds whose rewards have the sum `total`.

        A policy that forgets drops the former x.
        """
        raise NotImplementedError

    def play(self, run):
        """Play one run."""
        self.refuse_nan(play_in_episodes(run, self.compiled(run.horizon, run.K)))


class SumsOfEpisodes(EpisodePolicy):
    """A policy of which only the sum of each episode is released, once.

    By default its operator adds up exact rewards, and the sum has Lap(1/epsilon). With
    `noise: discrete` nobody is trusted with a reward: the users of an episode are a batch of secure
    aggregation, as in `policies.arms.dist_dp_se`. Each of m users rounds the reward at random to 0
    or 1, and adds a difference of two Polya numbers of shape 1/m. These add up to one discrete
    Laplace number, P(k) proportional to e^(-epsilon |k|), which is drawn here at once. The modulus
    of the protocol is so large that no sum passes it. Users who leave a batch are not modelled.
    """

    epsilon: Positive
    noise: Literal["laplace", "discrete"] = "laplace"

    @property
    def is_discrete(self) -> bool:
        """Whether users round their rewards, and an aggregator adds them up."""
        return self.noise == "discrete"

    def constants(self, horizon, number_of_arms):
        return {"is_discrete": self.is_discrete}

    def play(self, run):
        """Play one run."""
        super().play(run._replace(arms=rounded(run.arms)) if self.is_discrete else run)

    def released(self, releases, total):
        """Return what is released of an episode's sum."""
        scale = 1 / self.epsilon
        if self.is_discrete:
            return releases.discrete(total, scale)
        return releases.laplace(total, scale)

    def privacy(self, horizon, number_of_arms):
        """Every reward is released once, in the episode that it belongs to."""
        if self.is_discrete:
            return released_once(self.epsilon, horizon, DISCRETE, "aggregator")
        return released_once(self.epsilon, horizon)


@kernel
def play_in_episodes(run, policy):
    """Play a whole game."""
    return play_episodes(run, policy, np.zeros(run.K), np.zeros(run.K, np.int64))


@kernel
def play_episodes(run, policy, x, h):
    """Play the rest of a game; x and h are those of all arms."""
    t, n = run.clock[ROUND], run.pulls
    while t < run.end:
        a = policy.choose(x, h, t + 1)
        if a < 0:
            return t + 1, ~a
        m = run.spend(a, max(1, policy.length(a, h[a], n[a])))
        x[a], h[a] = policy.update(run.releases, a, x[a], h[a], run.collect(a), m)
        t += m
    return 0, 0
