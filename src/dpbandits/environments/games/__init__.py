"""Games against an adversary who fixes every gain in advance: a table gains[t - 1, a] of numbers in [0, 1].

An algorithm of this family is given a `game`, the pair (gains, penalty), and a `journal` whose array `diary` says which arm
each round played. Two moves are all that a kernel needs (see `_game`):

    receive(gains, penalty, diary, t, a)    play arm a in round t; the gain as the player observes it
    ignore(diary, t)                        the player throws away what it observed in round t
"""

from dpbandits.environments.games._game import Game, GameJournal, ignore, receive

__all__ = ["Game", "GameJournal", "ignore", "receive"]
