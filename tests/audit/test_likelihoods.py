"""Exact losses, each in a second way."""

import math

import numpy as np
import pytest
from scipy import stats

from dpbandits.audit.games import FACTORS, records
from dpbandits.audit.games import actions as played_actions
from dpbandits.audit.likelihoods import (
    exp3_loss,
    gdp_ncb_loss,
    hybrid_likelihoods,
    hybrid_loss,
    tuning_likelihoods,
)
from dpbandits.drivers.exp3_weights import add_gain, choose, fresh_weights
from dpbandits.policies import DPUCB, GDPNCB, DPUCBBound, PrivateUCBTuned
from dpbandits.privacy.games import Setting
from dpbandits.privacy.hybrid import scales
from dpbandits.privacy.releases import Releases
from dpbandits.random import stream
from dpbandits.theory.exp3_constants import gamma_of

SPLITS = "literal_natlog", "full_log2", "half_log2"


class Forced:
    """Releases whose choices are given, and which adds up their log-likelihood."""

    def __init__(self, choices):
        self.choices, self.loss = iter(choices), 0.0

    def choice(self, weights, factor, least):
        i = next(self.choices)
        p = factor * weights[i] + least
        self.loss += math.log(p)
        return i, p


def test_exp3_loses_what_its_own_code_says():
    """The policy's code plays the sequence on both inputs, with forced choices."""
    horizon, arms = 2000, 3
    loss, rounds = exp3_loss(horizon, arms)
    gamma, choices = gamma_of(horizon, arms), [1] * rounds + [0] * (horizon - rounds)
    losses = []
    for changed in (1.0, 0.0):
        releases, weights = Forced(choices), fresh_weights(arms)
        gains = [1.0] * rounds + [changed] + [0.0] * (horizon - rounds - 1)
        for gain in gains:
            a, p = getattr(choose, "py_func", choose)(releases, weights, gamma)
            add_gain(weights, gamma, a, gain / p)
        losses.append(releases.loss)
    assert loss == pytest.approx(losses[0] - losses[1], rel=1e-9)


@pytest.mark.parametrize(
    ("log", "over"), [("ln", [1.362, 1.347, 1.326]), ("log2", [0.945, 0.937, 0.927])]
)
def test_gdp_ncb_as_published_loses_more_than_it_promises(log, over):
    """With log2, as corrected, it stays within. Numbers by others, relative to epsilon."""
    for epsilon, expected in zip((0.2, 1.0, 2.0), over, strict=True):
        loss = gdp_ncb_loss(GDPNCB(epsilon=epsilon, noise_log=log), 10**7)
        assert loss / epsilon == pytest.approx(expected, abs=5e-4)


def test_gdp_ncb_loses_what_drawn_noise_says():
    """With constants so small that the event is probable."""
    policy, horizon, draws = GDPNCB(epsilon=1.0, alpha=0.05, c=0.05), 64, 2_000_000
    compiled, noise = policy.compiled(horizon, 2), stream(1, "noise").numpy()
    assert (
        compiled.longest_phase1 == 9
    )  # 5 and 4 rounds; arm 2 has the larger index, and plays 2 more
    constant, expected, left, m = (
        compiled.first_term + compiled.second_term,
        0.0,
        horizon - 9 - 2,
        2,
    )
    while left > m:  # the choice after an episode
        n, chances, left = 5 + m, [], left - m
        for reward in (1.0, 0.0):
            drawn = reward + noise.laplace(0.0, compiled.noise / policy.epsilon, draws)
            mu = np.clip(drawn / n, 0.0, 1.0)
            index = mu + compiled.c_term * np.sqrt(mu / n) + constant / n
            chances.append(np.mean(index > constant / (4 + 2)))
        expected += math.log(chances[0] / chances[1])
        m *= 2
    assert gdp_ncb_loss(policy, horizon) == pytest.approx(expected, abs=0.02)


def bound_index(s, n, t):
    """DP-UCB-BOUND's index at epsilon = 1, by the paper."""
    factor, c = 1 if n & (n - 1) == 0 else math.log(n) + 1, math.sqrt(8) * math.log(4 * t**4)
    return s / n + math.sqrt(2 * math.log(t) / n) + c * factor / n


@pytest.mark.parametrize("split", SPLITS)
def test_dp_ucb_bound_in_six_rounds_by_quadrature(split):
    """Arm 1's third item is in one node; Gauss-Laguerre over the noises of both running totals."""
    total, node = scales(split, 1.0)
    x, w = np.polynomial.laguerre.laggauss(24)
    x, w = total * np.concatenate([-x, x]), np.concatenate([w, w]) / 2
    a1, a2, b1, b2 = np.meshgrid(x, x, x, x, indexing="ij", sparse=True)
    first, second, index = a1 + a2, b1 + b2, bound_index
    fits = np.heaviside(a1 - b1, 0.5) * (index(b1, 1, 4) > index(first, 2, 4))  # rounds 3 and 4
    fits = fits * np.heaviside((first - second).round(9), 0.5)  # round 5
    weights = np.einsum("i,j,k,l->ijkl", w, w, w, w) * fits
    limit = 3 * (index(second, 2, 6) - index(0.0, 3, 6)) - first
    expected = [(weights * stats.laplace.cdf(limit - item, scale=node)).sum() for item in (0, 1)]
    terms = hybrid_likelihoods(DPUCBBound(epsilon=1.0, hybrid_split=split), "121212", 400_000)
    assert terms.mean(axis=1) == pytest.approx(expected, rel=0.05)
    assert np.log(terms[0].mean() / terms[1].mean()) == pytest.approx(1 / node, rel=1e-6)
    assert math.log(expected[0] / expected[1]) == pytest.approx(1 / node, rel=1e-4)


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_dp_ucb_bound_loses_its_whole_ledger(split, epsilon):
    """So the ledger is exact: above the promise with both printed scales, and not as corrected."""
    policy = DPUCBBound(epsilon=epsilon, hybrid_split=split)
    loss, error = hybrid_loss(policy, 50_000)
    assert loss == pytest.approx(sum(1 / scale for scale in scales(split, epsilon)), rel=1e-6)
    assert loss <= policy.account(4, 2).spent + 1e-9
    assert error < 1e-6
    assert (loss > 1.000001 * epsilon) == (split != "half_log2")


def test_dp_ucb_plays_the_sequence_as_often_as_computed():
    """The policy's own code in 200,000 games, and Maurer & Pontil's bound with 1e-6.

    With log2, the smaller loss of the two printed noises.
    """
    policy, actions, games = DPUCB(epsilon=1.0, hybrid_split="full_log2"), "12122222", 200_000
    pulls = np.cumsum([[arm == "1", arm == "2"] for arm in actions], axis=0).astype(np.uint64)
    code = pulls.ravel() @ FACTORS[: pulls.size]
    terms = hybrid_likelihoods(policy, actions, draws := 1_000_000)
    for item, estimates in enumerate(terms):
        rewards = np.zeros((9, 2))
        rewards[2] = item
        releases = Releases(stream(item, "games"))
        played = played_actions(policy, Setting(2, 8), releases, rewards, games)
        hits, expected = np.count_nonzero(played == code), estimates.mean()
        assert abs(hits / games - expected) < 4 * math.sqrt(expected / games)
    a = math.log(2 / 1e-6)
    slack = np.sqrt(2 * terms.var(axis=1) * a / draws) + 7 * a / (3 * (draws - 1))
    least, most = terms[0].mean() - slack[0], terms[1].mean() + slack[1]
    assert math.log(least / most) > 1


def test_dp_ucb_with_the_noise_of_the_corrected_reading_stays_within():
    for split, over in zip(SPLITS, (1.2, 1.2, 0.6), strict=True):
        for epsilon in (0.1, 1.0):
            policy = DPUCB(epsilon=epsilon, hybrid_split=split)
            loss, error = hybrid_loss(policy, 100_000)
            assert over * epsilon < loss < policy.account(12, 2).spent
            assert error < 0.03 * epsilon


def test_the_best_of_several_settings_tells_a_reward():
    """The code of two settings plays round 6 of five arms; the other arms' rewards are 0."""
    policy, games, T = PrivateUCBTuned(epsilon=20.0, relax_c=2.0), 40_000, 6
    one, zero = tuning_likelihoods(policy, T, 5, place=1)
    rewards = np.zeros((T + 1, 5))
    rewards[5, 4] = 1.0
    collected = []
    for setting in (policy, PrivateUCBTuned(epsilon=20.0, relax_c=0.0)):
        releases = Releases(stream(1, setting.relax_c))
        pulls = records(setting, Setting(5, T), releases, rewards, games)
        collected.append(pulls[:, -1, 4] == 2)
    first, second = collected
    assert np.mean(second & ~first) == pytest.approx(one, abs=0.008)
    assert zero == 0  # all totals are 0, and the first setting is chosen
    assert tuning_likelihoods(policy, T, 5, place=0)[1] == 1
