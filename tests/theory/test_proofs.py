"""Parts of the papers' proofs that can be computed."""

import math

import numpy as np
import pytest
from playing import FIVE, play
from scipy.special import gammaln
from scipy.stats import binom, norm

from dpbandits.random import stream


def log_pmf(k, n, p):
    counts = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return counts + k * np.log(p) + (n - k) * np.log1p(-p)


def odds_of_failure(n, mean, y):
    """E[1/p - 1], with s ~ Bin(n, mean).

    Here p = P(Beta(s + 1, n - s + 1) > y) = P(Bin(n + 1, y) <= s).
    Where p underflows, that of its last term is larger.
    """
    s = np.arange(n + 1)
    log_p = np.maximum(binom.logcdf(s, n + 1, y), log_pmf(s, n + 1, y))
    return np.exp(log_pmf(s, n, mean) + binom.logsf(s, n + 1, y) - log_p).sum()


@pytest.mark.parametrize("mean", [0.01, 0.05, 0.3, 0.5, 0.9, 0.99, 0.999])
def test_lemma_2_9_of_agrawal_and_goyal_2017(mean):
    """The proofs of hu2022's Theorems 2 and 4 cite it; here with 1 for the constant in Theta.

    n = 0 is an arm without first pulls, as in the paper's figures.
    """
    for share in (0.01, 0.03, 0.1, 0.3, 0.5, 0.9, 0.99):
        gap = mean * share
        for n in (*range(10), 16, 32, 64, 128, 256, 512, 1024, 4096, 16384):
            odds, x = odds_of_failure(n, mean, mean - gap), gap * gap * n
            if n < 8 / gap:
                assert odds <= 3 / gap
            elif x < 400:
                terms = np.exp(-x / 2), np.exp(-2 * x) * n / (n + 1) / x, 1 / np.expm1(x / 4)
                assert odds <= sum(terms)


@pytest.mark.parametrize("k", [2, 5, 1000])
@pytest.mark.parametrize("log_gamma", [0, -5, -1000])
def test_mishra2015_t4_the_noise_of_all_totals(k, log_gamma):
    """The bound that Markov's inequality gives, in units of k/epsilon, against Lemma 5's."""
    for T in (50, 100, 1000, 10**5, 10**7, 10**12, 10**18, 10**100):
        nodes, log_t = int(math.log2(T)) + 1, math.log(T)
        moment = 16 / 7  # of exp(3|noise|/4) on either side: 1/(1 - (3/4)^2)
        chance = math.log(2 * k * T) - log_gamma + nodes * math.log(moment)
        lemma = log_t**2 * (math.log(k * T * log_t) - log_gamma)
        assert 4 / 3 * nodes * chance < lemma


@pytest.mark.parametrize(("power", "tighter_up_to"), [(4, math.inf), (1, 22), (0, 10)])
def test_tossou2016_t9_two_bounds_on_the_error_of_the_printed_noise(power, tighter_up_to):
    """Eq. (2.2), and Chan, Shi & Song's Corollary 2.9, simplified and not, at n^-power or .01."""
    for levels in range(4, 31):
        log_n, scale = (levels + 1) * math.log(2), levels * math.log(2)  # n = 2^(levels + 1) - 1
        log = power * log_n if power else math.log(100)
        squares = levels + 1 + levels * scale**2  # of a running total and of a tree
        ours = (math.log(4) + log) * (log_n + 1)
        simplified = math.sqrt(squares) * (math.log(2) + log)
        width = max(math.sqrt(squares), scale * math.sqrt(math.log(2) + log))
        corollary = width * math.sqrt(math.log(2) + log)
        assert ours < simplified
        assert (corollary < ours) == (levels <= tighter_up_to)


@pytest.mark.parametrize("k", [2, 5, 1000])
@pytest.mark.parametrize("epsilon", [1e-6, 0.1, 1, 10])
@pytest.mark.parametrize("horizon", [1, 1000, 10**9])
def test_azize2022_t1_two_instances_of_gaussian_arms(k, epsilon, horizon):
    gap = math.sqrt(math.pi / 2) * (k - 1) / (epsilon * horizon)
    distance = norm.cdf(gap) - norm.cdf(-gap)  # of the laws of an arm with the means 0 and 2 gap
    regret = horizon * gap / 8 * math.exp(-epsilon * horizon / (k - 1) * distance)
    assert regret > (k - 1) / (17.4 * epsilon)


@pytest.mark.parametrize(("forgets", "doubles", "price"), [(1, 1, 4), (0, 1, 2), (0, 0, 1)])
def test_azize2022_t11_pulls_of_an_arm_whose_index_is_low_from_m_rewards_on(
    forgets, doubles, price
):
    def pulls(m):
        n = 1
        while (n / 2 if forgets else n) < m:
            n += n if doubles else 1
        return n

    assert all(pulls(m) < price * m for m in range(2, 2000) if price > 1)
    assert pulls(1025) / 1025 == pytest.approx(price, rel=1e-3)


def test_mishra2015_t6_no_worse_arm_after_the_forced_pulls():
    """In games of Algorithm 2, and by the bound of the proof."""
    T, k, gap, epsilon = 10**6, len(FIVE), 0.5, 100.0
    for seed in range(3):
        rng = stream(seed, "t6")
        run = play("private_thompson_gap", rng, FIVE, T, [T // 2, T], epsilon=epsilon)
        before, after = run.counts
        assert before[1] > 768 * math.log(T) ** 3 / epsilon
        assert (after - before).tolist() == [T // 2, 0, 0, 0, 0]

    def noise_and_plays(log_t, epsilon):
        nodes, M = log_t / math.log(2) + 1, 768 * log_t**3 / epsilon
        scale = 2 * k * nodes / epsilon
        chance = math.log(2 * k) + 3 * log_t + nodes * math.log(16 / 7)
        plays = math.exp(-log_t) + 3 * k * math.exp(2 * log_t - M * gap**2 / 32)
        return 4 / 3 * scale * chance / M, plays

    noise, plays = noise_and_plays(math.log(T), epsilon)
    assert noise < gap / 8
    assert plays < 1e-5
    # It falls as 1/ln T, whatever epsilon is.
    for log_t in (1000, 2000):
        for other in (1, epsilon):
            assert noise_and_plays(log_t, other)[0] * log_t == pytest.approx(0.105, rel=0.01)
