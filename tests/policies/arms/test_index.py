"""The drivers of index policies take the same actions, bit for bit, at long horizons."""

import itertools
import math
import re

import numpy as np
import pytest

from dpbandits.bandits.journal import blank_journal, counts_of
from dpbandits.bandits.rewards import Arms
from dpbandits.drivers.episodes import EpisodePolicy
from dpbandits.drivers.index import IndexPolicy, Tally, play_rounds, play_with_leads
from dpbandits.drivers.levels import FIRST, play_by_levels
from dpbandits.drivers.nash_phases import play_both_phases
from dpbandits.errors import InputError
from dpbandits.kernels import kernel
from dpbandits.policies import KLUCB, POLICIES, UCB, AdaPKLUCB
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


def rule_of(name, K):
    """A new rule: some have the memory of their mechanisms."""
    return POLICIES.make(name, PLAYED[name]).rule(300_000, K)


@kernel
def by_rounds(rng, arms, horizon, journal, rule):
    """The definition."""
    K = arms.means.size
    s, n, terms = np.zeros(K), np.zeros(K, np.int64), [rule.terms(0.0, 1)] * K
    return play_rounds(rng, arms, 0, horizon, journal, rule, Tally(s, n, n), terms)


def play_phase2(rng, arms, horizon, journal, rule):
    """The driver of Nash confidence bounds, without Phase I."""
    pulls = np.zeros(arms.means.size, np.int64)
    return play_both_phases(rng, arms, 0, horizon, journal, pulls, (rule, rule), 0)


class Balance:
    """Another index, for which no short cut of a shipped one is right."""

    def growth(self, t):
        return 10.0 * t

    def terms(self, s, n):
        return s + n, n

    def score(self, terms, growth):
        cost, n = terms
        return growth / n - cost if n > 0 else math.inf


class BalanceEpisodes:
    """The same for episodes."""

    choose = EpisodePolicy.choose

    def index_at(self, x, h, t):
        return math.log(t) / h - x


def subclass(prefix, *bases, **changes):
    """A subclass, where the cache of machine code finds it."""
    name = prefix + bases[-1].__name__
    return globals().setdefault(name, type(name, bases, {"__module__": __name__, **changes}))


@pytest.mark.parametrize("K", MEANS)
@pytest.mark.parametrize("name", PLAYED)
def test_leads_are_the_argmax_of_every_round(name, K):
    """Also where arms must be played or the index is costly. Several arms lead."""
    T, arms = 30_000 if "kl_ucb" in name else 300_000, Arms(np.array(MEANS[K]))
    plainly, by_leads = journals = [blank_journal(K, np.arange(1, T + 1)) for _ in range(2)]
    drivers = by_rounds, play_phase2 if "ncb" in name else play_with_leads
    for driver, journal in zip(drivers, journals, strict=True):
        driver(stream(31, "drivers"), arms, T, journal, rule_of(name, K))
    assert np.array_equal(counts_of(plainly), counts_of(by_leads))
    assert sum(by_leads.counts[-1] > 1) > 1


def test_every_index_policy_is_played():
    known = {name for name in POLICIES.known if issubclass(POLICIES.find(name), IndexPolicy)}
    assert set(PLAYED) == known


@pytest.mark.parametrize("name", [*PLAYED, *EPISODES])
def test_a_subclass_with_another_index_takes_the_actions_of_its_definition(name):
    """It inherits no short cut."""
    T, K, arms = 300_000, 5, Arms(np.array(MEANS[5]))
    plainly, changed = journals = [blank_journal(K, np.arange(1, T + 1)) for _ in range(2)]
    if name in EPISODES:
        other = subclass("Balanced", BalanceEpisodes, POLICIES.find(name))
        plain = subclass("Plain", other, may_exceed=EpisodePolicy.may_exceed)
        plays = [each(**EPISODES[name]).play for each in (plain, other)]
    else:
        policy = subclass("Balanced", Balance, POLICIES.find(name))(**PLAYED[name])
        plays = [lambda *game: by_rounds(*game, policy.rule(T, K)), policy.play]
        if "ncb" in name:
            plays[1] = lambda *game: play_phase2(*game, policy.rule(T, K))
    for play, journal in zip(plays, journals, strict=True):
        play(stream(32, "drivers"), arms, T, journal)
    assert np.array_equal(counts_of(plainly), counts_of(changed))
    assert sum(plainly.counts[-1] > 1) > 1


@pytest.mark.parametrize("changed", ["constants", "growth", "terms", "score", "report", "noisy"])
def test_short_cuts_leave_with_each_method_that_they_rest_on(changed):
    other = subclass(f"Other{changed}", KLUCB, **{changed: getattr(IndexPolicy, changed)})
    assert other.exceeds is IndexPolicy.exceeds
    assert other.potential is IndexPolicy.potential
    stated = subclass(f"Stated{changed}", other, exceeds=KLUCB.exceeds)
    assert stated.exceeds is KLUCB.exceeds
    renamed = subclass("Renamed", KLUCB)
    assert (renamed.exceeds, renamed.potential) == (KLUCB.exceeds, KLUCB.potential)


def test_a_short_cut_of_one_parent_is_not_that_of_the_other_parents_index():
    stated = subclass("Stated", UCB, potential=UCB.potential)
    both = subclass("Both", stated, subclass("Scored", UCB, score=IndexPolicy.score))
    assert both.potential is IndexPolicy.potential


class Undefined(KLUCB):
    """An index that is NaN after some pulls of an arm."""

    pulls: int = 9

    def terms(self, s, n):
        return s / max(n, 1) if n <= self.pulls else math.nan, n

    def score(self, terms, budget):
        mean, n = terms
        return mean - 2 * n if n > 0 else math.inf

    def explored(self, rng, a, s, n):
        return False


class UndefinedKL(Undefined):
    score, exceeds = KLUCB.score, KLUCB.exceeds


class UndefinedEpisodes(AdaPKLUCB):
    def index_at(self, mu, h, t):
        return math.nan if h > 9 else mu

    may_exceed = AdaPKLUCB.may_exceed


def test_a_nan_index_is_found_in_the_round_of_the_definition():
    """Other arms still have numbers."""
    game, t = (Arms(np.array([0.4, 0.6, 0.5])), 500), np.arange(1, 501)
    for policy, drivers in (
        (Undefined(), [by_rounds, play_with_leads, play_phase2]),
        (UndefinedKL(), [by_rounds, play_with_leads]),
        (Undefined(pulls=0), [by_rounds, play_with_leads]),
    ):
        rule, journal = policy.rule(500, 3), blank_journal(3, t)
        places = {driver(stream(3), *game, blank_journal(3, t), rule) for driver in drivers}
        ((found, a),) = places
        assert 3 < found < 31
        says = f"{policy!r}: the index of arm {a} is NaN in round {found}; compute a number"
        with pytest.raises(InputError, match=f"^{re.escape(says)}"):
            policy.play(stream(3), *game, journal)
        assert journal.next[0] < found


def test_levels_find_a_nan_index():
    arms, T = Arms(np.array([0.5, 0.5])), FIRST + 50_000
    for pulls in (9, FIRST // 2 + 9000):
        rule, journal = Undefined(pulls=pulls).rule(T, 2), blank_journal(2, np.array([T]))
        found, _ = play_by_levels(stream(3), arms, T, journal, rule)
        assert 0 <= found - (2 * pulls + 2) <= 1


def test_a_nan_index_of_episodes_is_an_error():
    game, journal = (Arms(np.array([0.4, 0.6])), 500), blank_journal(2, np.array([500]))
    with pytest.raises(InputError, match=r"UndefinedEpisodes\(.*: the index of arm \d is NaN in"):
        UndefinedEpisodes(epsilon=1.0).play(stream(3), *game, journal)


class Forbidden(UCB):
    """Minus infinity is an index."""

    def score(self, terms, growth):
        return -math.inf


def test_of_arms_whose_indices_are_minus_infinity_the_first_is_played():
    journal = blank_journal(3, np.array([100]))
    Forbidden().play(stream(3), Arms(np.array([0.4, 0.6, 0.5])), 100, journal)
    assert journal.counts.tolist() == [[98, 1, 1]]


@pytest.mark.parametrize("name", PLAYED)
def test_an_index_never_falls_while_its_arm_rests(name):
    """Leads rest on this: growth does not decrease with t, nor the index with growth."""
    rule, has_grown = rule_of(name, 2), False
    for s, n in ((0.0, 1), (3.0, 7), (5000.0, 9000)):
        terms, rounds = rule.terms(s, n), np.unique(np.geomspace(max(n, 2), 1e8, 400).astype(int))
        scores = [rule.score(terms, rule.growth(t)) for t in rounds]
        assert all(before <= after for before, after in itertools.pairwise(scores))
        has_grown |= scores[-1] > scores[0]
        for level in (scores[0] / 2, (scores[0] + scores[200]) / 2, 2.0):
            growth = rule.growth(10**4)
            assert rule.exceeds(terms, growth, level) == (rule.score(terms, growth) > level)
    assert has_grown or "ncb" in name  # whose indices do not depend on the round


@pytest.mark.parametrize("name", PLAYED)
def test_an_index_stays_above_a_level_as_the_counted_sum_promises(name):
    """An index above a level q stays there with later sums for which c - n q has not fallen."""
    rule, rng = rule_of(name, 2), np.random.default_rng(5)
    growth = rule.growth(10**5)
    for _ in range(2000):
        n = int(rng.geometric(1e-3)) + 1
        s = n * rng.uniform(-0.2 if "ldp" in name else 0.0, 1.2)  # reports have noise
        level = rule.score(rule.terms(s, n), growth) - rng.exponential(1e-2)
        later = n + int(rng.geometric(1e-2))
        later_s = s + level * (later - n) + rng.exponential(10) - 5
        if "ldp" not in name:
            later_s = max(later_s, 0.0)
        before = rule.potential(s, n, growth) - n * level
        if rule.potential(later_s, later, growth) - later * level >= before:
            assert rule.score(rule.terms(later_s, later), growth) > level
