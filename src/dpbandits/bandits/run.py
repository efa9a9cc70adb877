"""A run on stochastic arms: it pays, counts and records; the policy decides."""

from typing import Any, NamedTuple

import numpy as np

from dpbandits.kernels import allocating, inlined
from dpbandits.privacy.releases import Releases
from dpbandits.random import Stream

ROUND, NEXT = range(2)  # the elements of a clock


@inlined
def check_arm(a, K):
    """Raise IndexError unless a is one of K arms."""
    if not 0 <= a < K:
        raise IndexError("there is no arm of this number; arms are 0 to K - 1")


class Run(NamedTuple):
    """One run of a policy on arms, as `play` gets it.

    `play` and `play_in_turn` suffice. `spend` and `collect` are `play` in two parts, for a policy
    that needs the rewards of many rounds only later, as one sum. The drivers that count pulls
    themselves call `next_checkpoint` and `note`.

    Attributes
    ----------
    K : int
        The number of arms.
    t : int
        The number of rounds that have been played; not in compiled code.
    horizon : int
        The number of rounds for which the game is planned.
    end : int
        The last round: the horizon, unless the game is a part of a run that ends before.
    rng : Stream
        Random numbers for choices.
    releases : Releases
        The only way by which a reward becomes public.
    pulls : array
        How often each arm has been pulled.
    counts : array
        The pull counts at each checkpoint, with a column for each arm.

    Examples
    --------
    >>> from dpbandits import Bernoulli
    >>> from dpbandits.random import stream
    >>> run = new_run(Bernoulli([1.0, 0.0]).arms, Releases(stream(1)), 10)
    >>> run.play(0)
    (1.0, 1)
    >>> run.play(0, 4)
    (4.0, 4)
    >>> run.play_in_turn([0, 1], 4)  # the run ends in their third turn
    (array([3., 0.]), 5)
    >>> run.pulls, run.t, run.play(0)
    (array([8, 2]), 10, (0.0, 0))
    """

    K: int
    horizon: int
    end: int
    rng: Stream
    releases: Releases
    arms: Any
    pulls: np.ndarray
    waiting: np.ndarray  # pulls whose rewards are not collected
    checkpoints: np.ndarray  # increasing; the last one is the end of the run
    counts: np.ndarray
    clock: np.ndarray  # clock[ROUND]: t; clock[NEXT]: the index of the next checkpoint

    @property
    def t(self):
        """The number of rounds that have been played."""
        return int(self.clock[ROUND])

    def finished(self):
        """Return whether the last round is over."""
        return self.clock[ROUND] >= self.end

    def play(self, a, m=1):
        """Pull arm a up to m times: fewer if the run ends before.

        Return the sum of the rewards, each in [0, 1], and the rounds that were played.
        """
        if m == 1:
            t = self.clock[ROUND]
            if t >= self.end:
                return 0.0, 0
            check_arm(a, self.K)
            reward = self.arms.reward(self.rng, a)
            self.pulls[a] += 1
            self.note(t + 1)
            return reward, 1
        rounds = self.spend(a, m)
        return self.collect(a), rounds

    def spend(self, a, m):
        """Pull arm a up to m times, and leave the rewards for `collect`; return the rounds."""
        return self.spend_in_turn((a,), m)

    def collect(self, a):
        """Return the sum of the rewards that `spend` left of arm a."""
        m = self.waiting[a]
        self.waiting[a] = 0
        return self.arms.rewards(self.rng, a, m)

    def spend_in_turn(self, order, m):
        """Pull m times each of the arms of `order`, in turn; leave the rewards for `collect`.

        Return the rounds: fewer than m for each arm if the run ends before.
        """
        if len(order) == 0:
            raise IndexError("no arm is to be played; write at least one, such as [0]")
        for a in order:
            check_arm(a, self.K)
        t, k = self.clock[ROUND], self.clock[NEXT]
        rounds = max(0, int(min(m * len(order), self.end - t)))  # a draft may compute any m
        while k < self.checkpoints.size and self.checkpoints[k] <= t + rounds:
            each, rest = divmod(self.checkpoints[k] - t, len(order))
            for a in range(self.K):
                self.counts[k, a] = self.pulls[a]
            for i in range(len(order)):
                self.counts[k, order[i]] += each + (1 if i < rest else 0)
            k += 1
        each, rest = divmod(rounds, len(order))
        for i in range(len(order)):
            pulls = each + (1 if i < rest else 0)
            self.pulls[order[i]] += pulls
            self.waiting[order[i]] += pulls
        self.clock[ROUND], self.clock[NEXT] = t + rounds, k
        return rounds

    @allocating
    def play_in_turn(self, order, m=1):
        """Pull m times each of the arms of `order`, in turn.

        Return the sums of their rewards, and the rounds that were played.
        """
        rounds, totals = self.spend_in_turn(order, m), np.zeros(len(order))
        for i in range(len(order)):
            totals[i] = self.collect(order[i])
        return totals, rounds

    def next_checkpoint(self):
        """Return the next round to note, or after the last one the last one.

        A loop that ends there calls `note` once, which is faster than a call in every round.
        """
        return self.checkpoints[min(self.clock[NEXT], self.checkpoints.size - 1)]

    def note(self, t):
        """Note that t rounds are over, and the pull counts if t is the next checkpoint."""
        k = self.clock[NEXT]
        self.clock[ROUND] = t
        if k < self.checkpoints.size and t == self.checkpoints[k]:
            for a in range(self.K):
                self.counts[k, a] = self.pulls[a]
            self.clock[NEXT] = k + 1

    def restart(self) -> None:
        """Begin again with the same arms, and go on with the same random numbers."""
        for each in (self.pulls, self.waiting, self.clock):
            each.fill(0)

    def play_game(self, policy: Any, horizon: int) -> None:
        """Let a policy play a game of its own in the next rounds, planned for `horizon` rounds.

        The policy counts its own pulls and rounds. The game ends at the latest with this run.
        """
        start, k = self.clock.tolist()
        end = min(start + horizon, self.end)
        last = int(self.checkpoints.searchsorted(end, "right"))
        checkpoints = np.empty(last - k + 1, np.int64)
        checkpoints[:-1], checkpoints[-1] = self.checkpoints[k:last], end
        game = new_run(self.arms, self.releases, horizon, checkpoints - start)
        policy.play(game)
        if last > k:
            self.counts[k:last] = self.pulls + game.counts[:-1]
        self.pulls[:] += game.pulls
        self.clock[:] = start + game.t, last


def new_run(arms: Any, releases: Any, horizon: int, checkpoints: np.ndarray | None = None) -> Run:
    """Begin a run.

    Parameters
    ----------
    arms
        `Arms`, or the named tuple of a bandit of your own.
    releases : Releases
        What releases rewards, with the run's random numbers.
    horizon : int
        The number of rounds for which the game is planned.
    checkpoints : array, optional
        The rounds to record, of which the last one ends the run; by default the horizon alone.
    """
    K, rng = len(arms.means), releases.rng
    t = np.array([horizon]) if checkpoints is None else checkpoints
    pulls, waiting = np.zeros((2, K), np.int64)
    counts, clock = np.empty((len(t), K), np.int64), np.zeros(2, np.int64)
    return Run(K, horizon, int(t[-1]), rng, releases, arms, pulls, waiting, t, counts, clock)
