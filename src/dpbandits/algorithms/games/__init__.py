"""Algorithms that play games against an adversary, one module each; `exp3.py` is the shortest example.

The weights of EXP3, which all of them use, are in `_weights`; the constants of tossou2017 in `_tuning`. Kernels receive
feedback with the functions of `dpbandits.environments.games`.
"""

from typing import Any, Protocol

from dpbandits.environments.games import Game, GameJournal
from dpbandits.random import Stream


class Algorithm(Protocol):
    """A module of this folder; what it may define besides is in `dpbandits.algorithms`."""

    def play(self, rng: Stream, game: Game, horizon: int, journal: GameJournal, **parameters: Any) -> None:
        """Play one run of `horizon` rounds. Kernels get the game and `journal.diary`: see `dpbandits.environments.games`."""
