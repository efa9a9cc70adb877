"""Parts of the papers' proofs that can be computed."""

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
