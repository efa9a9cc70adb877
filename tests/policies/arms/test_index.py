"""The drivers of index policies take the same actions, bit for bit, at long horizons."""

import itertools
import math
import re

import numpy as np
import pytest
from playing import a_run

from dpbandits.drivers.episodes import EpisodePolicy
from dpbandits.drivers.index import (
    IndexPolicy,
    Leads,
    Plain,
    SumLeads,
    play_plainly,
)
from dpbandits.drivers.levels import FIRST
from dpbandits.drivers.nash_phases import play_both_phases
from dpbandits.errors import InputError
from dpbandits.policies import KLUCB, POLICIES, UCB
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
# One of each way through the drivers: with a potential, with a comparison of its own, without a
# potential and with arms that must be played, with indices that do not grow. What the others
# promise is tested below.
LED = ["ucb", "kl_ucb", "ldp_ucb", "ncb"]
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
    return run.counts


class Balance:
    """Another index, which also falls with the round: no short cut of a shipped one is right."""

    def growth(self, t):
        return 10.0 * t * (1 + t % 2)

    def statistics(self, s, n):
        return s + n, n

    def index(self, cost, n, growth):
        return growth / n - cost if n > 0 else math.inf


class BalanceEpisodes:
    """The same for episodes."""

    choose = EpisodePolicy.choose

    def index(self, x, h, t):
        return (1 + t % 2) * math.log(t) / h - x


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
@pytest.mark.parametrize("name", LED)
def test_leads_are_the_argmax_of_every_round(name, K):
    """Several arms lead."""
    T = 30_000 if "kl_ucb" in name else 100_000
    drivers = play_plainly, play_phase2 if "ncb" in name else Leads.drive
    plainly, by_leads = (counts(play, 31, MEANS[K], T, compiled(name, K)) for play in drivers)
    assert np.array_equal(plainly, by_leads)
    assert sum(by_leads[-1] > 1) > 1


def test_every_index_policy_is_played():
    known = {name for name in POLICIES.known if issubclass(POLICIES.find(name), IndexPolicy)}
    assert set(PLAYED) == known


@pytest.mark.parametrize("name", ["ldp_ucb_clipped", "ldp_ncb", "adap_klucb"])
def test_a_subclass_with_another_index_takes_the_actions_of_its_definition(name):
    """It inherits no short cut. One policy of each `play`: by short cuts, phases, episodes."""
    T, shipped = FIRST + 30_000, POLICIES.find(name)  # levels begin after round FIRST
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


class Undefined(KLUCB):
    """An index that is NaN, or minus infinity, after some pulls of an arm."""

    short_cut = Leads
    pulls: int = 9
    is_low: bool = False

    def statistics(self, s, n):
        if n <= self.pulls:
            return s / max(n, 1), n
        return -math.inf if self.is_low else math.nan, n

    def index(self, mean, n, budget):
        return mean - 2 * n if n > 0 else math.inf


def test_a_nan_index_is_found_in_the_round_of_the_definition():
    """Other arms still have numbers. All loops: test_every_algorithm.py."""

    def new():
        return a_run(stream(3), [0.4, 0.6, 0.5], np.arange(1, 501))

    for policy in (Undefined(), Undefined(pulls=0)):
        drivers = play_plainly, Leads.drive
        run, places = new(), {driver(new(), policy.compiled(500, 3)) for driver in drivers}
        ((found, a),) = places
        assert 3 < found < 31
        says = rf"^{re.escape(repr(policy))}: .* of arm {a} is NaN in round {found}; compute a"
        with pytest.raises(InputError, match=says):
            policy.play(run)
        assert run.t < found


def test_of_arms_whose_indices_are_minus_infinity_the_first_is_played():
    """Minus infinity is an index."""
    for play in (play_plainly, Leads.drive):
        policy, run = Undefined(pulls=0, is_low=True), a_run(stream(3), [0.4, 0.6, 0.5], [100])
        play(run, policy.compiled(100, 3))
        assert run.pulls.tolist() == [98, 1, 1]


@pytest.mark.parametrize("name", PLAYED)
def test_an_index_never_falls_while_its_arm_rests(name):
    """Leads rest on this: growth does not decrease with t, nor the index with growth."""
    policy, has_grown = compiled(name, 2), False
    for s, n in ((0.0, 1), (3.0, 7), (5000.0, 9000)):
        arm, total = policy.statistics(s, n), s if name == "rr_kl_ucb" else math.nan  # of 0s and 1s
        rounds = np.unique(np.geomspace(max(n, 2), 1e8, 400).astype(int))
        indices = [policy.index(*arm, policy.growth(t)) for t in rounds]
        assert all(before <= after for before, after in itertools.pairwise(indices))
        has_grown |= indices[-1] > indices[0]
        for level in (indices[0] / 2, (indices[0] + indices[200]) / 2, 2.0):
            growth = policy.growth(10**4)
            for one in (arm, policy.statistics(total, n)):
                assert policy.exceeds(one, growth, level) == (policy.index(*one, growth) > level)
    assert has_grown or "ncb" in name  # whose indices do not depend on the round


@pytest.mark.parametrize("name", PLAYED)
def test_an_index_stays_above_a_level_as_the_counted_sum_promises(name):
    """An index above a level q stays there with later sums for which c - n q has not fallen."""
    policy, rng = compiled(name, 2), np.random.default_rng(5)
    growth = policy.growth(10**5)
    for _ in range(2000):
        n = int(rng.geometric(1e-3)) + 1
        s = n * rng.uniform(-0.2 if "ldp" in name else 0.0, 1.2)  # reports have noise
        level = policy.index(*policy.statistics(s, n), growth) - 10 ** rng.uniform(-6, -1)
        later = n + int(rng.geometric(10 ** rng.uniform(-3, -1)))
        later_s = s + level * (later - n) + rng.exponential(10) - 5
        if "ldp" not in name:
            later_s = max(later_s, 0.0)
        before = policy.potential(s, n, growth) - n * level
        if policy.potential(later_s, later, growth) - later * level >= before:
            assert policy.index(*policy.statistics(later_s, later), growth) > level


class NoRounds(EpisodePolicy):
    """An episode has a length of 0, which would never end."""

    def length(self, a, h, n):
        return 0

    def index(self, x, h, t):
        return x

    def update(self, releases, a, x, h, total, m):
        return total, h + m


def test_an_episode_has_at_least_one_round():
    run = a_run(stream(1), [1.0, 0.0], [4])
    NoRounds().play(run)
    assert run.finished()
