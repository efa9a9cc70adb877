"""How index policies are played: a rule says what the index is, and a driver plays it.

A rule is a named tuple of the policy's parameters whose methods are the policy; `@index_rule` makes it one. It says

    growth(t)               what grows with the round t in the index, one number or several
    terms(s, n)             what stands in the index of an arm that was played n times, s being what is known of its rewards
    index(terms, growth)    the index itself; it must not decrease where growth increases

and, where it differs from what `IndexRule` does,

    report(rng, reward)     what the policy gets to see of a reward (local privacy)
    release(rng, a, s, n)   what the policy gets to see of the sum s of arm a's n rewards (central privacy)
    forced(n, t)            an arm that has to be played in round t whatever the indices are, or -1
    not_forced_before(n)    a round before which no arm will be forced as long as only larger pull counts follow
    exceeds(terms, growth, level)   whether the index is above a level, for an index that is dearer than this question

Two drivers play a rule, and take the same actions from the same generator. `play_round_by_round` is the definition: in every
round, the argmax of all indices. `play_with_leads` is an exact short cut, and what algorithms use where leads last. Arms that are not played keep their terms, so over
a window of rounds a rival's index is largest at the window's end. As long as the leader's index, with the growth of the
window's START, is strictly above every rival's with that of its END, the leader is the argmax of each round between, and only
its own index need be computed. tests/test_index.py holds the drivers together, bit for bit.
"""

import inspect
import math

import numpy as np

from dpbandits.compiled import kernel, methods
from dpbandits.environments.arms import next_checkpoint, note, pull

_RULES: dict[str, type] = {}
SHORTEST = 32  # rounds of a window, at least


class IndexRule:
    """What a rule does unless it says otherwise."""

    def growth(self, t):
        """Nothing grows."""
        return 0.0

    def report(self, rng, reward):
        """The reward itself."""
        return reward

    def release(self, rng, a, s, n):
        """The sum itself."""
        return s

    def early_report(self, rng, reward):
        """What a report of Phase I is, where there is one (`_nash.explore`): the reward itself."""
        return reward

    def explored(self, s, n):
        """Whether Phase I, if there is one, has seen enough of an arm."""
        return True

    def forced(self, n, t):
        """No arm is."""
        return -1

    def not_forced_before(self, n):
        """Never."""
        return np.inf

    def exceeds(self, terms, growth, level):
        """By computing the index."""
        return self.index(terms, growth) > level

    def terms(self, s, n):
        """Every rule says this itself."""
        raise NotImplementedError

    def index(self, terms, growth):
        """Every rule says this itself."""
        raise NotImplementedError


def index_rule(rule: type) -> type:
    """Make a rule of a class of named tuples: what it does not define itself is as in `IndexRule`.

    The name of the class must be its own: numba tells the code that it makes for two tuples apart by their classes' names.
    """
    other = _RULES.setdefault(rule.__name__, rule)
    if (other.__module__, other.__qualname__) != (
        rule.__module__,
        rule.__qualname__,
    ) or "<locals>" in rule.__qualname__:
        raise TypeError(
            f"{rule.__module__}.{rule.__qualname__}: {other.__module__} has a rule of this name; choose another name, "
            "and define the class at the top level of a module"
        )
    for name, method in vars(IndexRule).items():
        if inspect.isfunction(method) and getattr(rule, name, None) in (None, getattr(tuple, name, None)):
            setattr(rule, name, method)
    return rule


methods(IndexRule)


@kernel
def play_round_by_round(rng, arms, horizon, journal, rule):
    """Each arm once, then the argmax of all indices in every round (ties: the first)."""
    K = arms.means.size
    s, n, pulls = np.zeros(K), np.zeros(K, np.int64), np.zeros(K, np.int64)
    terms = [rule.terms(0.0, 1) for _ in range(K)]
    t = play_each_once(rng, arms, horizon, journal, rule, terms, s, n, pulls)
    play_rounds(rng, arms, t, horizon, journal, rule, terms, s, n, pulls)


@kernel
def play_with_leads(rng, arms, horizon, journal, rule):
    """The same actions, by leads."""
    K = arms.means.size
    s, n, pulls = np.zeros(K), np.zeros(K, np.int64), np.zeros(K, np.int64)
    terms = [rule.terms(0.0, 1) for _ in range(K)]
    t = play_each_once(rng, arms, horizon, journal, rule, terms, s, n, pulls)
    play_leads(rng, arms, t, horizon, journal, rule, terms, s, n, pulls)


@kernel
def play_each_once(rng, arms, horizon, journal, rule, terms, s, n, pulls):
    """Rounds 1..K, or fewer if the game is shorter; how many these were."""
    first = min(n.size, horizon)
    for a in range(first):
        s[a] += rule.report(rng, pull(rng, arms, a))
        n[a] = pulls[a] = 1
        note(journal, a + 1, pulls)
        terms[a] = rule.terms(rule.release(rng, a, s[a], 1), 1)
    return first


@kernel
def play_rounds(rng, arms, t, end, journal, rule, terms, s, n, pulls):
    """Rounds t+1..end. n counts the pulls that s is the sum of; `pulls` those before them as well."""
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
                a = largest(rule, terms, rule.growth(t), -1)[0]
            s[a] += rule.report(rng, pull(rng, arms, a))
            n[a] += 1
            pulls[a] += 1
            terms[a] = rule.terms(rule.release(rng, a, s[a], n[a]), n[a])
        note(journal, t, pulls)


@kernel
def play_leads(rng, arms, t, end, journal, rule, terms, s, n, pulls):
    """The same rounds, by leads. A window is as long as leads last: doubled where a lead lasts to its end, else halved."""
    free, length = 0.0, SHORTEST
    at_rest = rule.growth(end) == rule.growth(t + 1)  # nothing grows: a lead needs no window
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
                a = largest(rule, terms, now, -1)[0]
                rival = largest(rule, terms, rule.growth(last), a)[1]
        leads = True
        while leads and t < last:
            stop = min(last, next_checkpoint(journal))
            while leads and t < stop:
                t += 1
                s[a] += rule.report(rng, pull(rng, arms, a))
                n[a] += 1
                pulls[a] += 1
                standing = rule.terms(rule.release(rng, a, s[a], n[a]), n[a])
                leads = rule.exceeds(standing, now, rival)
                terms[a] = standing
            if t == stop:
                note(journal, t, pulls)
        length = min(2 * length, max(SHORTEST, t // 64)) if t == last else max(SHORTEST, length // 2)


@kernel
def largest(rule, terms, growth, without):
    """The first arm with the largest index, not counting the arm `without`, and that index."""
    a, best = -1, -np.inf
    for b in range(len(terms)):
        if b != without and rule.exceeds(terms[b], growth, best):
            index = rule.index(terms[b], growth)
            if index > best:  # `exceeds` may be rounded otherwise
                a, best = b, index
    return a, best


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
