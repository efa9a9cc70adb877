"""Exact losses, each in a second way."""

import math

import numpy as np
import pytest
from scipy import stats

from dpbandits.audit import games
from dpbandits.audit.likelihoods import (
    SEQUENCES,
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
    """Releases whose choices are given, and which add up their log-likelihood."""

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
    gamma, after = gamma_of(horizon, arms), horizon - rounds - 1

    def played(changed):
        releases, weights = Forced([1] * rounds + [0] * (1 + after)), fresh_weights(arms)
        for gain in [1.0] * rounds + [changed] + [0.0] * after:
            a, p = getattr(choose, "py_func", choose)(releases, weights, gamma)
            add_gain(weights, gamma, a, gain / p)
        return releases.loss

    assert loss == pytest.approx(played(1.0) - played(0.0), rel=1e-9)


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
    policy, horizon = GDPNCB(epsilon=1.0, alpha=0.05, c=0.05), 64
    compiled = policy.compiled(horizon, 2)
    assert compiled.longest_phase1 == 5 + 4  # arm 2 has the larger index, and plays 2 more
    noise = stream(1, "noise").numpy().laplace(0.0, compiled.noise / policy.epsilon, 2_000_000)
    constant, expected = compiled.first_term + compiled.second_term, 0.0
    for n in (5 + 2, 5 + 4, 5 + 8, 5 + 16):  # pulls of arm 1; another 32 are too many
        chances = []
        for reward in (1.0, 0.0):
            mu = np.clip((reward + noise) / n, 0.0, 1.0)
            index = mu + compiled.c_term * np.sqrt(mu / n) + constant / n
            chances.append(np.mean(index > constant / (4 + 2)))
        expected += math.log(chances[0] / chances[1])
    assert gdp_ncb_loss(policy, horizon) == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize("split", SPLITS)
def test_dp_ucb_bound_in_six_rounds_by_quadrature(split):
    """Arm 1's third item is in one node; Gauss-Laguerre over the noises of both running totals."""

    def index(s, n, t):  # at epsilon = 1, by the paper
        factor = 1 if n & (n - 1) == 0 else math.log(n) + 1
        return (
            s / n + math.sqrt(2 * math.log(t) / n) + math.sqrt(8) * math.log(4 * t**4) * factor / n
        )

    total, node = scales(split, 1.0)
    x, w = np.polynomial.laguerre.laggauss(24)
    x, w = total * np.concatenate([-x, x]), np.concatenate([w, w]) / 2
    a1, a2, b1, b2 = np.meshgrid(x, x, x, x, indexing="ij", sparse=True)
    first, second = a1 + a2, b1 + b2
    fits = np.heaviside(a1 - b1, 0.5) * (index(b1, 1, 4) > index(first, 2, 4))  # rounds 3 and 4
    fits = fits * np.heaviside((first - second).round(9), 0.5)  # round 5
    weights = np.einsum("i,j,k,l->ijkl", w, w, w, w) * fits
    limit = 3 * (index(second, 2, 6) - index(0.0, 3, 6)) - first
    expected = [(weights * stats.laplace.cdf(limit - item, scale=node)).sum() for item in (0, 1)]
    found = hybrid_likelihoods(DPUCBBound(epsilon=1.0, hybrid_split=split), "121212", 400_000)
    assert found.mean(axis=1) == pytest.approx(expected, rel=0.05)
    assert np.log(found[0].mean() / found[1].mean()) == pytest.approx(1 / node, rel=1e-6)


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


@pytest.mark.parametrize(
    ("split", "sequence"), [("literal_natlog", SEQUENCES[DPUCB]), ("full_log2", "12122222")]
)
def test_dp_ucb_plays_the_sequence_as_often_as_computed(split, sequence):
    """The policy's own code in 200,000 games: the sequence of P2-exact, and a shorter one."""
    policy, T, number = DPUCB(epsilon=1.0, hybrid_split=split), len(sequence), 200_000
    pulls = np.cumsum([[arm == "1", arm == "2"] for arm in sequence], axis=0).astype(np.uint64)
    code = pulls.ravel() @ games.factors(pulls.size)
    for item, expected in enumerate(hybrid_likelihoods(policy, sequence, 1_000_000).mean(axis=1)):
        rewards = np.zeros((T + 1, 2))
        rewards[2] = item
        releases, setting = Releases(stream(item, "games")), Setting(2, T, observed_rounds=T)
        played = games.actions(policy, setting, releases, rewards, number)
        assert abs(np.mean(played == code) - expected) < 4 * math.sqrt(expected / number)


def test_dp_ucb_with_the_noise_of_the_corrected_reading_stays_within():
    for split, over in zip(SPLITS, (1.2, 1.2, 0.6), strict=True):
        for epsilon in (0.1, 1.0):
            policy = DPUCB(epsilon=epsilon, hybrid_split=split)
            loss, error = hybrid_loss(policy, 100_000)
            assert over * epsilon < loss < policy.account(12, 2).spent
            assert error < 0.03 * epsilon


def test_the_best_of_several_settings_tells_a_reward():
    """The code of two settings plays round 6 of five arms; the other arms' rewards are 0."""
    settings, T = [PrivateUCBTuned(epsilon=20.0, relax_c=c) for c in (2.0, 0.0)], 6
    rewards = np.zeros((T + 1, 5))
    rewards[5, 4] = 1.0
    first, second = (
        games.records(each, Setting(5, T), Releases(stream(1, each.relax_c)), rewards, 40_000)
        [:, -1, 4] == 2
        for each in settings
    )  # fmt: skip
    one, zero = tuning_likelihoods(settings[0], T, 5, place=1)
    assert np.mean(second & ~first) == pytest.approx(one, abs=0.008)
    assert zero == 0  # all totals are 0, and the first setting is chosen
    assert tuning_likelihoods(settings[0], T, 5, place=0)[1] == 1
