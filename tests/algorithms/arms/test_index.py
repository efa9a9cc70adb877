"""The drivers of index policies take the same actions, bit for bit, at long horizons, whatever the rule."""

from typing import NamedTuple

import numpy as np
import pytest

from dpbandits.algorithms.arms import (
    _nash,
    dp_ucb_bound,
    kl_ucb,
    ldp_ncb,
    ldp_ucb,
    ldp_ucb_clipped,
    ncb,
    private_ucb,
    private_ucb_clipped,
    private_ucb_tuned,
    ucb,
    ucb_tuned,
)
from dpbandits.algorithms.arms._index import index_rule, play_round_by_round, play_rounds, play_with_leads
from dpbandits.environments.arms._journal import blank_journal
from dpbandits.environments.arms._rewards import Arms
from dpbandits.kernels.compiled import kernel
from dpbandits.kernels.streams import stream
from dpbandits.privacy.hybrid import hybrid

MEANS = {2: [0.9, 0.6], 5: [0.5, 0.55, 0.45, 0.55, 0.3], 20: np.linspace(0.05, 0.95, 20).tolist()}


def memory(K):
    return np.zeros((K, 64))


RULES = {
    "ucb": lambda K: ucb.UCB1(),
    "ucb_tuned": lambda K: ucb_tuned.TunedUCB(),
    "kl_ucb": lambda K: kl_ucb.KLUCB(3.1),
    "dp_ucb_bound": lambda K: dp_ucb_bound.DPUCBBound(1.0, True, hybrid(K, "half_log2", 1.0)),
    "private_ucb": lambda K: private_ucb.PrivateUCB(3.0, 5.0, 40.0, memory(K)),
    "private_ucb, clipped": lambda K: private_ucb_clipped.PrivateClippedUCB(8.0, 16.0, memory(K)),
    "private_ucb, clipped and tuned": lambda K: private_ucb_tuned.PrivateTunedUCB(8.0, 16.0, True, memory(K)),
    "ldp_ucb": lambda K: ldp_ucb.LDPUCB(2.0),
    "ldp_ucb_clipped": lambda K: ldp_ucb_clipped.ClippedLDPUCB(0.5),
}


def journals(horizon, means, *plays):
    """The regret after every round, of arms whose gaps differ, by each of these ways to play."""
    arms, gaps = Arms(np.array(means)), np.arange(1.0, len(means) + 1)
    for play in plays:
        journal = blank_journal(gaps, np.arange(1, horizon + 1))
        play(stream(31, "drivers"), arms, horizon, journal)
        assert journal.kept[0] == horizon
        yield journal.regret


def by_both(driver, rule, horizon, means):
    """By the definition and by this driver. A rule carries its mechanisms' memory, so `rule` makes one for each."""
    return journals(
        horizon, means, lambda *game: play_round_by_round(*game, rule()), lambda *game: driver(*game, rule())
    )


@pytest.mark.parametrize("K", MEANS)
@pytest.mark.parametrize("name", RULES)
def test_leads_are_the_argmax_of_every_round(name, K):
    horizon = 60_000 if name == "kl_ucb" else 600_000
    plainly, by_leads = by_both(play_with_leads, lambda: RULES[name](K), horizon, MEANS[K])
    assert np.array_equal(plainly, by_leads)
    assert np.array_equal(np.unique(np.diff(by_leads)), np.arange(1, K + 1))


@kernel
def nash_round_by_round(rng, arms, horizon, journal, rule_of_phase1, rule, last):
    """As `ncb.ncb` and `ldp_ncb.ldp_ncb`, by the other driver."""
    K = arms.means.size
    s, n, pulls = np.zeros(K), np.zeros(K, np.int64), np.zeros(K, np.int64)
    t = _nash.explore(rng, arms, 0, min(last, horizon), journal, rule_of_phase1, s, n, pulls)
    terms = [rule.terms(s[a], n[a]) for a in range(K)]
    play_rounds(rng, arms, t, horizon, journal, rule, terms, s, n, pulls)


@pytest.mark.parametrize("K", MEANS)
def test_leads_of_the_nash_confidence_bounds(K):
    horizon = 1_000_000
    rule = ncb.NCB(3 * np.log(horizon), 6 * np.sqrt(2 * np.log(horizon)))
    plainly, by_leads = journals(
        horizon,
        MEANS[K],
        lambda *game: nash_round_by_round(*game, rule, rule, horizon),
        lambda *game: ncb.ncb(*game, rule),
    )
    assert np.array_equal(plainly, by_leads)
    rule = ldp_ncb.plan(horizon, K, epsilon=1.0)
    rules = ldp_ncb.LDPNCBInPhase1(*rule), rule
    plainly, by_leads = journals(
        horizon,
        MEANS[K],
        lambda *game: nash_round_by_round(*game, *rules, rule.phase1),
        lambda rng, arms, T, journal: ldp_ncb.ldp_ncb(rng, arms, 0, T, journal, np.zeros(K, np.int64), *rules),
    )
    assert np.array_equal(plainly, by_leads)


@pytest.mark.parametrize("name", RULES)
def test_an_index_never_falls_while_its_arm_rests(name):
    """What the leads rest on: growth does not decrease with t, nor the index with growth."""
    rule = RULES[name](2)
    for s, n in ((0.0, 1), (3.0, 7), (5000.0, 9000)):
        terms = rule.terms(s, n)
        indices = [rule.index(terms, rule.growth(t)) for t in np.unique(np.geomspace(max(n, 2), 1e8, 400).astype(int))]
        assert np.all(np.diff(indices) >= 0)
        assert indices[-1] > indices[0]


@index_rule
class StubbornUCB(ucb.UCB1):
    """A rule whose leader is always said to lead."""

    def exceeds(self, terms, growth, level):
        return True


@pytest.mark.slow
def test_the_comparison_can_fail():
    plainly, by_leads = by_both(play_with_leads, StubbornUCB, 20_000, MEANS[5])
    assert not np.array_equal(plainly, by_leads)


def test_rules_of_one_name_are_refused():
    """numba would take the machine code of the first for that of the second."""

    class UCB1(NamedTuple):
        scale: float

    with pytest.raises(
        TypeError, match=r"dpbandits\.algorithms\.arms\.ucb has a rule of this name; choose another name"
    ):
        index_rule(UCB1)
