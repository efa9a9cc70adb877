"""Algorithms that play games against an adversary, one module each; `exp3.py` is the shortest example.

The weights of EXP3, which all of them use, are in `_weights`; the constants of tossou2017 in `_tuning`. Kernels get the game and
`journal.diary`, and receive feedback with the functions of `dpbandits.bandits.games`.
"""
