"""Published actions of a policy in many games, or the reports of its users.

The policy's own compiled kernel plays, with the types of an ordinary run, so that an audit compiles
nothing. Rewards are fixed. The actions follow from what the run records of each game. A game of
eight rounds takes some five microseconds.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from dpbandits.bandit import check_finished
from dpbandits.bandits.game import ARM, Game, new_game_run
from dpbandits.bandits.rewards import fixed_arms
from dpbandits.bandits.run import new_run
from dpbandits.kernels import kernel
from dpbandits.policy import Policy
from dpbandits.privacy.games import Setting
from dpbandits.privacy.releases import Releases


class FixedGame(NamedTuple):
    """A run on fixed rewards, which can be played again and again."""

    run: Any
    record: np.ndarray  # the pull counts at its checkpoints, or the arms of all its rounds
    paid: np.ndarray  # of one element: the number of users so far
    restart: Callable[[], None]

    def play(self, policy: Policy) -> np.ndarray:
        """Play from the beginning; return the record."""
        self.restart()
        self.paid.fill(0)
        policy.play(self.run)
        check_finished(self.run)
        return self.record


def begin(
    policy: Policy, releases: Any, rewards: np.ndarray, horizon: int, observed_rounds: int = 0
) -> FixedGame:
    """Begin a run of the policy's family; `observed_rounds`: of its end, by default all."""
    if policy.family == "games":
        run = new_game_run(Game(rewards[:horizon]), releases)
        return FixedGame(run, run.diary[ARM], run.rounds, partial(run.diary.fill, 0))
    rounds = np.arange(horizon)[-observed_rounds:] + 1
    run = new_run(arms := fixed_arms(rewards), releases, horizon, rounds)
    return FixedGame(run, run.counts, arms.user, run.restart)


def records(
    policy: Policy, setting: Setting, releases: Releases, rewards: np.ndarray, number: int
) -> np.ndarray:
    """Play games: the record of each."""
    game = begin(policy, releases, rewards, setting.horizon, setting.observed_rounds)
    result = np.empty((number, *game.record.shape), game.record.dtype)
    for record in result:
        record[:] = game.play(policy)
    return result


def actions(
    policy: Policy, setting: Setting, releases: Releases, rewards: np.ndarray, number: int
) -> np.ndarray:
    """Play games: a code of the sequence of actions of each."""
    played = records(policy, setting, releases, rewards, number).reshape(number, -1)
    return played.astype(np.uint64) @ factors(played.shape[1])


def factors(number: int) -> np.ndarray:
    """Random odd numbers: the code of a sequence is its product with these."""
    return 2 * np.random.Generator(np.random.SFC64(1)).integers(0, 1 << 63, number, np.uint64) + 1


@kernel
def reports(user, releases, reward, number):
    """The reports of users with this reward."""
    values = np.empty(number)
    for i in range(number):
        values[i] = user.report(releases, reward)
    return values
