"""The drivers of index policies take the same actions, bit for bit, at long horizons."""

import itertools
import math
import re

import numpy as np
import pytest
from plain.parts import Sums, argmax, play_episodes, play_rounds
from playing import a_run, actions_of, for_twin

from dpbandits.drivers.episodes import EpisodePolicy
from dpbandits.drivers.index import (
    IndexPolicy,
    Leads,
    Plain,
    SumLeads,
    play_plainly,
    play_with_leads,
)
from dpbandits.drivers.levels import FIRST, play_by_levels
from dpbandits.drivers.nash_phases import play_both_phases
from dpbandits.errors import InputError
from dpbandits.policies import KLUCB, POLICIES, UCB, AdaPKLUCB
from dpbandits.policies.arms.kl_ucb import KLLeads
from dpbandits.random import stream

MEANS = {2: [0.9, 0.6], 5: [0.5, 0.55, 0.45, 0.55, 0.3], 20: np.linspace(0.05, 0.95, 20).tolist()}
# Parameters with which several arms lead. With those of ldp_ucb some arms must be played.
PLAYED = {
    "ucb": {},
    "ldp_ucb_b": {"epsilon": 1.0},
    "anytime_lazy_ucb": {"epsilon": 1.0},
    "ucb_tuned": {},
    "kl_ucb": {},
    "rr_kl_ucb": {"epsilon": 0.85},
    "dp_ucb_bound": {"epsilon": 1.0},
    "private_ucb": {"epsilon": 100.0},
    "private_ucb_tuned": {"epsilon": 40.0, "relax_c": 2.0},
    "private_ucb_clipped": {"epsilon": 40.0, "relax_c": 2.0},
    "ldp_ucb": {"epsilon": 2.0},
    "ldp_ucb_clipped": {"epsilon": 0.5},
    "ncb": {},
    "ldp_ncb": {"epsilon": 1.0},
}
EPISODES = {
    name: {"epsilon": 1.0}
    for name in POLICIES.known
    if issubclass(POLICIES.find(name), EpisodePolicy)
}


def compiled(name, K):
    """With a new state: some have the memory of their mechanisms."""
    return POLICIES.make(name, PLAYED[name]).compiled(300_000, K)


def play_phase2(run, policy):
    """The driver of Nash confidence bounds, without Phase I."""
    return play_both_phases(run, (policy, policy), 0)


def counts(play, number, means, T, *policy):
    """The pull counts of every round."""
    run = a_run(stream(number, "drivers"), means, np.arange(1, T + 1))
    play(run, *policy)
    assert run.finished()
    return run.journal.counts


class Balance:
    """Another index, for which no short cut of a shipped one is right."""

    def growth(self, t):
        return 10.0 * t

    def statistics(self, s, n):
        return s + n, n

    def index(self, cost, n, growth):
        return growth / n - cost if n > 0 else math.inf


class BalanceEpisodes:
    """The same for episodes."""

    choose = EpisodePolicy.choose

    def index(self, x, h, t):
        return math.log(t) / h - x


class EveryIndex:
    """A choice by all indices."""

    def choose(self, x, h, t):
        a, best = 0, -np.inf
        for b in range(h.size):
            if h[b] == 0:
                return b
            index = self.index(x[b], h[b], t)
            if index > best:
                a, best = b, index
        return a


def subclass(prefix, *bases, **changes):
    """A subclass, where the cache of machine code finds it."""
    name = prefix + bases[-1].__name__
    return globals().setdefault(name, type(name, bases, {"__module__": __name__, **changes}))


@pytest.mark.parametrize("K", MEANS)
@pytest.mark.parametrize("name", PLAYED)
def test_leads_are_the_argmax_of_every_round(name, K):
    """Also where arms must be played or the index is costly. Several arms lead."""
    T = 30_000 if "kl_ucb" in name else 300_000
    drivers = play_plainly, play_phase2 if "ncb" in name else play_with_leads
    plainly, by_leads = (counts(play, 31, MEANS[K], T, compiled(name, K)) for play in drivers)
    assert np.array_equal(plainly, by_leads)
    assert sum(by_leads[-1] > 1) > 1


def test_every_index_policy_is_played():
    known = {name for name in POLICIES.known if issubclass(POLICIES.find(name), IndexPolicy)}
    assert set(PLAYED) == known


@pytest.mark.parametrize("name", [*PLAYED, *EPISODES])
def test_a_subclass_with_another_index_takes_the_actions_of_its_definition(name):
    """It inherits no short cut."""
    T, shipped = 300_000, POLICIES.find(name)
    if name in EPISODES:
        other = subclass("Balanced", BalanceEpisodes, shipped)
        every = subclass("Every", EveryIndex, other)
        plays = [(each(**EPISODES[name]).play,) for each in (every, other)]
    else:
        other = subclass("Balanced", Balance, shipped)(**PLAYED[name])
        plays = [(play_plainly, other.compiled(T, 5)), (other.play,)]
        if "ncb" in name:
            plays[1] = play_phase2, other.compiled(T, 5)
    plainly, changed = (counts(play[0], 32, MEANS[5], T, *play[1:]) for play in plays)
    assert np.array_equal(plainly, changed)
    assert sum(plainly[-1] > 1) > 1


SHORT_CUTS = [name for name in (*PLAYED, *EPISODES) if "short_cut" in vars(POLICIES.find(name))]


@pytest.mark.parametrize("name", SHORT_CUTS)
def test_a_subclass_has_the_short_cut_that_it_names(name):
    """Its compiled methods are those of the class that it names, or of none."""
    shipped = POLICIES.find(name)
    silent = subclass("Silent", shipped)
    naming = subclass("Naming", silent, short_cut=shipped.short_cut)
    for policy, short_cut in (
        (shipped, shipped.short_cut),
        (silent, shipped.no_short_cut),
        (naming, shipped.short_cut),
    ):
        assert policy.short_cut_or_default() is short_cut
        made = type(policy(**(PLAYED | EPISODES)[name]).compiled(1000, 2))
        for method in ("exceeds", "potential", "may_exceed"):
            assert getattr(made, method, None) is getattr(short_cut, method, None)


def test_a_short_cut_of_one_parent_is_not_that_of_the_other_parents_index():
    both = subclass("Both", subclass("Stated", UCB, short_cut=SumLeads), UCB)
    assert both.short_cut_or_default() is Plain


class Falling(IndexPolicy):
    """An index that falls with the round."""

    def index(self, s, n, t):
        return s / n + (4000 - t) / (100 * n)


class FallingLeads(Falling):
    short_cut = Leads


class FallingUCB(UCB):
    """The same as a subclass of UCB."""

    statistics, growth, index = IndexPolicy.statistics, IndexPolicy.growth, Falling.index


class FallingSumLeads(FallingUCB):
    short_cut = UCB.short_cut


class FallingEpisodes(AdaPKLUCB):
    """In episodes of one round, of which only the last one is remembered."""

    def index(self, x, h, t):
        return x + (1000 - t) / (1000 * h)

    def length(self, a, h, n):
        return 1

    def update(self, releases, a, x, h, total, m):
        return total, h + 1


class FallingBounds(FallingEpisodes):
    short_cut = AdaPKLUCB.short_cut


def twin_of_falling(rng, means, T):
    s = Sums(means)
    return play_rounds(rng, means, T, lambda b, n, t: s[b] / n + (4000 - t) / (100 * n), s.see)


def twin_of_falling_episodes(rng, means, T):
    """In each round the index of one arm after another; x: its last reward."""
    x, h = [0.0] * len(means), [0] * len(means)

    def choose(t):
        if 0 in h:
            return h.index(0)
        return argmax([x[b] + (1000 - t) / (1000 * h[b]) for b in range(len(means))])

    def release(a, total, m):
        x[a], h[a] = total, h[a] + 1

    return play_episodes(rng, means, T, choose, lambda a: 1, release)


@pytest.mark.parametrize(
    ("right", "wrong", "twin"),
    [
        (Falling(), FallingLeads(), twin_of_falling),
        (FallingUCB(), FallingSumLeads(), twin_of_falling),
        (FallingEpisodes(epsilon=1.0), FallingBounds(epsilon=1.0), twin_of_falling_episodes),
    ],
    ids=["index", "another index", "episodes"],
)
def test_an_index_that_falls_with_the_round_is_played_right_without_a_short_cut(right, wrong, twin):
    """A short cut is for another index: with one the actions differ."""
    T, expected = 3000, twin(for_twin(stream(33)), MEANS[5], 3000)
    for policy in (right, wrong):
        run = a_run(stream(33), MEANS[5], np.arange(1, T + 1))
        policy.play(run)
        assert (actions_of(run) == expected) == (policy is right)


class KLAlone(Leads):
    """Without the potential of `KLLeads`."""

    exceeds = KLLeads.exceeds


class Undefined(KLUCB):
    """An index that is NaN after some pulls of an arm."""

    pulls: int = 9

    def statistics(self, s, n):
        return s / max(n, 1) if n <= self.pulls else math.nan, n

    def index(self, mean, n, budget):
        return mean - 2 * n if n > 0 else math.inf

    def explored(self, releases, a, s, n):
        return False


class UndefinedKL(Undefined):
    short_cut = KLAlone

    index = KLUCB.index


class UndefinedEpisodes(AdaPKLUCB):
    short_cut = AdaPKLUCB.short_cut

    def index(self, mu, h, t):
        return math.nan if h > 9 else mu


def test_a_nan_index_is_found_in_the_round_of_the_definition():
    """Other arms still have numbers."""

    def new():
        return a_run(stream(3), [0.4, 0.6, 0.5], np.arange(1, 501))

    for policy, drivers in (
        (Undefined(), [play_plainly, play_with_leads, play_phase2]),
        (UndefinedKL(), [play_plainly, play_with_leads]),
        (Undefined(pulls=0), [play_plainly, play_with_leads]),
    ):
        run, places = new(), {driver(new(), policy.compiled(500, 3)) for driver in drivers}
        ((found, a),) = places
        assert 3 < found < 31
        says = f"{policy!r}: the index of arm {a} is NaN in round {found}; compute a number"
        with pytest.raises(InputError, match=f"^{re.escape(says)}"):
            policy.play(run)
        assert run.t < found


def test_levels_find_a_nan_index():
    T = FIRST + 50_000
    for pulls in (9, FIRST // 2 + 9000):
        policy, run = Undefined(pulls=pulls).compiled(T, 2), a_run(stream(3), [0.5, 0.5], [T])
        found, _ = play_by_levels(run, policy)
        assert 0 <= found - (2 * pulls + 2) <= 1


def test_a_nan_index_of_episodes_is_an_error():
    with pytest.raises(InputError, match=r"UndefinedEpisodes\(.*: the index of arm \d is NaN in"):
        UndefinedEpisodes(epsilon=1.0).play(a_run(stream(3), [0.4, 0.6], [500]))


class Forbidden(UCB):
    """Minus infinity is an index."""

    def index(self, mu_hat, width, growth):
        return -math.inf


class ForbiddenLeads(Forbidden):
    short_cut = Leads


@pytest.mark.parametrize("policy", [Forbidden(), ForbiddenLeads()])
def test_of_arms_whose_indices_are_minus_infinity_the_first_is_played(policy):
    run = a_run(stream(3), [0.4, 0.6, 0.5], [100])
    policy.play(run)
    assert run.pulls.tolist() == [98, 1, 1]


@pytest.mark.parametrize("name", PLAYED)
def test_an_index_never_falls_while_its_arm_rests(name):
    """Leads rest on this: growth does not decrease with t, nor the index with growth."""
    policy, has_grown = compiled(name, 2), False
    for s, n in ((0.0, 1), (3.0, 7), (5000.0, 9000)):
        arm = policy.statistics(s, n)
        rounds = np.unique(np.geomspace(max(n, 2), 1e8, 400).astype(int))
        indices = [policy.index(*arm, policy.growth(t)) for t in rounds]
        assert all(before <= after for before, after in itertools.pairwise(indices))
        has_grown |= indices[-1] > indices[0]
        for level in (indices[0] / 2, (indices[0] + indices[200]) / 2, 2.0):
            growth = policy.growth(10**4)
            assert policy.exceeds(arm, growth, level) == (policy.index(*arm, growth) > level)
    assert has_grown or "ncb" in name  # whose indices do not depend on the round


@pytest.mark.parametrize("name", PLAYED)
def test_an_index_stays_above_a_level_as_the_counted_sum_promises(name):
    """An index above a level q stays there with later sums for which c - n q has not fallen."""
    policy, rng = compiled(name, 2), np.random.default_rng(5)
    growth = policy.growth(10**5)
    for _ in range(2000):
        n = int(rng.geometric(1e-3)) + 1
        s = n * rng.uniform(-0.2 if "ldp" in name else 0.0, 1.2)  # reports have noise
        level = policy.index(*policy.statistics(s, n), growth) - rng.exponential(1e-2)
        later = n + int(rng.geometric(1e-2))
        later_s = s + level * (later - n) + rng.exponential(10) - 5
        if "ldp" not in name:
            later_s = max(later_s, 0.0)
        before = policy.potential(s, n, growth) - n * level
        if policy.potential(later_s, later, growth) - later * level >= before:
            assert policy.index(*policy.statistics(later_s, later), growth) > level
