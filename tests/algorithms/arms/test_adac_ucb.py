"""adac_ucb: what is special to it (the rest is in test_every_algorithm.py)."""

import math

import pytest
from playing import actions
from scipy import stats

from dpbandits.algorithms.arms import adac_ucb
from dpbandits.kernels.streams import stream
from dpbandits.privacy.concentrated import rho_of


def test_a_game_by_hand():
    """Means 1 and 0, beta = 2, next to no noise: arm 0 has 1 + sqrt(ln t/h), arm 1 has sqrt(ln t). In rounds 4, 6 and
    10 arm 0 wins (2.18 to 1.18, 1.95 to 1.34, 1.76 to 1.52) and doubles its pulls to 16; in round 18 it has 1.60, and
    arm 1 has 1.70."""
    given = {"epsilon": 1e12, "beta": 2.0}
    assert actions("adac_ucb", stream(0, "hand"), [1.0, 0.0], 18, **given) == [0, 1, *[0] * 15, 1]


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_every_reward_pays_rho_once_and_rho_is_the_promise(epsilon):
    account = adac_ucb.privacy(1000, 5, epsilon=epsilon, delta=1e-6)
    rho = (math.sqrt(math.log(1e6) + epsilon) - math.sqrt(math.log(1e6))) ** 2
    assert account.ledger.rho() == pytest.approx(rho)
    assert account.ledger.basic() == math.inf
    assert (account.epsilon, account.delta, account.kept) == (epsilon, 1e-6, True)
    assert account.spent == pytest.approx(epsilon)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_the_gaussian_mechanism_itself_keeps_the_promise(epsilon):
    """The delta of one release with this noise, by the distribution function of its privacy loss (Balle & Wang
    2018)."""
    delta = 1e-6
    mu = math.sqrt(2 * rho_of(epsilon, delta))  # the shift by one reward, in standard deviations
    exact = stats.norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * stats.norm.cdf(-mu / 2 - epsilon / mu)
    assert 0 < exact < delta
