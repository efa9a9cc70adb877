"""Games against an adversary who fixes every gain in advance: a table gains[t - 1, a] in [0, 1].

A policy of this family gets a `game`, which holds the table, and a `journal` whose array `diary`
holds the arm of each round. Kernels use two functions:

    receive(game, diary, t, a)    play arm a in round t; return the gain that the player observes
    ignore(diary, t)              the player ignores its observation of round t
"""

from dpbandits.bandits.game import Game, GameJournal, ignore, receive

__all__ = ["Game", "GameJournal", "ignore", "receive"]
