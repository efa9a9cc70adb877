"""A driver for index policies of which nearly all arms lead in turn: a tournament finds the leader without a scan.

It plays rules (`_index`) with terms(s, n) = (s/n, width), where index(terms, growth) = mean + growth * width, 0 <= mean <= 1,
and (1/n, width) = of_pulls(n) with a width that does not increase with the pull count n. It takes the same actions as
`_index.play_round_by_round`, exactly:

- The indices at one growth, that of the middle of a window of rounds, are the leaves of a tree in which every node is the
  larger of its two children. After a round only the nodes between one leaf and the root change.
- In another round of the window the difference of two indices is that of their leaves plus (growth - middle) times the
  difference of their widths. As long as the root is above every other leaf by more than this can be, and more than
  rounding can be, the arm at the root is the argmax. Otherwise all indices are computed (`_index.leader`).

How soon a round can begin after the last one is the time from one leader to the next. Not in this time: the next `of_pulls`
of an arm, a division and a root, is computed as soon as its n is known; and the new root is the larger of the new leaf and
of the other leaves' largest, which is known before the reward, so that no round waits for the nodes between them.

The last bits of a leaf are the number of its arm, so that a maximum of numbers carries the arm with it. This changes a
leaf less than the rounding that is allowed for. tests/algorithms/arms/test_index.py compares the drivers bit for bit.
"""

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from dpbandits.algorithms.arms._index import leader, play_each_once
from dpbandits.environments.arms import next_checkpoint, note, pull
from dpbandits.kernels.compiled import kernel

SHORTEST, LONGEST = 16, 4096  # the smallest and the largest number of rounds in a window
ROUNDING = 2.0**-50  # more than the errors of an index, relative to its terms, apart from the last bits


@kernel
def play_by_tournament(rng, arms, horizon, journal, rule):
    """Play each arm once, then in every round the argmax of all indices (ties: the first arm)."""
    t, terms, s, n, pulls = play_each_once(rng, arms, horizon, journal, rule)
    coming = [rule.of_pulls(n[a] + 1) for a in range(n.size)]
    leaves = 1
    while leaves < n.size:
        leaves *= 2
    tree = np.full(2 * leaves, -np.inf)  # the root is tree[1], the children of tree[p] are tree[2 p] and tree[2 p + 1]
    free, length = 0.0, SHORTEST
    while t < horizon:
        last = min(t + length, horizon)
        middle = (rule.growth(t + 1) + rule.growth(last)) / 2
        reach = rule.growth(last) - middle
        widest, narrowest = plant(tree, leaves, terms, middle)
        rounding = leaves * ROUNDING * (1 + middle * widest)
        scans = 0
        best = tree[1]
        while t < last:
            stop = min(last, next_checkpoint(journal))
            while t < stop:
                t += 1
                a = arm_of(best, leaves)
                width = terms[a][1]
                apart = reach * max(widest - width, width - narrowest) + rounding
                rest = second(tree, leaves + a)
                if t >= free or best - rest <= apart:
                    a = -1
                    if t >= free:
                        a = rule.forced(n, t)
                        free = rule.not_forced_before(n)
                    if a < 0:
                        a = leader(rule, terms, rule.growth(t))
                        scans += 1
                    rest = second(tree, leaves + a)
                s[a] += rule.report(rng, pull(rng, arms, a))
                n[a] += 1
                pulls[a] += 1
                one_over_n, width = coming[a]
                coming[a] = rule.of_pulls(n[a] + 1)
                mean = rule.release(rng, a, s[a], n[a]) * one_over_n
                terms[a] = mean, width  # terms(s, n), of the same operations
                narrowest = min(narrowest, width)
                leaf = with_number(mean + middle * width, a, leaves)
                renew(tree, leaves + a, leaf)
                best = larger(leaf, rest)
            note(journal, t, pulls)
        # About one round in 32 with a scan is best: longer windows have more scans, shorter ones are planted more often.
        if 16 * scans > length:
            length = max(length // 2, SHORTEST)
        elif 64 * scans < length:
            length = min(2 * length, LONGEST)


@kernel
def plant(tree, leaves, terms, growth):
    """Fill the tree with the indices at this growth; return the largest and the smallest width."""
    widest, narrowest = 0.0, np.inf
    for a in range(len(terms)):
        mean, width = terms[a]
        tree[leaves + a] = with_number(mean + growth * width, a, leaves)
        widest, narrowest = max(widest, width), min(narrowest, width)
    for p in range(leaves - 1, 0, -1):
        tree[p] = larger(tree[2 * p], tree[2 * p + 1])
    return widest, narrowest


@kernel
def renew(tree, p, leaf):
    """Replace the leaf at p and the nodes above it."""
    node, one = np.uint64(p), np.uint64(1)  # unsigned, because numba looks for negative indices among signed ones
    tree[node] = leaf
    while node > one:
        leaf = larger(leaf, tree[node ^ one])
        node >>= one
        tree[node] = leaf


@kernel
def second(tree, p):
    """The largest leaf other than the one at p."""
    largest = -np.inf
    node, one = np.uint64(p), np.uint64(1)
    while node > one:
        largest = larger(largest, tree[node ^ one])
        node >>= one
    return largest


@kernel
def larger(x, y):
    """One instruction, unlike Python's `max`, and no branch."""
    return x if x > y else y


@intrinsic
def with_number(typing_context, x, a, leaves):
    """The double x with a in the place of its last bits, where `leaves`, a power of 2, has more numbers than there are."""

    def generate(context, builder, signature, arguments):
        x, a, leaves = arguments
        rest = builder.and_(builder.bitcast(x, _INT64), builder.neg(leaves))
        return builder.bitcast(builder.or_(rest, a), _DOUBLE)

    return types.float64(types.float64, types.int64, types.int64), generate


@intrinsic
def arm_of(typing_context, x, leaves):
    """The number in the last bits of x."""

    def generate(context, builder, signature, arguments):
        x, leaves = arguments
        return builder.and_(builder.bitcast(x, _INT64), builder.sub(leaves, ir.Constant(_INT64, 1)))

    return types.int64(types.float64, types.int64), generate


_INT64, _DOUBLE = ir.IntType(64), ir.DoubleType()
