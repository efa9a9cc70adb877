"""A game against an adversary that fixes every gain in advance (tossou2017, section 1).

The T x K table of gains is made before the first round from the run's stream for the bandit, so
that all policies of an experiment play run number n on the same table (the paired design of the
paper). An adversary with a memory of one round may also penalise a change of arms, which depends on
the player.

The regret at a checkpoint t is against the best fixed arm of the game that ends at t. That arm
never changes, so it receives the gains in the table. The gains of the player include the penalty.
"""

from typing import Annotated, NamedTuple

import numpy as np
from annotated_types import Ge

from dpbandits.bandit import Bandit
from dpbandits.kernels import kernel, step
from dpbandits.parameters import Words
from dpbandits.random import Stream

NumberOfArms = Annotated[int, Ge(2), Words("a number of arms of at least 2")]
Arm = Annotated[int, Ge(1), Words("the number of an arm, from 1")]
ARM, IGNORED = 0, 1  # the rows of a diary


class Game(NamedTuple):
    """A table of gains before a penalty, gains[t - 1, a].

    After a change of arms, a round gives `share` of its gain. The player sees that if it is
    `observed`, else the whole gain.
    """

    gains: np.ndarray
    share: float = 1.0
    observed: bool = True


class GameJournal(NamedTuple):
    """What a player did: diary[ARM, t - 1] and diary[IGNORED, t - 1].

    They are the arm of round t, and whether the player ignored its observation.
    """

    game: Game
    checkpoints: np.ndarray
    diary: np.ndarray

    def results(self) -> dict[str, np.ndarray]:
        """Return the curves of a finished run."""
        gain, comparator = gains_at(self.game, self.diary, self.checkpoints)
        ignored = np.cumsum(self.diary[IGNORED], dtype=np.int64)[self.checkpoints - 1]
        return {
            "regret": comparator - gain,
            "comparator": comparator,
            "gain": gain,
            "ignored": ignored,
        }


def blank_journal(game: Game, checkpoints: np.ndarray) -> GameJournal:
    """Make the journal of a game that nobody has played yet."""
    return GameJournal(game, checkpoints, np.zeros((2, len(game.gains)), np.int16))


class Adversary(Bandit):
    """Base class of adversaries. A subclass defines `gains`.

    Parameters
    ----------
    number_of_arms : int
        At least 2.

    Examples
    --------
    >>> class InTurn(Adversary):
    ...     def gains(self, rng, horizon):
    ...         return np.eye(self.number_of_arms)[np.arange(horizon) % self.number_of_arms]
    >>> InTurn(2).gains(None, 3).tolist()
    [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
    """

    family = "games"

    number_of_arms: NumberOfArms

    @property
    def penalty(self) -> tuple[float, bool]:
        """`share` and `observed` of the games: by default no penalty."""
        return 1.0, True

    def gains(self, rng: Stream, horizon: int) -> np.ndarray:
        """Make the table of a run, with a row for each round."""
        raise NotImplementedError

    def begin(self, rng: Stream, horizon: int, t: np.ndarray) -> tuple[Game, GameJournal]:
        """Return the game of the run, the same for all policies, and an empty journal."""
        game = self.once_for_run(
            rng, horizon, lambda: Game(self.gains(rng, horizon), *self.penalty)
        )
        return game, blank_journal(game, t)


@step
def receive(game, diary, t, a):
    """Play arm a in round t, and return the gain that the player observes.

    Parameters
    ----------
    game : Game
        The game, as `play` gets it.
    diary : array
        The diary of the journal, which records the arm.
    t : int
        The round, from 1.
    a : int
        The arm, from 0.

    Returns
    -------
    float
        The gain, in [0, 1].

    Examples
    --------
    >>> game = Game(np.array([[0.25, 1.0], [0.5, 0.0]]))
    >>> diary = blank_journal(game, np.array([2])).diary
    >>> receive(game, diary, 1, 0), receive(game, diary, 2, 1)
    (0.25, 0.0)
    >>> diary[ARM]
    array([0, 1], dtype=int16)
    """
    diary[ARM, t - 1] = a
    gain = float(game.gains[t - 1, a])
    if game.observed and t > 1 and a != diary[ARM, t - 2]:
        return game.share * gain
    return gain


@step
def ignore(diary, t):
    """Record that the player ignores its observation of round t.

    Parameters
    ----------
    diary : array
        The diary of the journal.
    t : int
        The round, from 1.

    Examples
    --------
    >>> diary = np.zeros((2, 3), np.int16)
    >>> ignore(diary, 2)
    >>> diary[IGNORED]
    array([0, 1, 0], dtype=int16)
    """
    diary[IGNORED, t - 1] = 1


@kernel
def gains_at(game, diary, checkpoints):
    """Add up gains at every checkpoint t: the player's and those of the best fixed arm.

    They are the sum of the player's actual gains, observed or not, and max_i sum_{s <= t} g_i(s).
    """
    # Once: a kernel counts references to an array wherever it takes it from a tuple.
    gains, share, _ = game
    of_player, of_arms, k = 0.0, np.zeros(gains.shape[1]), 0
    player, best = np.zeros(checkpoints.size), np.zeros(checkpoints.size)
    for t in range(1, checkpoints[-1] + 1):
        a = diary[ARM, t - 1]
        gain = float(gains[t - 1, a])
        if t > 1 and a != diary[ARM, t - 2]:
            gain = share * gain
        of_player += gain
        for i in range(of_arms.size):
            of_arms[i] += gains[t - 1, i]
        if t == checkpoints[k]:
            player[k], best[k] = of_player, of_arms.max()
            k += 1
    return player, best


@kernel
def bernoulli_gains(rng, rounds, lowest, width):
    """Draw a table of gains of 0 or 1.

    The mean of each gain of arm i is uniform in [lowest[i], lowest[i] + width].
    """
    gains = np.empty((rounds, lowest.size), np.uint8)
    for t in range(rounds):
        for i in range(lowest.size):
            p = lowest[i]
            if width > 0:
                p += width * rng.random()
            gains[t, i] = rng.random() < p
    return gains
