"""Algorithms that play games against an adversary. One module each; `exp3.py` is the shortest example.

EXP3's weights, which all of them share, are in `_weights`; the constants of tossou2017 in `_tuning`. The moves that a kernel
makes are those of `dpbandits.environments.games`.
"""

from typing import Any, Protocol

import numpy as np

from dpbandits.environments.games import Game, GameJournal


class Algorithm(Protocol):
    """A module of this folder; `check`, `privacy`, `composition` and `nanoseconds` are as in `dpbandits.algorithms.arms`."""

    def play(self, rng: np.random.Generator, game: Game, horizon: int, journal: GameJournal, **parameters: Any) -> None:
        """One run of `horizon` rounds. Kernels take the game and `journal.diary` apart: see `dpbandits.environments.games`."""
