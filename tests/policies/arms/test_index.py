"""The drivers of index policies take the same actions, bit for bit, at long horizons, whatever the rule."""

import itertools
import math
from typing import NamedTuple

import numpy as np
import pytest

from dpbandits.bandits.journal import blank_journal, counts_of
from dpbandits.bandits.rewards import Arms
from dpbandits.drivers.index import Tally, index_rule, play_in_order, play_rounds, play_with_leads
from dpbandits.kernels import kernel
from dpbandits.policies import find
from dpbandits.privacy.hybrid import hybrid
from dpbandits.random import stream

MEANS = {2: [0.9, 0.6], 5: [0.5, 0.55, 0.45, 0.55, 0.3], 20: np.linspace(0.05, 0.95, 20).tolist()}


def memory(K):
    return np.zeros((K, 64))


RULES = {  # a rule has the memory of its mechanisms, so that every game needs a new one; of ldp_ucb some arms must be played
    "ucb": lambda K: find("ucb").UCB1(),
    "ucb_tuned": lambda K: find("ucb_tuned").TunedUCB(),
    "kl_ucb": lambda K: find("kl_ucb").KLUCB(3.1),
    "rr_kl_ucb": lambda K: find("rr_kl_ucb").RandomisedKLUCB(0.7, 3.0),
    "dp_ucb_bound": lambda K: find("dp_ucb_bound").DPUCBBound(1.0, hybrid(K, 2.0, 2.0)),
    "private_ucb": lambda K: find("private_ucb").PrivateUCB(3.0, 5.0, 40.0, memory(K)),
    "private_ucb_tuned": lambda K: find("private_ucb_tuned").PrivateTunedUCB(
        8.0, 16.0, True, memory(K)
    ),
    "private_ucb_tuned, ucb1": lambda K: find("private_ucb_tuned").PrivateClippedUCB(
        8.0, 16.0, True, memory(K)
    ),
    "ldp_ucb": lambda K: find("ldp_ucb").LDPUCB(2.0),
    "ldp_ucb_clipped": lambda K: find("ldp_ucb_clipped").ClippedLDPUCB(0.5),
    "ncb": lambda K: find("ncb").NCB(0.0, 30.0),
    "ldp_ncb": lambda K: find("ldp_ncb").plan(300_000, K, epsilon=1.0),
}


@kernel
def by_rounds(rng, arms, horizon, journal, rule):
    """The definition."""
    K = arms.means.size
    s, n, terms = np.zeros(K), np.zeros(K, np.int64), [rule.terms(0.0, 1)] * K
    play_rounds(rng, arms, 0, horizon, journal, rule, Tally(s, n, n), terms)


@kernel
def play_sorted(rng, arms, horizon, journal, rule):
    """The driver of rules whose index does not grow."""
    K = arms.means.size
    s, n, terms = np.zeros(K), np.zeros(K, np.int64), [rule.terms(0.0, 1)] * K
    tally = Tally(s, n, n)
    play_rounds(rng, arms, 0, K, journal, rule, tally, terms)
    play_in_order(rng, arms, K, horizon, journal, rule, tally, terms)


def counts(horizon, means, new_rule, faster=play_with_leads):
    """The pull counts after every round, of the plain driver and of a faster one."""
    for driver in by_rounds, faster:
        journal = blank_journal(len(means), np.arange(1, horizon + 1))
        driver(stream(31, "drivers"), Arms(np.array(means)), horizon, journal, new_rule())
        yield counts_of(journal)


@pytest.mark.parametrize("K", MEANS)
@pytest.mark.parametrize("name", RULES)
def test_leads_are_the_argmax_of_every_round(name, K):
    """Also where arms must be played or the index is costly; and several arms lead."""
    T = 30_000 if "kl_ucb" in name else 300_000
    plainly, by_leads = counts(
        T, MEANS[K], lambda: RULES[name](K), play_sorted if "ncb" in name else play_with_leads
    )
    assert np.array_equal(plainly, by_leads)
    assert sum(by_leads[-1] > 1) > 1


@pytest.mark.parametrize("name", RULES)
def test_an_index_never_falls_while_its_arm_rests(name):
    """What the leads rest on: growth does not decrease with t, nor the index with growth."""
    rule, has_grown = RULES[name](2), False
    for s, n in ((0.0, 1), (3.0, 7), (5000.0, 9000)):
        terms = rule.terms(s, n)
        scores = [
            rule.score(terms, rule.growth(t))
            for t in np.unique(np.geomspace(max(n, 2), 1e8, 400).astype(int))
        ]
        assert all(before <= after for before, after in itertools.pairwise(scores))
        has_grown |= scores[-1] > scores[0]
        for level in (scores[0] / 2, (scores[0] + scores[200]) / 2, 2.0):
            assert rule.exceeds(terms, rule.growth(10**4), level) == (
                rule.score(terms, rule.growth(10**4)) > level
            )
    assert has_grown or "ncb" in name  # whose indices do not depend on the round


@pytest.mark.parametrize("name", RULES)
def test_an_index_stays_above_a_level_as_the_counted_sum_promises(name):
    """Sums s of n rewards, an index that exceeds a level q, and later sums with which c - n q has not fallen."""
    rule, rng = RULES[name](2), np.random.default_rng(5)
    growth = rule.growth(10**5)
    for _ in range(2000):
        n = int(rng.geometric(1e-3)) + 1
        s = n * rng.uniform(-0.2 if "ldp" in name else 0.0, 1.2)  # reports have noise
        level = rule.score(rule.terms(s, n), growth) - rng.exponential(1e-2)
        later = n + int(rng.geometric(1e-2))
        later_s = max(
            s + level * (later - n) + rng.exponential(10) - 5, -math.inf if "ldp" in name else 0.0
        )
        fallen = (
            rule.counted(later_s, later, growth)
            - later * level
            - (rule.counted(s, n, growth) - n * level)
        )
        if fallen >= 0:
            assert rule.score(rule.terms(later_s, later), growth) > level


@kernel
def score_of(rule):
    return rule.score(rule.terms(0.0, 4), 0.0)


def test_a_rule_that_is_defined_again_plays_as_it_is_now():
    """As in a notebook: numba alone would take the machine code of the first for that of the second."""
    for score, found in (("self.scale * terms", 8.0), ("-terms", -4.0)):
        known = {"NamedTuple": NamedTuple, "__name__": __name__}
        exec(
            f"class Mine(NamedTuple):\n scale: float\n terms = lambda self, s, n: n\n score = lambda self, terms, _: {score}",
            known,
        )
        assert score_of(index_rule(known["Mine"])(2.0)) == found


def test_a_rule_in_a_function_or_with_a_field_like_a_method_is_refused():
    class Mine(NamedTuple):
        scale: float

    with pytest.raises(TypeError, match=r"<locals>.Mine: define this class outside functions"):
        index_rule(Mine)
    with pytest.raises(TypeError, match="no field may be called 'growth'"):
        index_rule(NamedTuple("Growing", [("growth", float)]))
