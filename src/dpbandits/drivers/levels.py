"""A driver for index policies whose arms nearly all lead in turn, arm after arm.

If every arm has a stream of its own, its next reports do not depend on the rounds in which it is
played. Suppose that some pulls of a window exceed, with their indices, the index that every arm has
after them. Then they are the window's first pulls: in each round the largest index belongs to one
of them that is still to come. Their order does not matter between two checkpoints.

An index is a + growth b, with one number that grows. So it is enough to compare at both ends of
the window. LOW and HIGH are the smallest indices of pulls at the start and at the end. An arm that
exceeds one of them is not below all pulls: it is pulled, too, which may lower both. A window that
takes too many rounds is undone, and the streams with it.

The driver takes the actions of `index.play_rounds` exactly, if both get the same reports. It plays
rules that receive the sum itself.
"""

import numpy as np

from dpbandits.bandits.arms import next_checkpoint, note, pull
from dpbandits.drivers.index import NO_ARM, Tally, largest, play_rounds, undefined
from dpbandits.kernels import kernel
from dpbandits.random import Stream

FIRST = 2**18  # the round from which on every arm has its own stream
USUAL, LONGEST = 512, 1536  # rounds of a window
ROUNDING = 2.0**-46  # more than the relative error of an index


@kernel
def play_by_levels(rng, arms, horizon, journal, rule):
    """Play each arm once, then in every round the first arm with the largest index."""
    K, t = arms.means.size, min(FIRST, horizon)
    s, n, terms = np.zeros(K), np.zeros(K, np.int64), [rule.terms(0.0, 1)] * K
    tally = Tally(s, n, n)
    place_of_nan = play_rounds(rng, arms, np.int64(0), t, journal, rule, tally, terms)
    if place_of_nan[0] > 0:
        return place_of_nan
    streams, drop = split(rng, K), 1e-3
    while t < horizon:
        for a in range(K):
            if undefined(rule, terms[a], rule.growth(t + 1)):
                return t + 1, a
        stop = min(next_checkpoint(journal), t + LONGEST)
        made = play_window(streams, arms, t, stop, rule, tally, terms, drop)
        drop *= 1.25 if 0 < made < USUAL else 0.8
        t += made
        for _ in range(0 if made > 0 else min(K, stop - t)):
            t += 1
            a, _ = largest(rule, terms, rule.growth(t), NO_ARM)
            own = Stream(streams.words[a], streams.noise)
            s[a] += rule.report(own, pull(own, arms, a))
            n[a] += 1
            terms[a] = rule.terms(s[a], n[a])
        note(journal, t, n)
    return 0, 0


@kernel
def split(rng, K):
    """A stream for each of K arms: its words are a row."""
    words = np.empty((K, 4), np.uint64)
    for a in range(K):
        for i in range(4):
            words[a, i] = rng.word()
    return Stream(words, rng.noise)


@kernel
def play_window(streams, arms, t, stop, rule, tally, terms, drop):
    """Play some of the rounds after t, but not round `stop`; return their number, 0 if undone.

    At first, LOW and HIGH are below the largest index by `drop`.
    """
    s, n, _ = tally
    most = stop - t
    old_s, old_n, old_words = s.copy(), n.copy(), streams.words.copy()
    first, last = rule.growth(t + 1), rule.growth(stop)
    x, y = np.empty(n.size), np.empty(n.size)
    for a in range(n.size):
        x[a], y[a] = rule.score(terms[a], first), rule.score(terms[a], last)
    rounding = ROUNDING * (1 + y.max())
    low, high, made, before = x.max() - drop, y.max() - drop, 0, -1
    while before < made < most:
        before = made
        for a in range(n.size):
            if x[a] > low or y[a] > high:
                own = Stream(streams.words[a], streams.noise)
                total, i, u, v = s[a], n[a], x[a], y[a]
                while (u > low or v > high) and i < n[a] + most:
                    low, high = min(low, u - rounding), min(high, v - rounding)
                    total += rule.report(own, pull(own, arms, a))
                    i += 1
                    of_arm = rule.terms(total, i)
                    u, v = rule.score(of_arm, first), rule.score(of_arm, last)
                made += i - n[a]
                s[a], n[a], x[a], y[a] = total, i, u, v
    if made >= most:
        s[:], n[:], streams.words[:] = old_s, old_n, old_words
        return 0
    for a in range(n.size):
        terms[a] = rule.terms(s[a], n[a])
    return made
