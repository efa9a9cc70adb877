"""Index policies: a class defines the index, and a driver plays it.

`play_rounds` is the definition: in every round, the first arm with the largest index. `play_leads`
takes the same actions faster, if no index falls while its arm is not played. Then a rival's index
is largest at the end of a window of rounds. As long as the leader's index at the window's START is
above every rival's at its END, it leads. With `potential`, the leader's index is computed only
where c - n level falls below its smallest verified value.

Two other loops keep a leader. `levels` is for arms that lead in turn for a round or two.
`policies.arms.dp_ucb_int` draws the rewards of a lead together.
"""

from typing import ClassVar, NamedTuple

import numpy as np

from dpbandits.bandits.run import ROUND, Run
from dpbandits.kernels import inlined, kernel
from dpbandits.policy import ArmsPolicy

SHORTEST = 32  # rounds in the smallest window
NO_ARM = np.int64(-1)  # with the type of an arm: numba would compile `largest` again for a literal


class Leads:
    """The short cut of an index that never falls with the round. A subclass may know more.

    In its methods `self` is the policy that it belongs to. A subclass of the policy does not
    inherit it, since its index may be another one.
    """

    @staticmethod
    def drive(run, policy):
        """Play a whole game."""
        return play_leads(run, run.K, policy, new_tally(run))

    def exceeds(self, arm, growth, level):
        """Return whether the index is above a level, where that is faster than the index."""
        return self.index(*arm, growth) > level

    def potential(self, s, n, growth):
        """Return c such that an index above q stays above q unless c - nq falls.

        At one growth, an index above q at (s, n) is above q at every later (s', n') with
        c' - n'q >= c - nq. NaN, the default, says that there is no such c.
        """
        return np.nan

    def longest_window(self, t):
        """Return how many rounds after round t a lead may last."""
        return max(SHORTEST, t // 64)


class Plain(Leads):
    """No short cut: every round is played by the definition, and no lead lasts."""

    @staticmethod
    def drive(run, policy):
        """Play a whole game."""
        return play_plainly(run, policy)

    def longest_window(self, t):
        """Return one round: the index may fall with the round."""
        return 1


class SumLeads(Leads):
    """The potential is the sum s.

    n (index - q) is s - nq plus n times the width, which no reward lowers.
    """

    def potential(self, s, n, growth):
        return s


class IndexPolicy(ArmsPolicy):
    """A policy that plays the first arm with the largest index, each arm once before.

    A subclass defines `index`, and the others where it differs from the defaults. These methods are
    compiled. In them `self` has the parameters that are numbers, the `constants` and the `state`.
    s is the sum of an arm's n rewards, as released.

    `statistics` and `growth` save time: they are computed once for an arm and once for a round, and
    `index` gets what they return in place of s, n and t. With `short_cut = Leads` the policy is
    played faster, if its index never falls with the round.

    Examples
    --------
    >>> import math
    >>> class MyUCB(IndexPolicy):
    ...     short_cut = Leads
    ...     def index(self, s, n, t):
    ...         return s / n + math.sqrt(2 * math.log(t) / n)
    """

    needs = ("index",)
    no_short_cut: ClassVar[type] = Plain

    def index(self, s, n, t):
        """Return the index of an arm in round t, infinite for an arm that must be played."""
        raise NotImplementedError

    def statistics(self, s, n):
        """Return the arguments of the index that depend on an arm, as a tuple."""
        return s, n

    def growth(self, t):
        """Return the last argument of the index, which depends on the round."""
        return t

    def report(self, releases, reward):
        """Return what a user reports of a reward (local privacy): by default the reward."""
        return reward

    def noisy(self, releases, a, s, n):
        """Return what is released of the sum s of arm a (central privacy): by default the sum."""
        return s

    def play(self, run):
        """Play one run."""
        drive = self.short_cut_or_default().drive
        self.refuse_nan(drive(run, self.compiled(run.horizon, run.K)))

    def reports(self, horizon, number_of_arms):
        """Users report by `report`, if the policy defines it."""
        if type(self).report is IndexPolicy.report:
            return {}
        return {"any round": self.compiled(horizon, number_of_arms)}


class Tally(NamedTuple):
    """What is known of each arm."""

    s: np.ndarray  # the sum of the reports
    n: np.ndarray  # their number
    pulls: np.ndarray  # of the whole run; with `n` itself here some loops take half as long again


def new_tally(run: Run) -> Tally:
    """Return the tally at the start of a game."""
    return Tally(np.zeros(run.K), np.zeros(run.K, np.int64), run.pulls)


class Lead(NamedTuple):
    """An arm that is played while its index, at this growth, exceeds a level."""

    a: int
    arm: object  # its statistics
    growth: object
    level: float


@kernel
def play_plainly(run, policy):
    """Play a whole game by the definition."""
    s, arms = np.zeros(run.K), [policy.statistics(0.0, 1)] * run.K
    return play_rounds(run, run.end, policy, s, arms)


@kernel
def play_rounds(run, end, policy, s, arms):
    """Play the rounds 1..end: each arm once in the rounds 1..K, then the largest index.

    Return the round and the arm of the first index that is NaN, or (0, 0). At each choice the index
    of the arm that was played last is tested, whose statistics are new.
    """
    t, a, n, pays, releases = 0, NO_ARM, run.pulls, run.arms, run.releases
    rng = releases.rng
    while t < end:
        stop = min(end, run.next_checkpoint())
        while t < stop:  # without `note`, which would slow down every round
            now = policy.growth(max(t, n.size) + 1)
            if a != NO_ARM and undefined(policy, arms[a], now):
                return max(t, n.size) + 1, a
            a = t if t < n.size else largest(policy, arms, now, NO_ARM)[0]
            t += 1
            s[a] += policy.report(releases, pays.reward(rng, a))
            n[a] += 1
            arms[a] = policy.statistics(policy.noisy(releases, a, s[a], n[a]), n[a])
        run.note(t)
    return 0, 0


@kernel
def play_leads(run, first, policy, tally):
    """Play the rest of a game lead by lead; rounds up to `first` play the arms in turn.

    During a lead only the leader's index is computed. A window doubles after a lead that lasts to
    its end, up to the longest one. After any other lead it halves. If no index grows any more, as
    those of Nash confidence bounds, a lead needs no window, and the best rival leads next.
    """
    t, a, b, length = run.clock[ROUND], np.int64(0), NO_ARM, policy.longest_window(0)
    least, final = min(first, 1), policy.growth(run.end)  # no index is read before an arm's turn
    arms = [policy.statistics(tally.s[a], max(tally.n[a], least)) for a in range(run.K)]
    while t < run.end:
        now = policy.growth(max(t, first) + 1)
        if t > 0 and undefined(policy, arms[a], now):
            return max(t, first) + 1, a
        steady = t >= first and now == final
        if t < first:
            a, b, rival, last = t, t, -np.inf, t + 1
        else:
            last = run.end if steady else min(t + length, run.end)
            a = largest(policy, arms, now, NO_ARM)[0] if b == NO_ARM else b
            b, rival = largest(policy, arms, policy.growth(last), a)
        lead = Lead(a, arms[a], now, level_of(a, b, rival))
        t, arms[a] = play_lead(run, t, last, policy, tally, lead)
        lasting = 2 * length if t == last else max(SHORTEST, length // 2)
        length = min(lasting, policy.longest_window(t))
        if not steady or rival == -np.inf:  # in a tie of arms at minus infinity, a may lead again
            b = NO_ARM
    return 0, 0


@inlined
def level_of(a, b, rival):
    """The number that arm a's index must exceed to be played before arm b with index `rival`."""
    return rival if b < a else np.nextafter(rival, -np.inf)  # of equal indices, the first arm's


@inlined
def play_lead(run, t, last, policy, tally, lead):
    """Play the first of the rounds after t, and then up to round `last` while the arm leads.

    Return the last round that was played, and the arm's statistics after it.
    """
    s, n, pulls = tally
    a, arm, now, level = lead.a, lead.arm, lead.growth, lead.level
    leads, least, releases = True, np.inf, run.releases
    while leads and t < last:
        stop = min(last, run.next_checkpoint())
        total, released, count, computed = s[a], 0.0, n[a], True
        while leads and t < stop:
            t += 1
            count += 1
            total += policy.report(releases, run.arms.reward(releases.rng, a))
            released = policy.noisy(releases, a, total, count)
            ahead = policy.potential(released, count, now) - level * count
            computed = not ahead >= least  # also if `ahead` is NaN
            if computed:
                arm = policy.statistics(released, count)
                leads, least = policy.exceeds(arm, now, level), ahead
        if not computed:
            arm = policy.statistics(released, count)
        pulls[a] += count - n[a]
        s[a], n[a] = total, count
        if t == stop:
            run.note(t)
    return t, arm


@kernel
def largest(policy, arms, growth, without):
    """The first arm with the largest index among all but the arm `without`, and this index."""
    a, best = 1 if without == 0 else 0, -np.inf
    for b in range(len(arms)):
        if b != without and policy.exceeds(arms[b], growth, best):
            index = policy.index(*arms[b], growth)
            if index > best:  # rounding may differ
                a, best = b, index
    return a, best


@inlined
def undefined(policy, arm, growth):
    """Whether an index is NaN. It exceeds no number."""
    return not policy.exceeds(arm, growth, -np.inf) and np.isnan(policy.index(*arm, growth))
