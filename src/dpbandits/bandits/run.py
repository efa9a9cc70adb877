"""A run on stochastic arms: it pays, counts and records; the policy decides."""

from typing import Any, NamedTuple

import numpy as np

from dpbandits.bandits.journal import Journal, blank_journal, check_arm, note, note_in_turn
from dpbandits.kernels import allocating
from dpbandits.privacy.releases import Releases
from dpbandits.random import Stream


class Run(NamedTuple):
    """One run of a policy on arms, as `play` gets it.

    `play` and `play_in_turn` suffice. `spend` and `collect` are `play` in two parts, for a policy
    that needs the rewards of many rounds only later, as one sum.

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
    journal: Journal

    @property
    def t(self):
        """The number of rounds that have been played."""
        return int(self.journal.t[0])

    def finished(self):
        """Return whether the last round is over."""
        return self.journal.t[0] >= self.end

    def play(self, a, m=1):
        """Pull arm a up to m times: fewer if the run ends before.

        Return the sum of the rewards, each in [0, 1], and the rounds that were played.
        """
        if m == 1:
            t = self.journal.t[0]
            if t >= self.end:
                return 0.0, 0
            check_arm(a, self.K)
            reward = self.arms.reward(self.rng, a)
            self.pulls[a] += 1
            note(self.journal, t + 1, self.pulls)
            return reward, 1
        rounds = self.spend(a, m)
        return self.collect(a), rounds

    def spend(self, a, m):
        """Pull arm a up to m times, and leave the rewards for `collect`; return the rounds."""
        check_arm(a, self.K)
        rounds = max(0, int(min(m, self.end - self.journal.t[0])))  # a draft may compute any m
        self.waiting[a] += rounds
        note_in_turn(self.journal, rounds, self.pulls, (a,))
        return rounds

    def collect(self, a):
        """Return the sum of the rewards that `spend` left of arm a."""
        m = self.waiting[a]
        self.waiting[a] = 0
        return self.arms.rewards(self.rng, a, m)

    def spend_in_turn(self, order, m):
        """Pull m times each of the arms of `order`, in turn; leave the rewards for `collect`.

        Return the rounds: fewer than m for each arm if the run ends before.
        """
        rounds = max(0, int(min(m * len(order), self.end - self.journal.t[0])))
        each, rest = divmod(rounds, len(order))
        for i in range(len(order)):
            a = order[i]
            check_arm(a, self.K)
            self.waiting[a] += each + (1 if i < rest else 0)
        note_in_turn(self.journal, rounds, self.pulls, order)
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

    def restart(self) -> None:
        """Begin again with the same arms, and go on with the same random numbers."""
        for each in (self.pulls, self.waiting, self.journal.next, self.journal.t):
            each.fill(0)

    def play_game(self, policy: Any, horizon: int) -> None:
        """Let a policy play a game of its own in the next rounds, planned for `horizon` rounds.

        The policy counts its own pulls and rounds. The game ends at the latest with this run.
        """
        journal, start, k = self.journal, self.t, int(self.journal.next[0])
        end = min(start + horizon, self.end)
        last = int(journal.checkpoints.searchsorted(end, "right"))
        checkpoints = np.empty(last - k + 1, np.int64)
        checkpoints[:-1], checkpoints[-1] = journal.checkpoints[k:last], end
        game = new_run(self.arms, self.releases, horizon, checkpoints - start)
        policy.play(game)
        if last > k:
            journal.counts[k:last] = self.pulls + game.journal.counts[:-1]
        self.pulls[:] += game.pulls
        journal.next[0], journal.t[0] = last, start + game.t


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
    K = len(arms.means)
    t = np.array([horizon]) if checkpoints is None else checkpoints
    pulls, waiting = np.zeros((2, K), np.int64)
    return Run(
        K, horizon, int(t[-1]), releases.rng, releases, arms, pulls, waiting, blank_journal(K, t)
    )
