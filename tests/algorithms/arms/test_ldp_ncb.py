"""ldp_ncb: what is special to it (the rest is in test_every_algorithm.py)."""

import math
from typing import NamedTuple

import numpy as np
import pytest
from plain import sarkar2025
from playing import actions
from scipy import stats
from twins import THREE, for_twin

from dpbandits.algorithms.arms import ldp_ncb, ldp_ucb, ldp_ucb_clipped
from dpbandits.algorithms.arms._index import index_rule
from dpbandits.environments.arms._journal import blank_journal
from dpbandits.kernels.streams import stream


def test_ldp_ncb_index_by_hand():
    """T = 1e4, epsilon = 1/4, 64 reports whose sum is 16; a sum below 0 counts as a mean of 0."""
    L, ell = math.log(10**4), math.log(101)
    rest = 4 * math.sqrt(8 * 3.1 * L / 64) + 12 * 6.2**0.25 * ell**0.75 / (0.5 * 64**0.75)
    plan = ldp_ncb.plan(10**4, 2, epsilon=0.25)
    assert plan.terms(16.0, 64) == pytest.approx(0.25 + 6 * math.sqrt(2 * 0.25 * L / 64) + rest)
    assert plan.terms(-3.0, 64) == pytest.approx(rest)
    assert plan.terms(0.0, 0) == math.inf
    in_all = ldp_ncb.plan(10**4, 2, epsilon=0.25, leading_log="cap")
    rest = 4 * math.sqrt(8 * 3.1 * ell / 64) + 12 * 6.2**0.25 * ell**0.75 / (0.5 * 64**0.75)
    assert in_all.terms(16.0, 64) == pytest.approx(0.25 + 6 * math.sqrt(2 * 0.25 * ell / 64) + rest)


def test_phase_one_lasts_as_long_as_the_cap_says():
    """Its rounds are uniform."""
    for run in range(5):
        chosen = actions("ldp_ncb", stream(9, run), THREE, 10_000, epsilon=1.0)
        rng = for_twin(stream(9, run))
        for t in range(102):
            assert chosen[t] == sarkar2025.uniform_arm(rng, 3)
            rng.random()
            rng.laplace(0.0, 1.0)


def reports(phase1_noise, reward, epsilon, horizon):
    """The sum of each arm's reports in a game of Phase I alone, for many games."""
    spied = []

    class Rng:
        def __init__(self, run):
            self.rng = stream(20, run)

        def random(self):
            return self.rng.random()

        def laplace(self, location, scale):
            spied.append((location, scale))
            return self.rng.laplace(location, scale)

    for run in range(3):
        sarkar2025.ldp_ncb(Rng(run), [reward] * 2, horizon, epsilon, phase1_noise=phase1_noise)
    return spied


@pytest.mark.parametrize("epsilon", [0.2, 2.0])
def test_p1_the_noise_of_every_report_is_centred_with_scale_one_over_epsilon(epsilon):
    """The twin's calls; the kernel takes the same actions from the same generator (below)."""
    assert set(reports("centred", 1.0, epsilon, 100)) == {(0.0, 1 / epsilon)}
    published = reports("misplaced", 1.0, epsilon, 100)
    assert set(published) == {(1 / epsilon, 1.0), (0.0, 1 / epsilon)}
    assert published.count((1 / epsilon, 1.0)) == 3 * 12  # W + 1 rounds of each game


@index_rule
class SpiedRule(NamedTuple):
    """LDP-NCB's reports, and where the test reads the sum of an arm's reports; Phase I never sees enough."""

    epsilon: float
    phase1: int
    location: float
    scale: float
    seen: np.ndarray
    report = ldp_ncb.LDPNCB.report

    def explored(self, rng, a, s, n):
        return False

    def terms(self, s, n):
        if n > 0:
            self.seen[0] = s
        return s

    def index(self, terms, growth):
        return terms


@index_rule
class SpiedRuleInPhase1(SpiedRule):
    """The same with the reports of Phase I."""

    report = ldp_ncb.LDPNCBInPhase1.report


class OneReward(NamedTuple):
    """Arms that always pay this reward; `means` is for their number only."""

    means: np.ndarray
    paid: float

    def reward(self, rng, a):
        return self.paid


@pytest.mark.parametrize("reward", [0.0, 1.0])
@pytest.mark.parametrize("phase", [1, 2])
def test_p1_the_kernels_reports_are_laplace_about_the_reward(reward, phase):
    """Games of one round, which is of Phase I or, if that is capped at nothing, of Phase II."""
    epsilon, arms = 0.5, OneReward(np.zeros(2), reward)
    laws = {"centred": stats.laplace(reward, 1 / epsilon)}
    laws["misplaced"] = stats.laplace(reward + 1 / epsilon, 1.0) if phase == 1 else laws["centred"]
    for noise, law in laws.items():
        plan = ldp_ncb.plan(10**4, 2, epsilon=epsilon, phase1_noise=noise)
        spied = SpiedRule(epsilon, plan.phase1 if phase == 1 else 0, plan.location, plan.scale, np.zeros(1))
        seen, rng = [], stream(21, noise)
        for _ in range(5000):
            journal = blank_journal(np.array([0.0, 1.0]), np.array([1]))
            ldp_ncb.ldp_ncb(rng, arms, 0, 1, journal, np.zeros(2, np.int64), SpiedRuleInPhase1(*spied), spied)
            seen.append(spied.seen[0])
        assert stats.kstest(seen, law.cdf).pvalue > 1e-4


@pytest.mark.parametrize(("epsilon", "spent"), [(0.2, 1.0), (0.5, 1.0), (1.0, 1.0), (2.0, 2.0)])
def test_p1_ledger(epsilon, spent):
    assert ldp_ncb.privacy(10**7, 50, epsilon=epsilon).spent == pytest.approx(epsilon)
    published = ldp_ncb.privacy(10**7, 50, epsilon=epsilon, phase1_noise="misplaced")
    assert published.spent == pytest.approx(spent)
    assert published.kept is (epsilon >= 1)
    for module in (ldp_ucb, ldp_ucb_clipped):
        assert module.privacy(10**7, 50, epsilon=epsilon).kept
