"""Arms whose rewards are fixed in advance, one for each round, and the package's own kernels compiled to pull from them.

With them a Monte Carlo can attack what a kernel promises about privacy: two scripts that differ in one reward, and how often
each sequence of actions comes up under either.
"""

import types
from functools import cache
from typing import NamedTuple

import numba
import numpy as np
from numba.core.dispatcher import Dispatcher

from dpbandits.environments.journal import blank_journal
from dpbandits.randomness import stream


class Script(NamedTuple):
    """The arms: `means` is for their number only; the reward of round t is rewards[t] whichever arm is played."""

    means: np.ndarray
    rewards: np.ndarray
    played: np.ndarray


@numba.njit
def scripted_pull(rng, arms, a):
    """The next reward of the script."""
    t = arms.played[0]
    arms.played[0] = t + 1
    return arms.rewards[t]


@numba.njit
def scripted_sum(rng, arms, a, m):
    """The sum of the next m rewards."""
    total = 0.0
    for _ in range(m):
        total += scripted_pull(rng, arms, a)
    return total


@cache
def on_script(function, others=()):
    """The same kernel, and every kernel of the package that it calls, compiled with pulls from the script.

    `others`: pairs of a name and what the kernel is to find under it instead, for instance to spy on an index.
    """
    code = function.py_func
    names = dict(code.__globals__)
    for name in code.__code__.co_names:
        found = names.get(name)
        if isinstance(found, Dispatcher) and found.py_func.__module__.startswith("dpbandits."):
            names[name] = on_script(found)
    names |= {"pull": scripted_pull, "pull_many": scripted_sum, **dict(others)}
    return numba.njit(types.FunctionType(code.__code__, names, code.__name__, code.__defaults__, code.__closure__))


def sequences(play, arguments, rewards, runs, seed):
    """How often each sequence of actions of two arms was taken, as a number with a bit per round, the first the highest.

    `arguments(journal, pulls)`: what the kernel is given after (rng, arms).
    """
    T = rewards.size
    counts = np.zeros(1 << T, np.int64)
    # A gap in the journal alone tells the arms apart.
    journal = blank_journal(np.array([0.0, 1.0]), np.arange(1, T + 1))
    arms = Script(np.zeros(2), rewards, np.zeros(1, np.int64))
    pulls = np.zeros(2, np.int64)
    given = arguments(journal, pulls)
    _repeated(play)(stream(seed, *rewards.tolist()), arms, journal, pulls, counts, runs, given)
    return counts


@cache
def _repeated(play):
    @numba.njit
    def repeat(rng, arms, journal, pulls, counts, runs, given):
        for _ in range(runs):
            arms.played[0] = 0
            journal.kept[0] = 0
            pulls[:] = 0
            play(rng, arms, *given)
            code, before = 0, 0.0
            for t in range(journal.regret.size):
                code = 2 * code + (1 if journal.regret[t] > before + 0.5 else 0)
                before = journal.regret[t]
            counts[code] += 1

    return repeat
