"""Published actions of a policy in many games, or the reports of its users.

The policy's own compiled kernel plays, with the types of an ordinary run, so that an audit compiles
nothing. Rewards are fixed. The actions follow from what the run records of each game. A game of
eight rounds takes some five microseconds.
"""

import numpy as np

from dpbandits.bandit import check_finished
from dpbandits.bandits.game import ARM, Game, new_game_run
from dpbandits.bandits.rewards import fixed_arms
from dpbandits.bandits.run import new_run
from dpbandits.kernels import kernel
from dpbandits.policy import Policy
from dpbandits.privacy.games import Setting
from dpbandits.privacy.releases import Releases

# The code of a sequence is its product with these random odd numbers.
FACTORS = 2 * np.random.Generator(np.random.SFC64(1)).integers(0, 1 << 63, 1 << 11, np.uint64) + 1


def records(
    policy: Policy, setting: Setting, releases: Releases, rewards: np.ndarray, number: int
) -> np.ndarray:
    """Play games: the pull counts of each at its checkpoints, or the arms of all its rounds."""
    T = setting.horizon
    if policy.family == "games":
        game, actions = Game(rewards[:T].astype(np.uint8)), np.zeros((number, T), np.int16)
        for record in actions:
            run = new_game_run(game, releases)
            policy.play(run)
            check_finished(run)
            record[:] = run.diary[ARM]
        return actions
    arms, checkpoints = fixed_arms(rewards), np.arange(max(T - setting.observed_rounds, 0), T) + 1
    counts = np.zeros((number, checkpoints.size, setting.arms), np.int64)
    run = new_run(arms, releases, T, checkpoints)
    for record in counts:
        run.restart()
        arms.user[0] = 0
        policy.play(run)
        check_finished(run)
        record[:] = run.journal.counts
    return counts


def actions(
    policy: Policy, setting: Setting, releases: Releases, rewards: np.ndarray, number: int
) -> np.ndarray:
    """Play games: a code of the sequence of actions of each."""
    played = records(policy, setting, releases, rewards, number).reshape(number, -1)
    return played.astype(np.uint64) @ FACTORS[: played.shape[1]]


@kernel
def reports(user, releases, reward, number):
    """The reports of users with this reward."""
    values = np.empty(number)
    for i in range(number):
        values[i] = user.report(releases, reward)
    return values
