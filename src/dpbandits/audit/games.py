"""The outputs of a policy in many games: its actions, or the reports of its users.

The policy's own compiled kernel plays, with the types of an ordinary run, so that an audit compiles
nothing. Rewards are fixed. The actions follow from the journal of each game. A game of eight rounds
takes some five microseconds.
"""

import numpy as np

from dpbandits.audit.inputs import Setting
from dpbandits.bandits.game import ARM
from dpbandits.bandits.games import Game, GameJournal
from dpbandits.bandits.journal import Journal
from dpbandits.bandits.rewards import fixed_arms
from dpbandits.kernels import kernel
from dpbandits.policy import Policy
from dpbandits.random import Stream

CHUNK = 1 << 14  # games whose records are in memory together
# Of the codes of sequences.
FACTORS = 2 * np.random.Generator(np.random.SFC64(1)).integers(0, 1 << 63, 1 << 11, np.uint64) + 1


def on_arms(
    policy: Policy, setting: Setting, rng: Stream, rewards: np.ndarray, number: int
) -> np.ndarray:
    """Play games on arms: the pull counts of each game at its checkpoints."""
    T, arms, count = setting.horizon, fixed_arms(rewards), np.zeros(1, np.int64)
    checkpoints = np.arange(max(T - setting.observed_rounds, 0), T) + 1
    counts = np.zeros((number, checkpoints.size, setting.arms), np.int64)
    for record in counts:
        arms.user[0] = count[0] = 0
        policy.play(rng, arms, T, Journal(checkpoints, record, count))
    return counts


def against_adversary(
    policy: Policy, setting: Setting, rng: Stream, rewards: np.ndarray, number: int
) -> np.ndarray:
    """Play games on a table of gains: the arms of all rounds of each game."""
    T = setting.horizon
    game, checkpoints, diaries = (
        Game(rewards[:T].astype(np.uint8)),
        np.array([T]),
        np.zeros((number, 2, T), np.int16),
    )
    for diary in diaries:
        policy.play(rng, game, T, GameJournal(game, checkpoints, diary))
    return diaries[:, ARM]


PLAY = {"arms": on_arms, "games": against_adversary}  # by family


def actions(
    policy: Policy, setting: Setting, rng: Stream, rewards: np.ndarray, number: int
) -> np.ndarray:
    """Play games: a code of the sequence of actions of each."""
    codes = np.empty(number, np.uint64)
    for first in range(0, number, CHUNK):
        records = PLAY[policy.family](policy, setting, rng, rewards, min(CHUNK, number - first))
        records = records.reshape(len(records), -1).astype(np.uint64)
        codes[first : first + CHUNK] = records @ FACTORS[: records.shape[1]]
    return codes


@kernel
def reports(rule, rng, reward, number):
    """The reports of users with this reward."""
    values = np.empty(number)
    for i in range(number):
        values[i] = rule.report(rng, reward)
    return values
