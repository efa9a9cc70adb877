"""A driver for index policies whose arms nearly all lead in turn, arm after arm.

`index.play_leads` compares all arms for each lead, and here a lead has a round or two. So this
driver plays the pulls of a window arm by arm.

If every arm has a stream of its own, its next reports do not depend on the rounds in which it is
played. Suppose that some pulls of a window exceed, with their indices, the index that every arm has
after them. Then they are the window's first pulls: in each round the largest index belongs to one
of them that is still to come. Their order does not matter between two checkpoints.

An index is a + bonus b, with one number that grows, or infinite for an arm with too few pulls. So
it is enough to compare at both ends of the window. LOW and HIGH are the smallest indices of pulls
at the start and at the end. An arm whose index exceeds LOW or HIGH is pulled in this window, too.
Its pulls may lower LOW and HIGH, so the arms are scanned until nothing changes. A window that takes
too many rounds is undone, and the streams with it.

The driver takes the actions of `index.play_rounds` exactly, if both get the same reports. It plays
policies without `noisy`.
"""

import numpy as np

from dpbandits.drivers.index import NO_ARM, Leads, largest, play_rounds, undefined
from dpbandits.kernels import kernel
from dpbandits.privacy.releases import Releases
from dpbandits.random import Stream

FIRST = 2**18  # the round from which on every arm has its own stream
USUAL, LONGEST = 512, 1536  # rounds of a window
ROUNDING = 2.0**-46  # more than the relative error of an index


class Levels(Leads):
    """The short cut of an index a + bonus b of sums without noise; the bonus alone grows."""

    @staticmethod
    def drive(run, policy):
        """Play a whole game."""
        return play_by_levels(run, policy)


@kernel
def play_by_levels(run, policy):
    """Play each arm once, then in every round the first arm with the largest index."""
    K, t, n = run.K, min(FIRST, run.end), run.pulls
    s, arms = np.zeros(K), [policy.statistics(0.0, 1)] * K
    place_of_nan = play_rounds(run, t, policy, s, arms)
    if place_of_nan[0] > 0:
        return place_of_nan
    streams, drop, pays = split(run.rng, K), 1e-3, run.arms
    while t < run.end:
        for a in range(K):
            if undefined(policy, arms[a], policy.growth(t + 1)):
                return t + 1, a
        stop = min(run.next_checkpoint(), t + LONGEST)
        share = (stop - t) / LONGEST  # a window that a checkpoint ends has a smaller drop
        rounds = play_window(run, streams, t, stop, policy, s, arms, drop * share)
        drop *= 1.25 if 0 < rounds < USUAL * share else 0.8
        t += rounds
        for _ in range(0 if rounds > 0 else min(K, stop - t)):
            t += 1
            a, _ = largest(policy, arms, policy.growth(t), NO_ARM)
            own = Releases(Stream(streams[a]), run.releases.noise)
            s[a] += policy.report(own, pays.reward(own.rng, a))
            n[a] += 1
            arms[a] = policy.statistics(s[a], n[a])
        run.note(t)
    return 0, 0


@kernel
def split(rng, K):
    """The words of a stream for each of K arms, as rows."""
    words = np.empty((K, 4), np.uint64)
    for a in range(K):
        for i in range(4):
            words[a, i] = rng.word()
    return words


@kernel
def play_window(run, streams, t, stop, policy, s, arms, drop):
    """Play some of the rounds after t, but not round `stop`; return their number, 0 if undone.

    At first, LOW and HIGH are below the largest index by `drop`.
    """
    n, most, pays, noise = run.pulls, stop - t, run.arms, run.releases.noise
    old_s, old_n, old_streams = s.copy(), n.copy(), streams.copy()
    first, last = policy.growth(t + 1), policy.growth(stop)
    x, y = np.empty(n.size), np.empty(n.size)
    for a in range(n.size):
        x[a], y[a] = policy.index(*arms[a], first), policy.index(*arms[a], last)
    rounding = ROUNDING * (1 + y.max())
    low, high, rounds, previous = x.max() - drop, y.max() - drop, 0, -1
    while previous < rounds < most:
        previous = rounds
        for a in range(n.size):
            if x[a] > low or y[a] > high:
                own = Releases(Stream(streams[a]), noise)
                total, i, u, v = s[a], n[a], x[a], y[a]
                while (u > low or v > high) and i < n[a] + most:
                    low, high = min(low, u - rounding), min(high, v - rounding)
                    total += policy.report(own, pays.reward(own.rng, a))
                    i += 1
                    arm = policy.statistics(total, i)
                    u, v = policy.index(*arm, first), policy.index(*arm, last)
                rounds += i - n[a]
                s[a], n[a], x[a], y[a] = total, i, u, v
    if rounds >= most:
        for a in range(n.size):  # numba takes two seconds to compile `s[:] = old_s`
            s[a], n[a] = old_s[a], old_n[a]
            for i in range(streams.shape[1]):
                streams[a, i] = old_streams[a, i]
        return 0
    for a in range(n.size):
        arms[a] = policy.statistics(s[a], n[a])
    return rounds
