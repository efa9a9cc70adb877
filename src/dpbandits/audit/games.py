"""What a policy publishes in many games: its actions, or of a locally private one the reports of its users.

The policy's own compiled kernel plays, with the types of an ordinary run, so that nothing is compiled for an audit. Rewards
are fixed, and the actions follow from the journal of each game. A game of eight rounds takes some five microseconds.
"""

from collections.abc import Callable

import numpy as np

from dpbandits.audit.inputs import Setting
from dpbandits.compiled import kernel
from dpbandits.environments.arms._journal import Journal
from dpbandits.environments.arms._rewards import fixed_arms
from dpbandits.environments.games import Game, GameJournal
from dpbandits.environments.games._game import ARM
from dpbandits.random import Stream

CHUNK = 1 << 14  # games whose records are in memory together
FACTORS = (
    2 * np.random.Generator(np.random.SFC64(1)).integers(0, 1 << 63, 1 << 11, np.uint64) + 1
)  # of codes


def on_arms(
    play: Callable, setting: Setting, rng: Stream, rewards: np.ndarray, number: int
) -> np.ndarray:
    """Play games on arms: of each game the pull counts at its checkpoints."""
    T, arms, kept = setting.horizon, fixed_arms(rewards), np.zeros(1, np.int64)
    checkpoints = np.arange(max(T - setting.told, 0), T) + 1
    counts = np.zeros((number, checkpoints.size, setting.arms), np.int64)
    for record in counts:
        arms.user[0] = kept[0] = 0
        play(rng, arms, T, Journal(checkpoints, record, kept))
    return counts


def against_adversary(
    play: Callable, setting: Setting, rng: Stream, rewards: np.ndarray, number: int
) -> np.ndarray:
    """Play games on a table of gains: of each game the arms of all rounds."""
    T = setting.horizon
    game, checkpoints, diaries = (
        Game(rewards[:T].astype(np.uint8)),
        np.array([T]),
        np.zeros((number, 2, T), np.int16),
    )
    for diary in diaries:
        play(rng, game, T, GameJournal(game, checkpoints, diary))
    return diaries[:, ARM]


PLAYED = {"arms": on_arms, "games": against_adversary}  # by family


def actions(
    family: str, play: Callable, setting: Setting, rng: Stream, rewards: np.ndarray, number: int
) -> np.ndarray:
    """A code of the sequence of actions of each of so many games."""
    codes = np.empty(number, np.uint64)
    for first in range(0, number, CHUNK):
        records = PLAYED[family](play, setting, rng, rewards, min(CHUNK, number - first))
        records = records.reshape(len(records), -1).astype(np.uint64)
        codes[first : first + CHUNK] = records @ FACTORS[: records.shape[1]]
    return codes


@kernel
def reports(rule, rng, reward, number):
    """The reports of so many users with this reward."""
    found = np.empty(number)
    for i in range(number):
        found[i] = rule.report(rng, reward)
    return found
