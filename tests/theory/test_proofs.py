"""Parts of the papers' proofs that can be computed."""

import math

import numpy as np
import pytest
from scipy.special import gammaln
from scipy.stats import binom


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


@pytest.mark.parametrize(("power", "tighter_up_to"), [(4, math.inf), (1, 16384), (0, 256)])
def test_tossou2016_t9_two_bounds_on_the_error_of_the_printed_noise(power, tighter_up_to):
    """Eq. (2.2), and Chan, Shi & Song's Corollary 2.9, simplified and not, at n^-power or .01."""
    for levels in range(3, 31):
        log_n = levels * math.log(2)
        log = power * log_n if power else math.log(100)
        squares = levels + 1 + levels * log_n**2  # of a running total and of a tree
        ours = (math.log(4) + log) * (log_n + 1)
        simplified = math.sqrt(squares) * (math.log(2) + log)
        width = max(math.sqrt(squares), log_n * math.sqrt(math.log(2) + log))
        corollary = width * math.sqrt(math.log(2) + log)
        assert ours < simplified
        assert (corollary < ours) == (2**levels <= tighter_up_to)
