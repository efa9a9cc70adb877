"""Index policies: a rule defines the index, and a driver plays it.

A rule is a named tuple of the policy's parameters, with the decorator `@index_rule`. Its methods define the policy:

    growth(t)               the part of the index that grows with the round t, one number or several
    terms(s, n)             the part of the index that depends on an arm with pull count n and released sum of rewards s
    index(terms, growth)    the index; it must not decrease where growth increases

and, where it differs from the default in `IndexRule`,

    report(rng, reward)     the report of a reward that the policy receives (local privacy)
    release(rng, a, s, n)   the release of the sum s of arm a's n rewards that the policy receives (central privacy)
    forced(n, t)            an arm that must be played in round t whatever the indices are, or -1
    not_forced_before(n)    a round before which no arm will be forced, as long as pull counts only grow
    exceeds(terms, growth, level)   whether the index is above a level, if that is cheaper than computing the index
    lead_on(rng, arms, a, most, s, n, growth, level)   several pulls of a leader at once (`_reports`); for a rule with the default release

Two drivers play a rule, and take the same actions from the same generator. `play_round_by_round` is the definition: in
every round, the argmax of all indices. `play_with_leads` is an exact short cut for policies where one arm leads for
many rounds. Arms that are not played keep their terms, so over a window of rounds a rival's index is largest at the
window's end. As long as the leader's index, with the growth of the window's START, is strictly above every rival's with
that of its END, the leader is the argmax of each round in between, and only its own index need be computed.
For policies of which nearly all arms lead in turn, a third driver is `_levels.play_by_levels`.
tests/algorithms/arms/test_index.py checks that the drivers agree bit for bit. Only from round LONG on, with a rule that has
`lead_on`, they use the generator in different ways and agree in law.
"""

import inspect
import math

import numpy as np

from dpbandits.environments.arms import next_checkpoint, note, pull
from dpbandits.kernels.compiled import kernel, methods, step

_RULES: dict[str, type] = {}
SHORTEST = 32  # the smallest number of rounds in a window
LONG = 10**7  # the round from which on leads are so long that several pulls at once (`lead_on`) save time
NEAR = 1e-9  # relative to an index and larger than the errors of rounding
LARGEST = float(np.finfo(np.float64).max)


class IndexRule:
    """The default methods of a rule."""

    def growth(self, t):
        """By default nothing grows."""
        return 0.0

    def report(self, rng, reward):
        """By default the reward itself."""
        return reward

    def release(self, rng, a, s, n):
        """By default the sum itself."""
        return s

    def forced(self, n, t):
        """By default no arm is forced."""
        return -1

    def not_forced_before(self, n):
        """By default no arm is ever forced."""
        return np.inf

    def exceeds(self, terms, growth, level):
        """By default the index is computed and compared."""
        return self.index(terms, growth) > level

    def lead_on(self, rng, arms, a, most, s, n, growth, level):
        """By default none is made at once. Return how many were, the sum after them, and whether the arm still leads."""
        return 0, s, True

    def terms(self, s, n):
        """Every rule defines this."""
        raise NotImplementedError

    def index(self, terms, growth):
        """Every rule defines this."""
        raise NotImplementedError


def index_rule(rule: type) -> type:
    """Make a rule of a class of named tuples: methods that it does not define are those of `IndexRule`.

    The name of the class must be unique, because numba distinguishes the types of named tuples by their class names.
    """
    registered = _RULES.setdefault(rule.__name__, rule)
    if (registered.__module__, registered.__qualname__) != (
        rule.__module__,
        rule.__qualname__,
    ) or "<locals>" in rule.__qualname__:
        raise TypeError(
            f"{rule.__module__}.{rule.__qualname__}: {registered.__module__} has a rule of this name; choose "
            "another name, and define the class at the top level of a module"
        )
    for name, method in vars(IndexRule).items():
        if inspect.isfunction(method) and getattr(rule, name, None) in (None, getattr(tuple, name, None)):
            setattr(rule, name, method)
    return rule


methods(IndexRule)


@kernel
def play_round_by_round(rng, arms, horizon, journal, rule):
    """Play each arm once, then in every round the argmax of all indices (ties: the first arm)."""
    t, terms, s, n, pulls = play_each_once(rng, arms, horizon, journal, rule)
    play_rounds(rng, arms, t, horizon, journal, rule, terms, s, n, pulls)


@kernel
def play_with_leads(rng, arms, horizon, journal, rule):
    """Play the same actions, computing only the leader's index during a lead."""
    t, terms, s, n, pulls = play_each_once(rng, arms, horizon, journal, rule)
    play_leads(rng, arms, t, horizon, journal, rule, terms, s, n, pulls)


@kernel
def play_each_once(rng, arms, horizon, journal, rule):
    """Play each arm once, in the rounds 1..K or up to the horizon.

    Return the number of these rounds; the arms' terms, and their sums and numbers of released rewards; and their pulls.
    """
    K = arms.means.size
    s, n, pulls = np.zeros(K), np.zeros(K, np.int64), np.zeros(K, np.int64)
    terms = [rule.terms(0.0, 1)] * K
    first = min(K, horizon)
    for a in range(first):
        s[a] += rule.report(rng, pull(rng, arms, a))
        n[a] = pulls[a] = 1
        note(journal, a + 1, pulls)
        terms[a] = rule.terms(rule.release(rng, a, s[a], 1), 1)
    return first, terms, s, n, pulls


@kernel
def play_rounds(rng, arms, t, end, journal, rule, terms, s, n, pulls):
    """Play the rounds t+1..end. n counts the pulls in the sum s; `pulls` counts earlier pulls as well."""
    free = 0.0
    while t < end:
        stop = min(end, next_checkpoint(journal))  # `note` in the inner loop would slow down every round
        while t < stop:
            t += 1
            a = -1
            if t >= free:
                a = rule.forced(n, t)
                free = rule.not_forced_before(n)
            if a < 0:
                a = leader(rule, terms, rule.growth(t))
            s[a] += rule.report(rng, pull(rng, arms, a))
            n[a] += 1
            pulls[a] += 1
            terms[a] = rule.terms(rule.release(rng, a, s[a], n[a]), n[a])
        note(journal, t, pulls)


@kernel
def play_leads(rng, arms, t, end, journal, rule, terms, s, n, pulls):
    """Play the same rounds by leads. The window is doubled after a lead that lasts to its end, and otherwise halved."""
    free, length = 0.0, SHORTEST
    likely, next_likely = -1, -1  # the arms that were first and second; after a lead that was lost, the other way round
    at_rest = rule.growth(end) == rule.growth(t + 1)  # nothing grows, so a lead needs no window
    due = LONG
    while t < end:
        a, last, rival = -1, t + 1, np.inf
        now = rule.growth(t + 1)
        if t + 1 >= free:
            a = rule.forced(n, t + 1)
            free = rule.not_forced_before(n)
        if a < 0:
            last = end if at_rest else min(t + length, end)
            if last >= free:
                last = max(t + 1, math.ceil(free) - 1)
            if at_rest:
                a, rival = first_and_second(rule, terms, now)
            else:
                a = largest(rule, terms, now, n.size, likely)[0]  # n.size is no arm
                second, rival = largest(rule, terms, rule.growth(last), a, likely if a == next_likely else next_likely)
                likely, next_likely = a, second
        leads = True
        while leads and t < last:
            stop = min(last, next_checkpoint(journal))
            total, count, leader_terms = s[a], n[a], terms[a]
            while leads and t < stop:
                if t >= due:
                    made, total, leads = rule.lead_on(rng, arms, a, stop - t, total, count, now, rival)
                    if made > 0:
                        t += made
                        count += made
                        leader_terms = rule.terms(total, count)
                    else:
                        due = t + SHORTEST
                until = min(stop, due)
                while leads and t < until:
                    t += 1
                    count += 1
                    total += rule.report(rng, pull(rng, arms, a))
                    leader_terms = rule.terms(rule.release(rng, a, total, count), count)
                    leads = rule.exceeds(leader_terms, now, rival)
            pulls[a] += count - n[a]
            s[a], n[a], terms[a] = total, count, leader_terms
            if t == stop:
                note(journal, t, pulls)
        if not leads:
            likely, next_likely = next_likely, likely
        length = min(2 * length, max(SHORTEST, t // 64)) if t == last else max(SHORTEST, length // 2)


@kernel
def leader(rule, terms, growth):
    """The first arm with the largest index.

    Selections, because a branch would often be mispredicted; and by halves, so that neither waits for the other.
    """
    half = len(terms) // 2
    a, best, later, best_later = -1, -np.inf, -1, -np.inf
    for b in range(half):
        index, index_later = rule.index(terms[b], growth), rule.index(terms[half + b], growth)
        larger, larger_later = index > best, index_later > best_later
        a, best = (b, index) if larger else (a, best)
        later, best_later = (half + b, index_later) if larger_later else (later, best_later)
    a, best = (later, best_later) if best_later > best else (a, best)
    if len(terms) > 2 * half and rule.index(terms[-1], growth) > best:
        a = len(terms) - 1
    return a


@kernel
def largest(rule, terms, growth, without, likely):
    """The first arm with the largest index among all but the arm `without`, and that index.

    It is the arm `likely` most of the time (-1: unknown), so that the others need only be compared with its index.
    """
    a, best, near = -1, -np.inf, -np.inf
    if likely >= 0 and likely != without:
        a, best = likely, rule.index(terms[likely], growth)
        near = just_below(best)
    for b in range(len(terms)):
        if b != without and b != likely and rule.exceeds(terms[b], growth, near if b < a else best):
            index = rule.index(terms[b], growth)
            if index > best or (index == best and b < a):  # rounding may differ between `exceeds` and `index`
                a, best, near = b, index, just_below(index)
    return a, best


@step
def just_below(index):
    """A level below an index by more than rounding: an earlier arm with an equal index is above it, and is the first."""
    return index - NEAR * (1 + abs(index)) if index < np.inf else LARGEST


@kernel
def first_and_second(rule, terms, growth):
    """The first arm with the largest index, and the largest index of any other arm."""
    a, best, second = -1, -np.inf, -np.inf
    for b in range(len(terms)):
        index = rule.index(terms[b], growth)
        if index > best:
            a, best, second = b, index, best
        elif index > second:
            second = index
    return a, second
