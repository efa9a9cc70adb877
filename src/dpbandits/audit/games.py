"""Published actions of a policy in many games, or the reports of its users.

The policy's own compiled kernel plays, with the types of an ordinary run, so that an audit compiles
nothing. Rewards are fixed. The actions follow from the journal of each game. A game of eight rounds
takes some five microseconds.
"""

import numpy as np

from dpbandits.bandits.game import ARM
from dpbandits.bandits.games import Game, GameJournal
from dpbandits.bandits.journal import Journal
from dpbandits.bandits.rewards import fixed_arms
from dpbandits.kernels import kernel
from dpbandits.policy import Policy
from dpbandits.privacy.games import Setting
from dpbandits.random import Stream

# The code of a sequence is its product with these random odd numbers.
FACTORS = 2 * np.random.Generator(np.random.SFC64(1)).integers(0, 1 << 63, 1 << 11, np.uint64) + 1


def records(
    policy: Policy, setting: Setting, rng: Stream, rewards: np.ndarray, number: int
) -> np.ndarray:
    """Play games: the pull counts of each at its checkpoints, or the arms of all its rounds."""
    T = setting.horizon
    if policy.family == "games":
        game, checkpoints = Game(rewards[:T].astype(np.uint8)), np.array([T])
        diaries = np.zeros((number, 2, T), np.int16)
        for diary in diaries:
            policy.play(rng, game, T, GameJournal(game, checkpoints, diary))
        return diaries[:, ARM]
    arms, count = fixed_arms(rewards), np.zeros(1, np.int64)
    checkpoints = np.arange(max(T - setting.observed_rounds, 0), T) + 1
    counts = np.zeros((number, checkpoints.size, setting.arms), np.int64)
    for record in counts:
        arms.user[0] = count[0] = 0
        policy.play(rng, arms, T, Journal(checkpoints, record, count))
    return counts


def actions(
    policy: Policy, setting: Setting, rng: Stream, rewards: np.ndarray, number: int
) -> np.ndarray:
    """Play games: a code of the sequence of actions of each."""
    played = records(policy, setting, rng, rewards, number).reshape(number, -1)
    return played.astype(np.uint64) @ FACTORS[: played.shape[1]]


@kernel
def reports(rule, rng, reward, number):
    """The reports of users with this reward."""
    values = np.empty(number)
    for i in range(number):
        values[i] = rule.report(rng, reward)
    return values
