"""A driver for index policies of which nearly all arms lead in turn: each arm is played down to one level.

Suppose that the growth of the indices stands still. The policy plays an arm with the largest index; so up to the first round
after which no index is above some level, it plays each arm until its own index is at most that level, and not once more.
In which order is of no importance between two checkpoints, since the reports of an arm do not depend on when it is played.
So no round needs a comparison of arms: the pulls of one arm are made one after another.

The driver plays rules (`_index`) with terms(s, n) = (mean, width) and index(terms, growth) = mean + growth * width, with a
width that does not increase with n, and whose release is the sum itself. In a window of rounds the growth changes. The
level is said to rise by the change times a width, `middle`; then the index of an arm changes, relative to the level, by
the change times (width - middle). A pull is sure to be made if the index before it is above the level at every growth that
is possible, and sure not to be made if it is at or below the level at each. A window has two steps:

1. Every arm is played as long as its next pull is sure to be made, whichever round of the window that is.
2. What these pulls leave open is decided after them, so only the growth from that round on is possible, as long as the
   level is so much lower that up to that round an arm below it was below the former level. Where the next pull of an arm
   is neither sure to be made nor sure not to be, the level is lowered until it is made. The window ends when the next
   pulls of all arms are sure not to be made.

A window that takes more rounds than it may is undone; but reports that were drawn stay, in the order of their arm's pulls,
and its rounds are played one by one with them. So are the last rounds before a checkpoint.

The driver takes the actions of `_index.play_round_by_round` exactly, if both get the same reports from every arm; from one
generator they are drawn in another order, so that the two agree in law. tests/algorithms/arms/test_levels.py compares them.
"""

import numpy as np

from dpbandits.algorithms.arms._index import leader, play_each_once, play_rounds
from dpbandits.environments.arms import next_checkpoint, note, pull
from dpbandits.kernels.compiled import kernel, step

FIRST = 2**18  # the round from which on windows are used
LONGEST = 2**12  # the most rounds of a window, and so the most reports of an arm that are drawn and not yet used
SPARE = 3  # a window may take so many times the rounds that it is expected to take
DECIDING = 20  # rounds per arm of the second step of a window
ROUNDING = 2.0**-46  # more than the errors of an index, relative to its terms


@kernel
def play_by_levels(rng, arms, horizon, journal, rule):
    """Play each arm once, then in every round the argmax of all indices (ties: the first arm)."""
    start, terms, s, n, pulls = play_each_once(rng, arms, horizon, journal, rule)
    t = min(max(start, FIRST), horizon)
    play_rounds(rng, arms, start, t, journal, rule, terms, s, n, pulls)
    if rule.not_forced_before(n) <= horizon:
        play_rounds(rng, arms, t, horizon, journal, rule, terms, s, n, pulls)
        return
    K = n.size
    coming, drawn = np.zeros((K, LONGEST)), n.copy()  # report i of an arm (from 0) is in the place i % LONGEST
    while t < horizon:
        stop = next_checkpoint(journal)
        while t < stop:
            most, made = min(stop - t, LONGEST), 0
            if most >= SPARE * K:
                made = window(rng, arms, t, most, rule, terms, s, n, coming, drawn)
            t += made
            if made == 0:
                for _ in range(most):
                    t += 1
                    a = leader(rule, terms, rule.growth(t))
                    s[a] += report(rng, arms, a, n[a], rule, coming, drawn)
                    n[a] += 1
                    terms[a] = rule.terms(s[a], n[a])
        note(journal, t, n)


@step
def report(rng, arms, a, i, rule, coming, drawn):
    """Report number i of arm a, which is drawn if it has not been."""
    place = i % LONGEST
    if i == drawn[a]:
        coming[a, place] = rule.report(rng, pull(rng, arms, a))
        drawn[a] += 1
    return coming[a, place]


@kernel
def window(rng, arms, t, most, rule, terms, s, n, coming, drawn):
    """Play at most this many of the rounds after t: their number, or 0 if more were needed, and nothing is changed but what
    is drawn."""
    K, now = n.size, rule.growth(t + 1)
    sums, counts, index, width = s.copy(), n.copy(), np.empty(K), np.empty(K)
    best, widest, total, middle, pulls_in_one = -np.inf, 0.0, 0, 0.0, 0.0
    for a in range(K):
        index[a], width[a] = rule.index(terms[a], now), terms[a][1]
        best, widest = max(best, index[a]), max(widest, width[a])
        total += n[a]
        middle += n[a] * width[a]
        pulls_in_one += 1 / (now * width[a] / (2 * n[a]))  # while the level falls by 1, if a width is 1/sqrt(n)
    middle /= total
    level, rounding = best - most / SPARE / pulls_in_one, ROUNDING * (1 + now * widest)

    change = rule.growth(t + most) - now
    narrower, above, below = np.empty(K), np.empty(K), np.empty(K)
    for a in range(K):
        narrower[a] = max(middle - rule.terms(0.0, n[a] + most)[1], 0.0)
        above[a] = change * narrower[a] + rounding
        below[a] = -above[a]
    made, level = play_down(rng, arms, 0, most, rule, now, level, above, below, sums, counts, index, coming, drawn)
    later = rule.growth(t + made + 1)
    level += (later - now) * (middle - narrower.max()) - rounding
    most = min(most, made + DECIDING * K)
    change = rule.growth(t + most) - later
    for a in range(K):
        index[a] = rule.index(rule.terms(sums[a], counts[a]), later)
        above[a] = change * narrower[a] + rounding
        below[a] = change * max(width[a] - middle, 0.0) + rounding
    before = -1
    while before < made <= most:
        before = made
        made, level = play_down(
            rng, arms, made, most, rule, later, level, above, below, sums, counts, index, coming, drawn
        )
    if made > most:
        return 0
    for a in range(K):
        s[a], n[a], terms[a] = sums[a], counts[a], rule.terms(sums[a], counts[a])
    return made


@kernel
def play_down(rng, arms, made, most, rule, growth, level, above, below, s, n, index, coming, drawn):
    """Play every arm until its index is at level - below. The level is lowered where a pull would be made from less than
    level + above. Return the number of pulls, which ends at most + 1, and the level."""
    for a in range(n.size):
        x, i = index[a], n[a]
        if x > level - below[a]:
            total, last = s[a], n[a] + most - made
            while x > level - below[a] and i <= last:
                level = min(level, x - above[a])
                total += report(rng, arms, a, i, rule, coming, drawn)
                i += 1
                x = rule.index(rule.terms(total, i), growth)
            made += i - n[a]
            s[a], n[a], index[a] = total, i, x
    return made, level
