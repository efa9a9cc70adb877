"""The lengths of exploration, by hand: T = 1000 and K = 10, so that N = 100, N^(2/3) = 21.544 and ln T = 6.9078."""

import math

import pytest
from scipy import stats

from dpbandits.algorithms.arms.explore_then_commit import pulls_of_each, scale_of
from dpbandits.privacy.ledger import rho_of


@pytest.mark.parametrize(
    ("noise", "epsilon", "m"),
    [
        ("laplace", 10.0, 42),  # 21.544 x 6.9078^(1/3) = 21.544 x 1.9044 = 41.03
        ("laplace", 0.1, 84),  # sqrt(100 x 6.9078/0.1) = 83.11
        ("laplace", 0.001, 100),  # no more than T/K
        ("local", 2.0, 60),  # v = 3: 21.544 x (3 x 6.9078)^(1/3) = 59.17
        ("local", 0.1, 100),
    ],
)
def test_pulls_of_each_arm(noise, epsilon, m):
    assert pulls_of_each(1000, 10, epsilon, noise, 1e-8) == m


def test_pulls_of_each_arm_with_gaussian_noise():
    """The deviation s where epsilon = rho + 2 sqrt(rho ln(1/delta)), rho = 1/(2 s^2); sqrt(100 s sqrt(2 ln T)) = sqrt(371.7 s)."""
    for s, m in ((20.0, 87), (1.0, 42)):
        rho = 1 / (2 * s**2)
        epsilon = rho + 2 * math.sqrt(rho * math.log(1e8))
        assert scale_of(epsilon, "gaussian", 1e-8) == pytest.approx(s)
        assert pulls_of_each(1000, 10, epsilon, "gaussian", 1e-8) == m


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_the_gaussian_mechanism_itself_keeps_the_promise(epsilon):
    """The delta of one release with this noise, by the distribution function of its privacy loss (Balle & Wang
    2018)."""
    delta = 1e-6
    mu = math.sqrt(2 * rho_of(epsilon, delta))  # the shift by one reward, in standard deviations
    exact = stats.norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * stats.norm.cdf(-mu / 2 - epsilon / mu)
    assert 0 < exact < delta
