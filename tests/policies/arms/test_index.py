"""The drivers of index policies take the same actions, bit for bit, at long horizons."""

import itertools
import math
import re

import numpy as np
import pytest
from playing import a_run

from dpbandits.drivers.episodes import EpisodePolicy
from dpbandits.drivers.index import IndexPolicy, Leads, Plain, SumLeads, play_plainly
from dpbandits.drivers.levels import FIRST
from dpbandits.drivers.nash_phases import play_both_phases
from dpbandits.errors import InputError
from dpbandits.policies import KLUCB, POLICIES, UCB
from dpbandits.random import stream

MEANS = {2: [0.9, 0.6], 5: [0.5, 0.55, 0.45, 0.55, 0.3], 20: np.linspace(0.05, 0.95, 20).tolist()}
# One of each way through the drivers: with a potential, with a comparison of its own, without a
# potential and with arms that must be played, with indices that do not grow. What the others
# promise is tested below.
LED = {"ucb": {}, "kl_ucb": {}, "ldp_ucb": {"epsilon": 2.0}, "ncb": {}}
INDEX_POLICIES = [name for name in POLICIES.known if issubclass(POLICIES.find(name), IndexPolicy)]


def compiled(name):
    """With a new state: some have the memory of their mechanisms."""
    is_private = POLICIES.find(name).states_privacy()
    return POLICIES.make(name, {"epsilon": 1.0} if is_private else {}).compiled(300_000, 2)


def play_phase2(run, policy):
    """The driver of Nash confidence bounds, without Phase I."""
    return play_both_phases(run, (policy, policy), 0)


def counts(play, number, means, T, *policy):
    """The pull counts of every round, in which several arms lead."""
    run = a_run(stream(number, "drivers"), means, np.arange(1, T + 1))
    play(run, *policy)
    assert run.finished()
    assert sum(run.pulls > 1) > 1
    return run.counts


@pytest.mark.parametrize("K", MEANS)
@pytest.mark.parametrize("name", LED)
def test_leads_are_the_argmax_of_every_round(name, K):
    T, policy = 30_000 if name == "kl_ucb" else 100_000, POLICIES.make(name, LED[name])
    drivers = play_plainly, play_phase2 if name == "ncb" else Leads.drive
    plainly, by_leads = (counts(play, 31, MEANS[K], T, policy.compiled(T, K)) for play in drivers)
    assert np.array_equal(plainly, by_leads)


class Balance:
    """Another index, which also falls with the round: no short cut of a shipped one is right."""

    def growth(self, t):
        return 10.0 * t * (1 + t % 2)

    def statistics(self, s, n):
        return s + n, n

    def index(self, cost, n, growth):
        return growth / n - cost if n > 0 else math.inf


class BalanceEpisodes:
    """The same for episodes, of at least one round."""

    choose = EpisodePolicy.choose

    def length(self, a, h, n):
        return 0

    def index(self, x, h, t):
        return (1 + t % 2) * math.log(t) / h - x


class EveryIndex(BalanceEpisodes):
    """A choice by all indices."""

    def choose(self, x, h, t):
        a, best = 0, -np.inf
        for b in range(h.size):
            index = self.index(x[b], h[b], t) if h[b] > 0 else np.inf
            if index > best:
                a, best = b, index
        return a


def subclass(prefix, *bases, **changes):
    """A subclass, where the cache of machine code finds it."""
    name = prefix + bases[-1].__name__
    return globals().setdefault(name, type(name, bases, {"__module__": __name__, **changes}))


@pytest.mark.parametrize("name", ["ldp_ucb_clipped", "ldp_ncb", "adap_klucb"])
def test_a_subclass_with_another_index_takes_the_actions_of_its_definition(name):
    """It inherits no short cut. One policy of each `play`: by short cuts, phases, episodes."""
    T, shipped = FIRST + 30_000, POLICIES.find(name)  # levels begin after round FIRST
    if name == "adap_klucb":
        others = subclass("Every", EveryIndex, shipped), subclass("Other", BalanceEpisodes, shipped)
        plays = [(each(epsilon=1.0).play,) for each in others]
    else:
        other = subclass("Other", Balance, shipped)(epsilon=1.0)
        plays = [(play_plainly, other.compiled(T, 5)), (other.play,)]
        if name == "ldp_ncb":
            plays[1] = play_phase2, other.compiled(T, 5)
    plainly, changed = (counts(play[0], 32, MEANS[5], T, *play[1:]) for play in plays)
    assert np.array_equal(plainly, changed)


def test_a_class_has_the_short_cut_that_it_names_itself():
    """Also if the index is that of its other parent."""
    naming = subclass("Naming", UCB, short_cut=SumLeads)
    both = subclass("Both", naming, UCB)
    classes = UCB, naming, subclass("Silent", naming), both
    assert [each.short_cut_or_default() for each in classes] == [SumLeads, SumLeads, Plain, Plain]
    potentials = [type(each().compiled(1000, 2)).potential for each in classes]
    assert potentials == [SumLeads.potential] * 2 + [Plain.potential] * 2


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


def undefined(play, **parameters):
    """What a driver returns, the policy, and its run on three arms."""
    policy, run = Undefined(**parameters), a_run(stream(3), [0.4, 0.6, 0.5], [500])
    return play(run, policy.compiled(500, 3)), policy, run


def test_a_nan_index_is_found_in_the_round_of_the_definition():
    """Other arms still have numbers. All loops: test_every_algorithm.py."""
    for pulls in (9, 0):
        (found, a), policy, _ = undefined(play_plainly, pulls=pulls)
        assert 3 < found < 31
        place, _, run = undefined(Leads.drive, pulls=pulls)
        assert place == (found, a)
        assert run.t < found
        says = rf"^{re.escape(repr(policy))}: .* of arm {a} is NaN in round {found}; compute a"
        with pytest.raises(InputError, match=says):
            policy.refuse_nan(place)


@pytest.mark.parametrize("play", [play_plainly, Leads.drive])
def test_of_arms_whose_indices_are_minus_infinity_the_first_is_played(play):
    """Minus infinity is an index."""
    assert undefined(play, pulls=0, is_low=True)[2].pulls.tolist() == [498, 1, 1]


@pytest.mark.parametrize("name", INDEX_POLICIES)
def test_an_index_never_falls_while_its_arm_rests(name):
    """Leads rest on this: growth does not decrease with t, nor the index with growth."""
    policy, has_grown = compiled(name), False
    for s, n in ((0.0, 1), (3.0, 7), (5000.0, 9000)):
        arm, total = policy.statistics(s, n), s if name == "rr_kl_ucb" else math.nan  # of 0s and 1s
        rounds = np.unique(np.geomspace(max(n, 2), 1e8, 400).astype(int))
        indices = [policy.index(*arm, policy.growth(t)) for t in rounds]
        assert all(before <= after for before, after in itertools.pairwise(indices))
        has_grown |= indices[-1] > indices[0]
        growth = policy.growth(10**4)
        for level in (indices[0] / 2, (indices[0] + indices[200]) / 2, 2.0):
            for one in (arm, policy.statistics(total, n)):
                assert policy.exceeds(one, growth, level) == (policy.index(*one, growth) > level)
    assert has_grown or "ncb" in name  # whose indices do not depend on the round


@pytest.mark.parametrize("name", INDEX_POLICIES)
def test_an_index_stays_above_a_level_as_the_counted_sum_promises(name):
    """An index above a level q stays there with later sums for which c - n q has not fallen."""
    policy, rng = compiled(name), np.random.default_rng(5)
    growth = policy.growth(10**5)

    def index(s, n):
        return policy.index(*policy.statistics(s, n), growth)

    for _ in range(2000):
        n = int(rng.geometric(1e-3)) + 1
        least = -math.inf if "ldp" in name else 0.0  # reports have noise
        s = n * max(rng.uniform(-0.2, 1.2), least)
        level = index(s, n) - 10 ** rng.uniform(-6, -1)
        later = n + int(rng.geometric(10 ** rng.uniform(-3, -1)))
        later_s = max(s + level * (later - n) + rng.exponential(10) - 5, least)
        before, after = policy.potential(s, n, growth), policy.potential(later_s, later, growth)
        if after - later * level >= before - n * level:
            assert index(later_s, later) > level
