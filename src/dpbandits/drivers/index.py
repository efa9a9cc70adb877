"""Index policies: a rule defines the index, and a driver plays it.

A rule is a named tuple of the policy's parameters, with the decorator `@index_rule`. Its methods define the policy:

    growth(t)               the part of the index that grows with the round t, one number or several
    terms(s, n)             the part of the index that depends on an arm with pull count n and released sum of rewards s
    score(terms, growth)    the index; it must not decrease where growth increases; infinite for an arm that must be played

and, where it differs from the default in `IndexRule`,

    report(rng, reward)     the report of a reward that the policy receives (local privacy)
    noisy(rng, a, s, n)     the release of the sum s of arm a's n rewards that the policy receives (central privacy)
    exceeds(terms, growth, level)   whether the index is above a level, if that takes less time than the index
    counted(s, n, growth)   c such that, with this growth, an index above q stays above q after more pulls as long as c - n q is not
                            below its value then; NaN if there is no such c

`play_rounds` is the definition: in every round, the first arm with the largest index.
`play_with_leads` takes the same actions faster. Arms that are not played keep their terms, so a
rival's index is largest at the end of a window of rounds. As long as the leader's index at the
window's START exceeds every rival's at its END, it leads. With `counted`, the leader's index is
computed only where c - n level falls below its smallest verified value. `play_in_order` is for
indices that do not grow. Where nearly all arms lead in turn, `levels.play_by_levels` is faster.
"""

import inspect
from typing import NamedTuple

import numpy as np

from dpbandits.bandits.arms import next_checkpoint, note, pull
from dpbandits.kernels import kernel, methods, step, uniquely_named

SHORTEST = 32  # rounds in the smallest window
NONE = np.int64(-1)  # no arm; for a literal -1 numba would compile `largest` once more


@methods
class IndexRule:
    """The default methods of a rule."""

    def growth(self, t):
        """By default nothing grows."""
        return 0.0

    def report(self, rng, reward):
        """By default the reward itself."""
        return reward

    def noisy(self, rng, a, s, n):
        """By default the sum itself."""
        return s

    def exceeds(self, terms, growth, level):
        """By default the index is computed and compared."""
        return self.score(terms, growth) > level

    def counted(self, s, n, growth):
        """By default unknown."""
        return np.nan

    def terms(self, s, n):
        """Every rule defines this."""
        raise NotImplementedError

    def score(self, terms, growth):
        """Every rule defines this."""
        raise NotImplementedError


def index_rule(rule: type) -> type:
    """Make a rule of a class of named tuples: methods that it does not define are those of `IndexRule`.

    A subclass with another index does not inherit `counted`.
    """
    own = vars(rule)
    if "counted" not in own and ("terms" in own or "score" in own):
        rule.counted = IndexRule.counted
    return with_defaults(rule, IndexRule)


def with_defaults(rule: type, defaults: type) -> type:
    """The class of a rule, with these methods where it does not define its own."""
    if "<locals>" in rule.__qualname__:
        name = f"{rule.__module__}.{rule.__qualname__}"
        raise TypeError(
            f"{name}: define this class outside functions; in a function each call would compile it again"
        )
    for method_name, method in vars(defaults).items():
        if inspect.isfunction(method) and not hasattr(rule, method_name):
            setattr(rule, method_name, method)
    return uniquely_named(rule)


class Tally(NamedTuple):
    """The pulls of each arm. `pulls` also counts those before a phase that forgets."""

    s: np.ndarray  # the sum of the reports
    n: np.ndarray  # their number
    pulls: np.ndarray  # of the whole game; may be `n` itself


class Lead(NamedTuple):
    """An arm that is played while its index, at this growth, exceeds a level."""

    a: int
    terms: object
    growth: object
    level: float


@kernel
def play_rounds(rng, arms, t, end, journal, rule, tally, terms):
    """Play the rounds t+1..end: each arm once in the rounds 1..K, then the largest index."""
    s, n, _ = tally
    while t < end:
        stop = min(end, next_checkpoint(journal))
        while t < stop:  # without `note`, which would slow down every round
            a = t if t < n.size else largest(rule, terms, rule.growth(t + 1), NONE)[0]
            t += 1
            s[a] += rule.report(rng, pull(rng, arms, a))
            n[a] += 1
            terms[a] = rule.terms(rule.noisy(rng, a, s[a], n[a]), n[a])
        note(journal, t, n)


@kernel
def play_with_leads(rng, arms, horizon, journal, rule):
    """Play the same rounds lead by lead: during a lead only the leader's index is computed.

    A window doubles after a lead that lasts to its end, up to a 64th of the rounds so far.
    After any other lead it halves.
    """
    K = arms.means.size
    n = np.zeros(K, np.int64)
    tally, terms, length = Tally(np.zeros(K), n, n), [rule.terms(0.0, 1)] * K, SHORTEST
    t = np.int64(0)
    while t < horizon:
        now = rule.growth(max(t, K) + 1)
        if t < K:
            a, b, rival, last = t, t, -np.inf, t + 1
        else:
            last = min(t + length, horizon)
            a, _ = largest(rule, terms, now, NONE)
            b, rival = largest(rule, terms, rule.growth(last), a)
        lead = Lead(a, terms[a], now, level_of(a, b, rival))
        t, terms[a] = play_lead(rng, arms, t, last, journal, rule, tally, lead)
        length = (
            min(2 * length, max(SHORTEST, t // 64)) if t == last else max(SHORTEST, length // 2)
        )


@kernel
def play_in_order(rng, arms, t, end, journal, rule, tally, terms):
    """Play the same rounds where no index grows.

    The arms stay sorted by their indices, of which only the leader's changes.
    """
    now, order = rule.growth(end), np.arange(tally.n.size)
    scores = np.array([rule.score(of_arm, now) for of_arm in terms])
    for i in range(order.size - 1, -1, -1):  # insertion sort
        move_down(order[i:], scores)
    while t < end:
        a, b = order[0], order[1]
        lead = Lead(a, terms[a], now, level_of(a, b, scores[b]))
        t, terms[a] = play_lead(rng, arms, t, end, journal, rule, tally, lead)
        scores[a] = rule.score(terms[a], now)
        move_down(order, scores)


@step
def move_down(order, scores):
    """Insert order[0] into the rest, which is sorted: by index, equal ones by number."""
    a, i = order[0], 0
    while i + 1 < order.size and (scores[a], order[i + 1]) < (scores[order[i + 1]], a):
        order[i] = order[i + 1]
        i += 1
    order[i] = a


@step
def level_of(a, b, rival):
    """The number that arm a's index must exceed to be played before arm b with index `rival`."""
    return rival if b < a else np.nextafter(rival, -np.inf)  # of equal indices, the first arm's


@step
def play_lead(rng, arms, t, last, journal, rule, tally, lead):
    """Play the first of the rounds after t, and then up to round `last` while the arm leads.

    Return the last round that was played, and the arm's terms after it.
    """
    s, n, pulls = tally
    a, terms, now, level = lead
    leads, least = True, np.inf
    while leads and t < last:
        stop = min(last, next_checkpoint(journal))
        total, released, count, computed = s[a], 0.0, n[a], True
        while leads and t < stop:
            t += 1
            count += 1
            total += rule.report(rng, pull(rng, arms, a))
            released = rule.noisy(rng, a, total, count)
            ahead = rule.counted(released, count, now) - level * count
            computed = not ahead >= least  # also if `ahead` is NaN
            if computed:
                terms = rule.terms(released, count)
                leads, least = rule.exceeds(terms, now, level), ahead
        if not computed:
            terms = rule.terms(released, count)
        pulls[a] += count - n[a]
        s[a], n[a] = total, count
        if t == stop:
            note(journal, t, pulls)
    return t, terms


@kernel
def largest(rule, terms, growth, without):
    """The first arm with the largest index among all but the arm `without`, and this index."""
    a, best = -1, -np.inf
    for b in range(len(terms)):
        if b != without and rule.exceeds(terms[b], growth, best):
            score = rule.score(terms[b], growth)
            if score > best:  # rounding may differ
                a, best = b, score
    return a, best
