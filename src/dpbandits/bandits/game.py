"""A game against an adversary that fixes every gain in advance, and the recording of its runs (tossou2017, section 1).

The T x K table of gains is drawn before the first round from the run's stream for the environment, so that all algorithms of an
experiment play run number n on the same table (the paired design of the paper). An adversary with a memory of one round may
also penalize a change of arms, which depends on the player.

The regret at a checkpoint t is against the best fixed arm of the game that ends at t, which never changes arms and so
receives the gains in the table; the gains of the player include the penalty.
"""

from collections.abc import Callable
from typing import Annotated, NamedTuple

import numpy as np
from annotated_types import Ge, doc

from dpbandits.bandits import Environment
from dpbandits.kernels import kernel, step
from dpbandits.random import Stream, uniform

NumberOfArms = Annotated[int, Ge(2), doc("a number of arms of at least 2")]
Arm = Annotated[int, Ge(1), doc("the number of an arm, from 1")]
ARM, IGNORED = 0, 1  # the rows of a diary


class Game(NamedTuple):
    """gains[t - 1, a] before a penalty: after a change of arms a round gives `share` of its gain, and the player sees that if it is
    `observed`, else the whole gain."""

    gains: np.ndarray
    share: float = 1.0
    observed: bool = True


class GameJournal(NamedTuple):
    """`diary[ARM, t - 1]` is the arm of round t, `diary[IGNORED, t - 1]` whether its feedback was ignored."""

    game: Game
    checkpoints: np.ndarray
    diary: np.ndarray

    def results(self) -> dict[str, np.ndarray]:
        """The curves of a finished run."""
        gain, comparator = gains_at(self.game, self.diary, self.checkpoints)
        ignored = np.cumsum(self.diary[IGNORED], dtype=np.int64)[self.checkpoints - 1]
        return {
            "regret": comparator - gain,
            "comparator": comparator,
            "gain": gain,
            "ignored": ignored,
        }


def blank_journal(game: Game, checkpoints: np.ndarray) -> GameJournal:
    """The journal of a game that nobody has played yet."""
    return GameJournal(game, checkpoints, np.zeros((2, len(game.gains)), np.int16))


class Adversary(Environment):
    """An adversary: `draw(rng, horizon)` draws a run's table. `penalty`: share and observed of its games."""

    def __init__(
        self, number_of_arms: int, draw: Callable[[Stream, int], np.ndarray], *penalty: float | bool
    ):
        self.number_of_arms, self.draw, self.penalty = number_of_arms, draw, penalty

    def begin(self, rng: Stream, horizon: int, t: np.ndarray) -> tuple[Game, GameJournal]:
        """Draw all gains of the run, and make an empty journal. The next policy of the same run gets the same table."""
        game = self.once_for_run(rng, horizon, lambda: Game(self.draw(rng, horizon), *self.penalty))
        return game, blank_journal(game, t)


@step
def receive(game, diary, t, a):
    """Play arm a in round t; return the gain that the player observes."""
    diary[ARM, t - 1] = a
    gain = float(game.gains[t - 1, a])
    if game.observed and t > 1 and a != diary[ARM, t - 2]:
        return game.share * gain
    return gain


@step
def ignore(diary, t):
    """The player ignores its observation of round t."""
    diary[IGNORED, t - 1] = 1


@kernel
def gains_at(game, diary, checkpoints):
    """At every checkpoint t: the sum of the player's actual gains, observed or not; and max_i sum_{s <= t} g_i(s)."""
    gains, share, _ = (
        game  # once, since a kernel counts references to an array wherever it takes it from a tuple
    )
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
    """Draw a table of gains of 0 or 1. The mean of each gain of arm i is uniform in [lowest[i], lowest[i] + width]."""
    gains = np.empty((rounds, lowest.size), np.uint8)
    for t in range(rounds):
        for i in range(lowest.size):
            p = lowest[i]
            if width > 0:
                p += width * uniform(rng)
            gains[t, i] = uniform(rng) < p
    return gains
