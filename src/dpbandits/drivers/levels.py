"""A driver for index policies of which nearly all arms lead in turn: each arm is played down to one level.

Suppose that the growth of the indices stands still, and let LEVEL be a number to which all of them have just fallen. Then each
arm has been played until its own index was at most the level, and not once more. The order does not matter between two checkpoints, since an arm's reports do not depend on when it is played: the
pulls of one arm are made one after another, and no round compares arms.

In a WINDOW of rounds the growth changes, from g0 to g. Define the level at growth g as level + (g - g0) middle, where `middle`
is the average width of the arms that are played. An index mean + g width then changes, relative to the level, by (g - g0)
(width - middle). A pull is sure to be made if the index before it is above the level at every growth that is possible in the
window, and sure not to be made if it is at or below the level at each. A window has two steps:

1. Every arm is played as long as its next pull is sure to be made, whichever round of the window that is.
2. What these pulls leave open is decided after them, so that only the growth from that round on is possible, from a
   level so much lower that no arm at or below it has been above the former one meanwhile. Where the next pull of an arm
   is neither sure to be made nor sure not to be, the level is lowered until it is made.

A window that takes more rounds than it may is undone; but reports that were drawn stay, in the order of their arm's pulls,
and its rounds are played one by one with them. So are the last rounds before a checkpoint. Each arm has a stream of its own for
its reports, so that the actions depend neither on windows nor on checkpoints.

The driver plays rules (`_index`) whose release is the sum itself, whose terms begin with a mean and a width (of n alone, which
does not increase), and whose index, where it is finite, is mean + growth(t)[0] width. It takes the actions of
`_index.play_rounds` exactly, if both get the same reports from every arm.
"""

import numpy as np

from dpbandits.bandits.arms import next_checkpoint, note, pull
from dpbandits.drivers.index import NO_ARM, largest, play_rounds
from dpbandits.kernels import kernel, step
from dpbandits.random import Stream

FIRST = 2**18  # the round from which on windows are used
PLACES = 2**12  # the most reports of an arm that are drawn and not yet used
LONGEST = PLACES - 1  # the most rounds of a window: one more report shows that it takes too many
SPARE = 3  # a window may take so many times the rounds that it is expected to take
DECIDING = 20  # rounds per arm of the second step of a window
ROUNDING = 2.0**-46  # more than the errors of an index, relative to its terms


@kernel
def play_by_levels(rng, arms, horizon, journal, rule):
    """Play each arm once, then in every round the first arm with the largest index."""
    K, t = arms.means.size, min(FIRST, horizon)
    terms, s, n = [rule.terms(0.0, 1)] * K, np.zeros(K), np.zeros(K, np.int64)
    play_rounds(rng, arms, np.int64(0), t, journal, rule, terms, s, n)
    _, highest = largest(rule, terms, rule.growth(horizon), NO_ARM)
    if highest == np.inf:  # an arm must be played, which has no level
        play_rounds(rng, arms, t, horizon, journal, rule, terms, s, n)
        return
    coming, drawn = (
        np.zeros((K, PLACES)),
        n.copy(),
    )  # report i of an arm (from 0) is in the place i % PLACES
    streams = split(rng, K)
    while t < horizon:
        stop = next_checkpoint(journal)
        while t < stop:
            most, made = min(stop - t, LONGEST), 0
            if most >= SPARE * K:
                made = window(streams, arms, t, most, rule, terms, s, n, coming, drawn)
            t += made
            if made == 0:
                for _ in range(most):
                    t += 1
                    a, _ = largest(rule, terms, rule.growth(t), NO_ARM)
                    s[a] += report(streams, arms, a, n[a], rule, coming, drawn)
                    n[a] += 1
                    terms[a] = rule.terms(s[a], n[a])
        note(journal, t, n)


@kernel
def split(rng, K):
    """A stream for each of K arms: its words are a row."""
    words = np.empty((K, 4), np.uint64)
    for a in range(K):
        for i in range(4):
            words[a, i] = rng.word()
    return Stream(words, rng.noise)


@step
def index(terms, growth):
    return terms[0] + growth[0] * terms[1]


@step
def report(streams, arms, a, i, rule, coming, drawn):
    """Report i of arm a; it is drawn if it has not been before."""
    place = i % PLACES
    if i == drawn[a]:
        own = Stream(streams.words[a], streams.noise)
        coming[a, place] = rule.report(own, pull(own, arms, a))
        drawn[a] += 1
    return coming[a, place]


@kernel
def window(streams, arms, t, most, rule, terms, s, n, coming, drawn):
    """Play at most `most` of the rounds after t, and return how many; 0 if it would take more, and then only reports are drawn."""
    K, now = n.size, rule.growth(t + 1)
    sums, counts, x, width = s.copy(), n.copy(), np.empty(K), np.empty(K)
    best, widest, pulls_so_far, middle, pulls_in_one = -np.inf, 0.0, 0, 0.0, 0.0
    for a in range(K):
        x[a], width[a] = index(terms[a], now), terms[a][1]
        best, widest = max(best, x[a]), max(widest, width[a])
        pulls_so_far += n[a]
        middle += n[a] * width[a]
        pulls_in_one += 1 / (
            now[0] * width[a] / (2 * n[a])
        )  # while its index falls by 1, if widths are 1/sqrt(n)
    middle /= pulls_so_far
    level, rounding = best - most / SPARE / pulls_in_one, ROUNDING * (1 + now[0] * widest)

    change = rule.growth(t + most)[0] - now[0]
    # Relative to the level an index falls by at most above[a], and rises by at most below[a]; the first step makes sure pulls only.
    narrower, above, below, narrowest = np.empty(K), np.empty(K), np.empty(K), 0.0
    for a in range(K):
        narrower[a] = max(middle - rule.terms(0.0, n[a] + most)[1], 0.0)
        narrowest = max(narrowest, narrower[a])
        above[a] = change * narrower[a] + rounding
        below[a] = -above[a]
    made, level = play_down(
        streams,
        arms,
        np.int64(0),
        most,
        rule,
        now,
        level,
        above,
        below,
        sums,
        counts,
        x,
        coming,
        drawn,
    )
    later = rule.growth(t + made + 1)
    level += (later[0] - now[0]) * (middle - narrowest) - rounding
    most = min(most, made + DECIDING * K)
    change = rule.growth(t + most)[0] - later[0]
    for a in range(K):
        x[a] = index(rule.terms(sums[a], counts[a]), later)
        above[a] = change * narrower[a] + rounding
        below[a] = change * max(width[a] - middle, 0.0) + rounding
    before = -1
    while before < made <= most:
        before = made
        made, level = play_down(
            streams,
            arms,
            made,
            most,
            rule,
            later,
            level,
            above,
            below,
            sums,
            counts,
            x,
            coming,
            drawn,
        )
    if made > most:
        return 0
    for a in range(K):
        s[a], n[a], terms[a] = sums[a], counts[a], rule.terms(sums[a], counts[a])
    return made


@kernel
def play_down(streams, arms, made, most, rule, growth, level, above, below, s, n, x, coming, drawn):
    """Play every arm while its index is above level - below[a]; lower the level to index - above[a] where that is less. Return the
    level and the number of pulls (cut at `most` + 1)."""
    for a in range(n.size):
        now, i = x[a], n[a]
        if now > level - below[a]:
            total, last = s[a], n[a] + most - made
            while now > level - below[a] and i <= last:
                level = min(level, now - above[a])
                total += report(streams, arms, a, i, rule, coming, drawn)
                i += 1
                now = index(rule.terms(total, i), growth)
            made += i - n[a]
            s[a], n[a], x[a] = total, i, now
    return made, level
