"""Games against an adversary who fixes all gains in advance, gains[t - 1, a] in [0, 1].

A policy of this family plays a `GameRun`, which says what an author needs.
"""

from dpbandits.bandits.game import GameRun

__all__ = ["GameRun"]
