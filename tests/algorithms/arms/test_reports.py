"""Many reports of a leader at once: sums, lengths of leads and pulls have the law of one pull at a time."""

import numba
import numpy as np
import pytest
from scipy import stats

from dpbandits.algorithms.arms import ldp_ncb, ldp_ucb, ldp_ucb_clipped
from dpbandits.algorithms.arms._index import LONG, play_leads, play_rounds
from dpbandits.algorithms.arms._reports import LEAST, block, reports_at_once
from dpbandits.environments.arms import pull
from dpbandits.environments.arms._journal import blank_journal
from dpbandits.environments.arms._rewards import Arms
from dpbandits.kernels.streams import stream

ARMS = Arms(np.array([0.7, 0.66]))
RULES = {"ldp_ucb": ldp_ucb.LDPUCB(0.5), "ldp_ncb": ldp_ncb.plan(10**6, 2, epsilon=0.5)}
n0, s0 = 20_000, 14_000.0  # of the leader


@numba.njit
def sums(rng, rule, most, growth, level, found):
    for i in range(found.size):
        made, s, _ = reports_at_once(rng, ARMS, 0, most, s0, n0, rule, growth, level)
        found[i] = s - s0 if made == most else np.nan


def test_the_sum_of_many_reports_has_its_law():
    """Of 40 rewards and Laplace numbers of scale 2, by the normal law with their moments and by their fourth moment."""
    found, k = np.zeros(200_000), 40
    sums(stream(51), RULES["ldp_ucb"], k, 1.0, -1.0, found)
    mean, variance = k * 0.7, k * (0.21 + 2 * 2.0**2)
    assert abs(found.mean() - mean) < 4 * np.sqrt(variance / found.size)
    assert found.var() == pytest.approx(variance, rel=0.02)
    excess = k * (0.21 * (1 - 6 * 0.21) + 12 * 2.0**4) / variance**2  # the fourth cumulants of both laws
    assert stats.kurtosis(found) == pytest.approx(excess, abs=0.05)


@numba.njit
def leads(rng, rule, growth, level, k, lengths, ends, seen):
    """The rounds up to the loss of a lead, or 1000, and the sum then, by blocks of k pulls (0: by one pull at a time).

    seen: how many rounds blocks that kept the lead had, how many blocks lost it, and how many told the wrong thing."""
    for i in range(lengths.size):
        t, s, leading = 0, s0, True
        while leading and t < 1000:
            if k:
                made, s, told = block(rng, ARMS, 0, k, s, n0 + t, rule, growth, level)
                t += made
                leading = rule.exceeds(rule.terms(s, n0 + t), growth, level)
                seen[0] += made * leading
                seen[1] += not leading
                seen[2] += told != leading
            else:
                t += 1
                s += rule.report(rng, pull(rng, ARMS, 0))
                leading = rule.exceeds(rule.terms(s, n0 + t), growth, level)
        lengths[i], ends[i] = t, s


@pytest.mark.parametrize("k", [1, 2, 20, 100])
@pytest.mark.parametrize("name", RULES)
def test_a_lead_ends_as_early_and_as_far_below(name, k):
    """The level is the leader's index after falls of 200; blocks of 100 pulls fall by 200 on average."""
    rule = RULES[name]
    growth = rule.growth(LONG)
    level = rule.index(rule.terms(s0 - 200, n0), growth)
    (lengths, ends), (slow_lengths, slow_ends) = np.zeros((2, 2, 20_000))
    seen = np.zeros(3, np.int64)
    leads(stream(52, name, k), rule, growth, level, k, lengths, ends, seen)
    leads(stream(52, name), rule, growth, level, 0, slow_lengths, slow_ends, seen.copy())
    assert min(seen[:2]) > 1000
    assert seen[2] == 0
    assert stats.ks_2samp(lengths, slow_lengths).pvalue > 1e-4
    assert stats.ks_2samp(ends, slow_ends).pvalue > 1e-4
    assert 0.05 < np.mean(slow_lengths < 1000) < 0.95


@numba.njit
def pulls_after(rng, rule, quickly, rounds, found, journals):
    for i in range(found.size):
        s, n = np.array([s0, 0.696 * n0]), np.array([n0, n0])
        pulls = np.array([LONG - n0, n0])
        terms = [rule.terms(s[a], n[a]) for a in range(2)]
        game = (rng, ARMS, LONG, LONG + rounds, journals[i], rule, terms, s, n, pulls)
        if quickly:
            play_leads(*game)
        else:
            play_rounds(*game)
        found[i] = pulls[1] - n0


@pytest.mark.parametrize("name", RULES)
def test_a_game_has_the_same_law(name):
    found = []
    for quickly in (True, False):
        pulls = np.zeros(4000)
        journals = numba.typed.List(
            [blank_journal(np.array([0.0, 1.0]), np.array([LONG + 700, LONG + 3000])) for _ in pulls]
        )
        pulls_after(stream(53, name, quickly), RULES[name], quickly, 3000, pulls, journals)
        assert all(journal.kept[0] == 2 for journal in journals)
        found.append(pulls)
    assert stats.ks_2samp(*found).pvalue > 1e-4
    assert len(np.unique(found[0])) > 50
    assert 100 < found[0].mean() < 2900


def test_no_block_where_the_lead_is_short():
    rule = RULES["ldp_ucb"]
    level = rule.index(rule.terms(s0, n0), 1.0)
    rng = stream(54)
    before = rng.bit_generator.state
    assert reports_at_once(rng, ARMS, 0, 10**6, s0, n0, rule, 1.0, level) == (0, s0, True)
    assert reports_at_once(rng, ARMS, 0, LEAST - 1, s0, n0, rule, 1.0, 0.0) == (0, s0, True)
    assert rng.bit_generator.state == before


def test_clipped_reports_are_made_one_by_one():
    """Their falls have another law."""
    rule = ldp_ucb_clipped.ClippedLDPUCB(0.5)
    assert rule.lead_on(None, ARMS, 0, 10**6, s0, n0, 0.0, -np.inf) == (0, s0, True)
