"""The exact composition: closed forms, sums over all noise, integrals, and the distributions of `test_loss_distributions`."""

import itertools
import math

import numpy as np
import pytest
from privacy.test_loss_distributions import FEW, LARGE, MANY, MIXED, STEPS, TINY, exact
from scipy.integrate import quad
from scipy.stats import binom, norm

from dpbandits.privacy.concentrated import ConcentratedLedger
from dpbandits.privacy.exact import composed_epsilon, exact_epsilon, least_delta
from dpbandits.privacy.ledger import ANY, DISCRETE, GAUSSIAN, LAPLACE, Ledger, Spending


def release(mechanism, sensitivity, scale=1.0, times=1):
    return Spending(mechanism, sensitivity, scale, times, 1)


def a_thousandth_above(epsilon):
    """What the grid may make of an epsilon, at most; at least the epsilon itself, up to rounding."""
    return pytest.approx(epsilon * (1 + 5e-4), rel=5e-4 + 1e-9)


def delta_of_two(loss, epsilon):
    """Of two Laplace releases, by hand: E delta(epsilon - L) over the law of the first L, with the delta of the second."""
    left = 2 * loss - epsilon
    return 1 - math.exp(-left / 2) * (1 + left / 4)


@pytest.mark.parametrize("loss", [0.01, 0.5, 3.0])
def test_two_laplace_releases(loss):
    for epsilon in (0.2 * loss, loss, 1.9 * loss):
        delta = delta_of_two(loss, epsilon)
        assert composed_epsilon([release(LAPLACE, loss, times=2)], delta) == a_thousandth_above(epsilon)
        assert composed_epsilon([release(LAPLACE, loss)] * 2, delta) == a_thousandth_above(epsilon)


def test_one_laplace_release():
    assert composed_epsilon([release(LAPLACE, 1.0)], 1e-3) == pytest.approx(1 + 2 * math.log(1 - 1e-3), rel=1e-12)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("loss", [0.2, 1.0])
def test_gaussian_noise(loss, epsilon):
    """The difference of the areas below two normal laws, where it is positive; and four sums with twice the noise are as one."""
    border = loss / 2 - epsilon / loss  # where one density is e^epsilon times the other
    delta = quad(lambda x: norm.pdf(x) - math.exp(epsilon) * norm.pdf(x, loss), -40, border, epsabs=0, epsrel=1e-9)[0]
    for releases in ([release(GAUSSIAN, loss)], [release(GAUSSIAN, loss, 2.0, times=4)]):
        assert composed_epsilon(releases, delta) == pytest.approx(epsilon, rel=1e-7)


def test_gaussian_and_laplace_noise_together():
    """The integral of the Gaussian delta over the law of the Laplace loss L, which is at 1 and -1 with 1/2 and 1/(2 e)."""
    gauss, epsilon = release(GAUSSIAN, 0.5), 1.2
    inside = quad(lambda L: math.exp((L - 1) / 2) / 4 * least_delta(gauss, epsilon - L), -1, 1)[0]
    delta = inside + least_delta(gauss, epsilon - 1) / 2 + least_delta(gauss, epsilon + 1) * math.exp(-1) / 2
    assert composed_epsilon([release(LAPLACE, 1.0), gauss], float(delta)) == a_thousandth_above(epsilon)


def test_losses_alone():
    """Five randomised responses: over all numbers of true ones."""
    loss, epsilon, n = 0.7, 1.5, 5
    p = 1 / (1 + math.exp(-loss))
    terms = [
        math.comb(n, k) * (p**k * (1 - p) ** (n - k) - math.exp(epsilon) * (1 - p) ** k * p ** (n - k))
        for k in range(n + 1)
    ]
    delta = sum(max(0.0, term) for term in terms)
    assert composed_epsilon([release(ANY, loss, times=n)], delta) == a_thousandth_above(epsilon)


@pytest.mark.parametrize("n", [1, 5, 40])
def test_what_shows_of_a_pure_promise(n):
    """Of randomised responses: the log-ratio of P and Q that at least k of n are true, where this is as rare as an event may be."""
    releases, p = [release(ANY, 0.3, times=n)], 1 / (1 + math.exp(-0.3))
    for k in range(1 + n // 2, n + 1):
        ours, theirs = binom.sf(k - 1, n, p), binom.sf(k - 1, n, 1 - p)
        assert composed_epsilon(releases, 0.0, theirs) == a_thousandth_above(math.log(ours / theirs))
    assert composed_epsilon(releases, 0.0, 1e-3 * (1 - p) ** n) == pytest.approx(0.3 * n)


def test_all_of_a_few_losses_shows_and_little_of_many():
    """That all of n Laplace numbers are beyond both sums has the probability 2^-n on one input."""
    few, many = ([release(LAPLACE, 1.0 / n, times=n)] for n in (6, 100))
    assert composed_epsilon(few, 0.0, 2.0**-6 / math.e) == pytest.approx(1.0)
    assert composed_epsilon(many, 0.0, 2.0**-6 / math.e) < 0.3


@pytest.mark.parametrize("times", [1, 2])
def test_discrete_noise(times):
    """Over all numbers: sums that differ by 3, with noise of scale 2."""
    noise = np.arange(-80, 81)
    law = math.tanh(1 / 4) * np.exp(-np.abs(noise) / 2)
    other = math.tanh(1 / 4) * np.exp(-np.abs(noise + 3) / 2)
    ours, theirs = (np.array([math.prod(pair) for pair in itertools.product(p, repeat=times)]) for p in (law, other))
    for epsilon in (0.4, 1.0, 1.4):
        delta = float(np.maximum(ours - math.exp(epsilon) * theirs, 0).sum())
        assert composed_epsilon([release(DISCRETE, 3, 2.0, times)], delta) == a_thousandth_above(epsilon)


@pytest.mark.parametrize("losses", [FEW, MANY, TINY, LARGE, MIXED])
@pytest.mark.parametrize("delta", [1e-3, 1e-10, 1e-20])
def test_it_is_between_the_losses_rounded_down_and_up(losses, delta):
    at_least, at_most = exact(losses, delta, STEPS[losses])
    assert at_least <= composed_epsilon([release(LAPLACE, loss, times=n) for loss, n in losses], delta) <= at_most


@pytest.mark.parametrize(
    ("losses", "delta", "epsilon"),
    [(FEW, 1e-3, 1.98413), (MANY, 1e-10, 6.17961), (TINY, 1e-3, 4.50144), (TINY, 1e-10, 8.99768), (MIXED, 1e-3, 3.12793)],
)  # fmt: skip
def test_it_is_that_of_dp_accounting_within_a_thousandth(losses, delta, epsilon):
    """The numbers have the errors of that package, which are upward as well."""
    found = composed_epsilon([release(LAPLACE, loss, times=n) for loss, n in losses], delta)
    assert found == pytest.approx(epsilon, rel=1e-3)


def test_the_worst_item_is_not_the_one_with_the_largest_sum():
    """A hundred losses of 0.01 are 1 together, which is never seen."""
    ledger = Ledger(3)
    ledger.release(1, 1, sensitivity=0.01, scale=1.0, times=100)
    ledger.release(2, 3, sensitivity=0.9, scale=1.0)
    assert ledger.basic() == pytest.approx(1.0)
    assert exact_epsilon(ledger, 1e-3, 0) == pytest.approx(0.9 + 2 * math.log(1 - 1e-3))
    assert exact_epsilon(ledger, 0, 1e-3) == pytest.approx(0.9)
    assert len(ledger.spendings_of_all()) == 2


def test_nothing_is_lost_where_the_delta_covers_it():
    ledger = ConcentratedLedger(2)
    assert exact_epsilon(ledger, 0.1, 0) == 0
    ledger.release(1, 2, sensitivity=0.1, scale=1.0)
    ledger.gaussian_release(1, 2, sensitivity=0.01, deviation=1.0)
    assert exact_epsilon(ledger, 0.1, 0) == 0
    assert 0 < exact_epsilon(ledger, 1e-3, 0) < ledger.concentrated(1e-3)
