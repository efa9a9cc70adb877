"""Refuted theorems, each by a computation that its check in config/claims does not use."""

import itertools
import math

import numpy as np
import pytest
from plain import tossou2016 as plain
from playing import FIFTY
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import norm

from dpbandits.policies import DPTS, GDPNCB, DPUCBInt
from dpbandits.policies.arms.private_thompson_gap import pulls_per_arm
from dpbandits.privacy.hybrid import scales
from dpbandits.theory import azize2022
from dpbandits.theory.mishra2015 import mishra2015_forced_pulls
from dpbandits.theory.tossou2016 import tossou2016_dp_ucb_int

T = 10**7


def test_azize2022_t12_two_randomised_responses():
    """Of two bits that are 1 with probability p, or 0, all four outcomes."""

    def largest_ratio(epsilon, p):
        truth = 1 / (1 + math.exp(-epsilon))  # the probability of a true answer
        laws = [
            [q * (1 - truth) + (1 - q) * truth, q * truth + (1 - q) * (1 - truth)] for q in (p, 0)
        ]
        return max(
            laws[0][x] * laws[0][y] / (laws[1][x] * laws[1][y])
            for x, y in itertools.product((0, 1), repeat=2)
        )

    assert largest_ratio(3.0, 1e-3) == pytest.approx(1.0191**2, abs=1e-4)
    assert largest_ratio(3.0, 1e-3) > math.exp(6 * 3 * 2e-3)
    excess = brentq(lambda e: math.log(largest_ratio(e, 1e-6)) - 12e-6 * e, 2.5, 3.5)
    assert excess == pytest.approx(brentq(lambda e: math.expm1(e) - 6 * e, 2.5, 3.5), abs=1e-3)
    assert excess == pytest.approx(2.918, abs=1e-3)


def test_azize2022_t13_where_theorem_2_begins_to_depend_on_epsilon():
    """By bisection of the bound, in the paper's example."""
    gaps = np.full(100, 0.1)
    without = azize2022.azize2022_theorem_2(gaps, 10**6, 1.0)
    low, high = 1e-6, 1.0
    for _ in range(60):
        middle = math.sqrt(low * high)
        depends = azize2022.azize2022_theorem_2(gaps, 10**6, middle) > without
        low, high = (middle, high) if depends else (low, middle)
    assert low == pytest.approx(0.00205, abs=5e-6)
    assert azize2022.azize2022_theorem_2_crossing(100, 10**6) == pytest.approx(low, rel=1e-6)


def test_azize2022_t9_the_largest_ratio_of_likelihoods():
    """On a grid of likelihoods (u, v) after a reward 1 and 0, just above Figure 3's crossing."""
    worse, best, epsilon = 0.1, 0.8, 0.273
    u, v = np.ones(2001), np.exp(np.linspace(-epsilon, epsilon, 2001))
    log_ratio = np.log((worse * u + (1 - worse) * v) / (best * u + (1 - best) * v))
    kl = worse * math.log(worse / best) + (1 - worse) * math.log((1 - worse) / (1 - best))
    assert kl / (6 * 0.7) == pytest.approx(0.27279, abs=1e-5)  # the crossing
    assert kl / log_ratio.max() == pytest.approx(6.0965, abs=1e-3)


def test_mishra2015_t2_and_t5_the_forced_pulls_in_closed_form():
    """The first batch of the policy's own code grows with the square of the arms.

    With T^(1/3) arms its cost over the order is 192 (k - 1) epsilon gap^3/ln(T)^2.
    """
    over = []
    for horizon in (1e12, 1e24):
        k, log_t = round(horizon ** (1 / 3)), math.log(horizon)
        forced = (k - 1) * pulls_per_arm(k, 1.0, horizon, 1.0) * 0.5
        over.append(forced / (k * log_t**3 / 0.5**2))
        assert over[-1] == pytest.approx(24 * (k - 1) / log_t**2, rel=1e-5)
        assert over[-1] == pytest.approx(mishra2015_forced_pulls(horizon, 1.0)[0], rel=1e-5)
    assert over[1] / over[0] == pytest.approx(2500.25, rel=1e-5)
    few, many = (k * pulls_per_arm(k, 1.0, 10**12, 1.0) for k in (10, 1000))
    assert many / few == pytest.approx(10**4, rel=1e-3)


def test_hu2022_t8_the_bonus_after_a_logarithmic_number_of_pulls_grows():
    """At epsilon = 500, by the policy's constant: too slowly to be seen at T = 10^5."""
    constant = DPTS(epsilon=500.0).constants(10**5, 5)["bonus"] / 500
    bonuses = []
    for log_t in (math.log(10**5), 1e3, 1e100, 1e300):
        n = 10 * log_t
        bonuses.append(constant * math.log(n + 1) * log_t / n)
    assert bonuses == sorted(bonuses)
    assert bonuses[0] < 0.05
    assert bonuses[-1] / bonuses[-2] == pytest.approx(3, rel=0.02)  # as ln ln T, without a bound


def test_sarkar2025_t4_the_first_arm_stays():
    """At epsilon = 1000 an unvisited arm has a bonus alone, which is below most means.

    The runs have 23.0±3.3 times the Nash regret at epsilon = 2, which is 0.0220.
    """
    means, rng, regrets = np.array(FIFTY), np.random.default_rng(1), []
    few, many = (GDPNCB(epsilon=e, noise_log="ln").compiled(T, 50) for e in (2.0, 1000.0))
    assert few.first_term + few.second_term > 3 * few.longest_phase1 / 50  # all are visited
    bonus = many.first_term + many.second_term
    for _ in range(2000):
        pulls = np.bincount(rng.integers(0, 50, many.longest_phase1), minlength=50)
        order = np.argsort(pulls, kind="stable")
        left = means[order[:-1]] + many.c_term * np.sqrt(means[order[:-1]] / T)  # as n grows to T
        stays = np.flatnonzero(left > bonus / (pulls[order[1:]] + 1))
        regrets.append(means.max() - means[order[stays[0]]])
    assert np.mean(regrets) / 0.0220 == pytest.approx(20.3, abs=1)


def test_sarkar2025_t8_no_sum_can_reach_the_threshold():
    """An arm's share of all rounds of Figure 1, with rewards of 1, is below half of it."""
    c = GDPNCB(epsilon=2.0, cap="none", index_log="horizon").compiled(T, 50)
    assert c.longest_phase1 == T
    assert 0.5 * c.threshold > T / 50
    assert c.threshold == pytest.approx(1600 * (9 * math.log(T) + math.log(T) ** 2 / 2))


def explicit(W, v, t):
    """The lower bound of docs/findings.md on the probability that the best arm is lost at t."""
    return math.exp(-3.25 * W ** (1 - v / 2) - W ** ((1 - v) / 2) * math.sqrt(2 * math.log(t))) / 4


class Noise:
    """Random numbers with the noise of the proof: arm 1's first release is far too low."""

    def __init__(self, rng, first, others):
        self.rng, self.left, self.others = rng, [first], others

    def binomial(self, n, p):
        return self.rng.binomial(n, p)

    def laplace(self, location, scale):
        return self.left.pop() if self.left else self.others


def test_tossou2016_t1_noise_of_the_proof_loses_the_best_arm():
    """In the plain twin of DP-UCB-INT, with any t in the confidence term."""
    horizon, W = 3000, 6
    for bonus in ("refresh_at_update", "current_t", "frozen"):
        low = -(3.25 + math.sqrt(2 * math.log(horizon) / W))
        rng = Noise(np.random.default_rng(1), low - 1e-9, -2.25)
        actions = plain.dp_ucb_int(rng, [0.9, 0.6], horizon, 5.0, bonus=bonus)
        assert actions[2 * W :] == [1] * (horizon - 2 * W)
    assert DPUCBInt(epsilon=5.0).first_update() == W


def test_tossou2016_t1_the_lower_bound_against_powers_and_the_theorem():
    W = DPUCBInt(epsilon=1.0).first_update()
    assert W == 46
    exponent = [math.log(explicit(W, 1.1, t**1.01) / explicit(W, 1.1, t)) / (0.01 * math.log(t))
                for t in (1e5, 1e10, 1e100)]  # fmt: skip
    assert exponent == pytest.approx([-0.172, -0.121, -0.038], abs=1e-3)  # tends to 0
    gaps, t = np.array([0.0, 0.3]), 10**16
    lost = 0.3 * (t - 2 * W) * explicit(W, 1.1, t)
    assert lost > 7 * tossou2016_dp_ucb_int(gaps, t, 1.0, math.exp(-10))
    # P(all releases of another arm have noise above -9/4) is at least a half: sum e^(-9/4 n^(1/4)).
    n = np.arange(1.0, 1e6)
    assert np.exp(-2.25 * n**0.25).sum() < 24 / 2.25**4 < 1


def test_tossou2016_t6_by_the_characteristic_function():
    """P(error > bound) of the corrected noise; the check draws a million errors."""
    n, (total, level) = 2**17 - 1, scales("half_log2", 1.0)
    bound = math.sqrt(8) * math.log(4 * n) * (math.log(n) + 1)
    a, b = total**2, (16 * level) ** 2

    def integrand(w):
        return math.sin(w * bound) / w / ((1 + a * w * w) ** 17 * (1 + b * w * w) ** 16)

    inside = quad(integrand, 0, 0.3, limit=2000, epsabs=1e-12)[0] * 2 / math.pi
    assert (1 - inside) * n == pytest.approx(1395.9, abs=3 * 13)


def test_tossou2016_t7_intervals_tend_to_one_over_epsilon():
    """From the continuous schedule: W^(1-v) - y^(1-v) = (v - 1) y^-v/epsilon."""
    policy, W, last, number = DPUCBInt(epsilon=1.0), 46.0, 0.0, 1
    epsilon, v = policy.input_epsilon, policy.v

    def gap(y):
        return W ** (1 - v) - y ** (1 - v) - (v - 1) * y**-v / epsilon

    while W < 10**5:
        number, last, W = number + 1, W, brentq(gap, W, W + 1 / epsilon)
    assert last / (number - 1) * epsilon == pytest.approx(0.990, abs=2e-3)
    assert (W - last) * epsilon == pytest.approx(1, abs=5e-3)


def test_tossou2016_t8_noise_exceeds_the_confidence_term_more_often_as_n_grows():
    """Drawn noise, and exp(-n^((1-v)/2) sqrt(2 ln t)), at t = 1e5."""
    rng, width = np.random.default_rng(1), math.sqrt(2 * math.log(1e5))
    for v in (1.1, 1.5):
        shares = []
        for n in (46, 1000, 10**5):
            noise = np.abs(rng.laplace(0, n ** (v / 2 - 1), 400_000))
            shares.append(np.mean(noise > width / math.sqrt(n)))
            assert shares[-1] == pytest.approx(math.exp(-(n ** ((1 - v) / 2)) * width), abs=2e-3)
        assert shares == sorted(shares)
        assert shares[0] > 1e5**-1.5  # what the theorem's sum 4 zeta(1.5) needs


def test_azize2022_t16_two_nearly_parallel_arms():
    """With rho_a in plain norms the bound exceeds a private policy's regret, in units of ln T.

    The arms are (1, 0) and (cos, sin) of a small angle, with the means 0 and -1. Their Gaussian
    rewards X are unrelated, and AdaP-UCB gets Phi(X), of mean Phi(mean/sqrt 2): a gap of .26.
    """
    angle, epsilon = 0.01, 1.0
    rho = 2 * (1 - math.cos(angle))  # |a^T (a - a*)| + |a*^T (a - a*)|
    bound = 1 / min(1 / 2, 3 * epsilon * rho)
    gap = 0.5 - norm.cdf(-1 / math.sqrt(2))
    # Theorem 7, corrected: four times the pulls that an episode needs. By the means each costs 1.
    regret = 4 * 3.1 * (1 + math.sqrt(1 + 4 * gap / epsilon)) ** 2 / (2 * gap**2)
    assert regret < 541
    assert bound > 3300
