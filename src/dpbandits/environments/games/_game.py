"""A game against an adversary that fixes every gain in advance, and what a run of it leaves behind (tossou2017, section 1).

The whole T x K table of gains is drawn before the first round, from the run's own stream for the environment, so that
every algorithm of an experiment plays run number n on the same table (the paper's paired design). An adversary with a
memory of one round may also punish a change of arms: that part depends on the player and happens while it plays.

The regret at a checkpoint t is against the best fixed arm of the game that ends at t, which never changes arms and so
gets the table's gains; the player's gains are the actual ones.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np
from annotated_types import Ge, doc

from dpbandits.compiled import kernel
from dpbandits.environments import Environment

NumberOfArms = Annotated[int, Ge(2), doc("a number of arms of at least 2")]
Arm = Annotated[int, Ge(1), doc("the number of an arm, from 1")]


class Penalty(NamedTuple):
    """A round whose arm is not that of the round before gives `share` of the gain, less `cost`; does the player see it?"""

    share: float
    cost: float
    observed: bool


NO_PENALTY = Penalty(1.0, 0.0, True)


class Game(NamedTuple):
    """gains[t - 1, a] before the penalty. Kernels take the two apart: a tuple that holds an array is slow to hand on."""

    gains: np.ndarray
    penalty: Penalty


# The rows of a diary.
ARM, IGNORED = 0, 1


@dataclass(frozen=True)
class GameJournal:
    """`diary[ARM, t - 1]` is the arm of round t, `diary[IGNORED, t - 1]` whether its feedback was thrown away.

    Kernels write into the diary alone (one plain array: a round costs a nanosecond, which a tuple of arrays does not); the
    curves follow from it and the table when the run is over.
    """

    game: Game
    checkpoints: np.ndarray
    diary: np.ndarray

    def results(self) -> dict[str, np.ndarray]:
        """The curves of a finished run."""
        comparator = best_fixed_arm(self.game.gains, self.checkpoints)
        gain = gain_of(*self.game, self.diary, self.checkpoints)
        return {
            "regret": comparator - gain,
            "comparator": comparator,
            "gain": gain,
            "ignored": np.cumsum(self.diary[IGNORED], dtype=np.int64)[self.checkpoints - 1],
        }


class Adversary(Environment):
    """The environment: `draw(rng, horizon)` gives the table of a run, `refuse(horizon)` raises InputError for horizons without one."""

    bytes_per_round = 16.0

    def __init__(
        self,
        number_of_arms: int,
        draw: Callable[[np.random.Generator, int], np.ndarray],
        refuse: Callable[[int], None] | None = None,
        penalty: Penalty = NO_PENALTY,
    ):
        self.number_of_arms, self.draw, self.refuse, self.penalty = number_of_arms, draw, refuse, penalty

    def begin(self, rng: np.random.Generator, horizon: int, t: np.ndarray) -> tuple[Game, GameJournal]:
        """All gains of the run, and an empty journal."""
        game = Game(self.draw(rng, horizon), self.penalty)
        return game, GameJournal(game, t, np.zeros((2, horizon), np.int16))

    def check(self, horizon: int) -> None:
        """Some adversaries play games of certain lengths only."""
        if self.refuse is not None:
            self.refuse(horizon)

    def nanoseconds(self, horizon: int, checkpoints: list[int]) -> float:
        """The table and the diary."""
        return 20.0 * horizon


@kernel
def receive(gains, penalty, diary, t, a):
    """Play arm a in round t; the gain as the player observes it."""
    diary[ARM, t - 1] = a
    gain = float(gains[t - 1, a])
    if penalty.observed and t > 1 and a != diary[ARM, t - 2]:
        return penalty.share * gain - penalty.cost
    return gain


@kernel
def ignore(diary, t):
    """The player throws away what round t told it."""
    diary[IGNORED, t - 1] = 1


@kernel
def gain_of(gains, penalty, diary, checkpoints):
    """The sum of the actual gains, observed or not, up to every checkpoint."""
    total, k = 0.0, 0
    sums = np.zeros(checkpoints.size)
    for t in range(1, checkpoints[-1] + 1):
        a = diary[ARM, t - 1]
        gain = float(gains[t - 1, a])
        if t > 1 and a != diary[ARM, t - 2]:
            gain = penalty.share * gain - penalty.cost
        total += gain
        if t == checkpoints[k]:
            sums[k] = total
            k += 1
    return sums


@kernel
def best_fixed_arm(gains, checkpoints):
    """max_i sum_{s <= t} g_i(s) at every checkpoint t."""
    K = gains.shape[1]
    total, best = np.zeros(K), np.zeros(checkpoints.size)
    s = 0
    for k in range(checkpoints.size):
        while s < checkpoints[k]:
            for i in range(K):
                total[i] += gains[s, i]
            s += 1
        best[k] = total.max()
    return best
