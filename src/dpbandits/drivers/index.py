"""Index policies: a class defines the index, and a driver plays it.

`play_rounds` is the definition: in every round, the first arm with the largest index.
`play_with_leads` takes the same actions faster. Arms that are not played keep their terms, so a
rival's index is largest at the end of a window of rounds. As long as the leader's index at the
window's START is above every rival's at its END, it leads. With `potential`, the leader's index is
computed only where c - n level falls below its smallest verified value.
"""

from typing import ClassVar, NamedTuple

import numpy as np

from dpbandits.bandits.arms import next_checkpoint, note, pull
from dpbandits.kernels import kernel, step
from dpbandits.policy import ArmsPolicy

SHORTEST = 32  # rounds in the smallest window
NO_ARM = np.int64(-1)  # with the type of an arm: numba would compile `largest` again for a literal


class IndexPolicy(ArmsPolicy):
    """A policy that plays the first arm with the largest index, each arm once before.

    A subclass defines `terms` and `score`, and the others where it differs from the defaults. These
    methods are compiled. In them `self` has the parameters that are numbers, and the `constants`.
    s is the sum of an arm's n rewards, as released. `exceeds` and `potential` are short cuts: a
    subclass that changes another method or the constants does not inherit them.

    Examples
    --------
    >>> import math
    >>> class MyUCB(IndexPolicy):
    ...     def growth(self, t):
    ...         return math.sqrt(2 * math.log(t))
    ...     def terms(self, s, n):
    ...         return s / n, math.sqrt(1 / n)
    ...     def score(self, terms, growth):
    ...         mean, width = terms
    ...         return mean + growth * width
    """

    needs = ("terms", "score")

    def growth(self, t):
        """Return the part of the index that grows with the round t: a number or several."""
        return 0.0

    def report(self, rng, reward):
        """Return what a user reports of a reward (local privacy): by default the reward."""
        return reward

    def noisy(self, rng, a, s, n):
        """Return what is released of the sum s of arm a (central privacy): by default the sum."""
        return s

    def terms(self, s, n):
        """Return the part of the index that depends on an arm: a number or several."""
        raise NotImplementedError

    def score(self, terms, growth):
        """Return the index, infinite for an arm that must be played; it increases with growth."""
        raise NotImplementedError

    def exceeds(self, terms, growth, level):
        """Return whether the index is above a level, where that is faster than the index."""
        return self.score(terms, growth) > level

    def potential(self, s, n, growth):
        """Return a potential c(s, n): while c - nq has not fallen, an index above q stays above.

        NaN, the default, says that there is none.
        """
        return np.nan

    short_cuts: ClassVar = {"exceeds": exceeds, "potential": potential}

    def play(self, rng, arms, horizon, journal):
        """Play one run."""
        rule = self.rule(horizon, len(arms.means))
        self.refuse_nan(play_with_leads(rng, arms, horizon, journal, rule))

    def reports(self, horizon, number_of_arms):
        """Users report by `report`, if the policy defines it."""
        if type(self).report is IndexPolicy.report:
            return {}
        return {"any round": self.rule(horizon, number_of_arms)}


class Tally(NamedTuple):
    """The pulls of each arm. `pulls` also counts those before a phase that forgets."""

    s: np.ndarray  # the sum of the reports
    n: np.ndarray  # their number
    pulls: np.ndarray  # of the whole game; with `n` itself here some loops take half as long again


class Lead(NamedTuple):
    """An arm that is played while its index, at this growth, exceeds a level."""

    a: int
    terms: object
    growth: object
    level: float


@kernel
def play_rounds(rng, arms, t, end, journal, rule, tally, terms):
    """Play the rounds t+1..end: each arm once in the rounds 1..K, then the largest index.

    Return the round and the arm of the first index that is NaN, or (0, 0). At each choice the index
    of the arm that was played last is tested, whose terms are new.
    """
    (s, n, _), a = tally, NO_ARM
    while t < end:
        stop = min(end, next_checkpoint(journal))
        while t < stop:  # without `note`, which would slow down every round
            now = rule.growth(max(t, n.size) + 1)
            if a != NO_ARM and undefined(rule, terms[a], now):
                return max(t, n.size) + 1, a
            a = t if t < n.size else largest(rule, terms, now, NO_ARM)[0]
            t += 1
            s[a] += rule.report(rng, pull(rng, arms, a))
            n[a] += 1
            terms[a] = rule.terms(rule.noisy(rng, a, s[a], n[a]), n[a])
        note(journal, t, n)
    return 0, 0


@kernel
def play_with_leads(rng, arms, horizon, journal, rule):
    """Play the same rounds lead by lead: during a lead only the leader's index is computed.

    A window doubles after a lead that lasts to its end, up to a 64th of the rounds so far.
    After any other lead it halves.
    """
    K = arms.means.size
    tally = Tally(np.zeros(K), np.zeros(K, np.int64), np.zeros(K, np.int64))
    terms, length = [rule.terms(0.0, 1)] * K, SHORTEST
    t = a = np.int64(0)
    while t < horizon:
        now = rule.growth(max(t, K) + 1)
        if t > 0 and undefined(rule, terms[a], now):
            return max(t, K) + 1, a
        if t < K:
            a, b, rival, last = t, t, -np.inf, t + 1
        else:
            last = min(t + length, horizon)
            a, _ = largest(rule, terms, now, NO_ARM)
            b, rival = largest(rule, terms, rule.growth(last), a)
        lead = Lead(a, terms[a], now, level_of(a, b, rival))
        t, terms[a] = play_lead(rng, arms, t, last, journal, rule, tally, lead)
        length = (
            min(2 * length, max(SHORTEST, t // 64)) if t == last else max(SHORTEST, length // 2)
        )
    return 0, 0


@kernel
def play_in_order(rng, arms, t, end, journal, rule, tally, terms):
    """Play the same rounds where no index grows.

    The arms stay sorted by their indices, of which only the leader's changes.
    """
    now, order = rule.growth(end), np.arange(tally.n.size)
    scores = np.array([rule.score(of_arm, now) for of_arm in terms])
    for i in range(order.size - 1, -1, -1):  # insertion sort
        move_down(order[i:], scores)
    a = np.argmax(scores)  # the first NaN, if there is one
    while t < end:
        if np.isnan(scores[a]):
            return t + 1, a
        a, b = order[0], order[1]
        lead = Lead(a, terms[a], now, level_of(a, b, scores[b]))
        t, terms[a] = play_lead(rng, arms, t, end, journal, rule, tally, lead)
        scores[a] = rule.score(terms[a], now)
        move_down(order, scores)
    return 0, 0


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
    a, terms, now, level = lead.a, lead.terms, lead.growth, lead.level
    leads, least = True, np.inf
    while leads and t < last:
        stop = min(last, next_checkpoint(journal))
        total, released, count, computed = s[a], 0.0, n[a], True
        while leads and t < stop:
            t += 1
            count += 1
            total += rule.report(rng, pull(rng, arms, a))
            released = rule.noisy(rng, a, total, count)
            ahead = rule.potential(released, count, now) - level * count
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
    a, best = 1 if without == 0 else 0, -np.inf
    for b in range(len(terms)):
        if b != without and rule.exceeds(terms[b], growth, best):
            score = rule.score(terms[b], growth)
            if score > best:  # rounding may differ
                a, best = b, score
    return a, best


@step
def undefined(rule, terms, growth):
    """Whether an index is NaN. It exceeds no number."""
    return not rule.exceeds(terms, growth, -np.inf) and np.isnan(rule.score(terms, growth))
