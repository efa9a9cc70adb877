"""What a policy publishes in many games: its actions, or of a locally private one the reports of its users.

The policy's own compiled kernel plays, with the types of an ordinary run, so that nothing is compiled for an audit. Rewards
are fixed, and the actions follow from the journal of each game. A game of eight rounds takes some three microseconds.
"""

from collections import defaultdict
from collections.abc import Callable
from types import FunctionType

import numba
import numpy as np
from numba.extending import is_jitted

from dpbandits.audit.settings import Setting
from dpbandits.compiled import kernel
from dpbandits.environments.arms._journal import Journal
from dpbandits.environments.arms._rewards import fixed_arms
from dpbandits.environments.games import Game, GameJournal
from dpbandits.environments.games._game import ARM
from dpbandits.random import Stream

FIRST_CALLS = 100  # of a kernel, which show the types of its arguments
CHUNK = 1 << 14  # games whose records are in memory together
FACTORS = 2 * np.random.Generator(np.random.SFC64(1)).integers(0, 1 << 63, 1 << 11, np.uint64) + 1  # of codes


def quickly(play: Callable) -> Callable:
    """The function `play` and those of its module, which look up the machine code of a kernel once: numba takes longer to find the types
    of all arguments than to play a short game."""
    names = dict(play.__globals__, play=play)
    for name, value in list(names.items()):
        if is_jitted(value):
            names[name] = looked_up_once(value)
        elif isinstance(value, FunctionType) and value.__globals__ is play.__globals__:
            names[name] = FunctionType(value.__code__, names, name, value.__defaults__, value.__closure__)
            names[name].__kwdefaults__ = value.__kwdefaults__
    return names["play"]


def looked_up_once(kernel: Callable) -> Callable:
    """The kernel, whose machine code is kept for arguments of the same classes, if the first calls with these have had one type: machine
    code would take an array of whole numbers for one of floats."""
    types: dict[tuple, list[tuple]] = defaultdict(list)
    found: dict[tuple, Callable] = {}

    def call(*given, **named):
        classes = (*map(type, given), *named)
        if classes in found:
            return found[classes](*given, **named)
        result = kernel(*given, **named)
        types[classes].append(tuple(map(numba.typeof, given)))
        if len(types[classes]) == FIRST_CALLS:
            (first, *others) = set(types[classes])
            code = None if others else kernel.overloads.get(first)  # none if it has defaults or keywords
            found[classes] = code.entry_point if code else kernel
        return result

    return call


def on_arms(play: Callable, setting: Setting, rng: Stream, rewards: np.ndarray, number: int) -> np.ndarray:
    """Play games on arms: of each game the pull counts at its checkpoints."""
    T, arms, kept = setting.horizon, fixed_arms(rewards), np.zeros(1, np.int64)
    checkpoints = np.arange(max(T - setting.told, 0), T) + 1
    counts = np.zeros((number, checkpoints.size, setting.arms), np.int64)
    for record in counts:
        arms.user[0] = kept[0] = 0
        play(rng, arms, T, Journal(checkpoints, record, kept))
    return counts


def against_adversary(play: Callable, setting: Setting, rng: Stream, rewards: np.ndarray, number: int) -> np.ndarray:
    """Play games on a table of gains: of each game the arms of all rounds."""
    T = setting.horizon
    game, checkpoints, diaries = Game(rewards[:T].astype(np.uint8)), np.array([T]), np.zeros((number, 2, T), np.int16)
    for diary in diaries:
        play(rng, game, T, GameJournal(game, checkpoints, diary))
    return diaries[:, ARM]


PLAYED = {"arms": on_arms, "games": against_adversary}  # by family


def actions(family: str, play: Callable, setting: Setting, rng: Stream, rewards: np.ndarray, number: int) -> np.ndarray:
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
