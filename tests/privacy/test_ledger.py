"""The ledger: by hand."""

import math

import pytest

from dpbandits.privacy.concentrated import ConcentratedLedger, rho_of
from dpbandits.privacy.ledger import ANY, LAPLACE, Ledger


def test_ledger_by_hand():
    ledger = Ledger(4)
    ledger.release(1, 2, sensitivity=1.0, scale=2.0)
    ledger.release(2, 4, sensitivity=1.0, scale=4.0)
    assert ledger.touched().tolist() == [1, 2, 1, 1]
    assert ledger.basic() == 0.75
    squares, excess = 0.5**2 + 0.25**2, 0.5 * math.expm1(0.5) + 0.25 * math.expm1(0.25)
    assert ledger.advanced(0.01) == pytest.approx(math.sqrt(2 * math.log(100) * squares) + excess)
    assert ledger.spent(0.01) == 0.75
    ledger.release(3, 3, sensitivity=1.0, scale=1.0, times=5)
    assert ledger.basic() == 5.25
    assert ledger.releases == 7


def test_ledger_prefers_advanced_composition_for_many_small_losses():
    ledger = Ledger(1)
    ledger.release(1, 1, sensitivity=1.0, scale=1000.0, times=10_000)
    assert ledger.basic() == pytest.approx(10)
    assert ledger.spent(1e-5) == pytest.approx(math.sqrt(2 * math.log(1e5) * 1e-2) + 10 * math.expm1(1e-3))


def test_a_mechanism_of_any_kind_is_booked_by_its_loss():
    ledger = Ledger(3)
    ledger.spend(1, 2, loss=0.4)
    ledger.release(2, 3, sensitivity=1.0, scale=10.0)
    assert ledger.basic() == pytest.approx(0.5)
    assert ledger.touched().tolist() == [1, 2, 1]


def test_the_releases_of_the_worst_item_by_hand():
    """Nodes of two leaves, booked as ranges, cover item 3 once; with few releases on many items nothing is listed."""
    for items in (8, 10**6):
        ledger = Ledger(items)
        ledger.release(range(1, 8, 2), range(2, 9, 2), 1.0, 2.0)
        ledger.release([1, 3], [2, 6], sensitivity=[1.0, 0.5], scale=4.0, times=[1, 3])
        ledger.spend(4, 4, loss=0.1)
        assert ledger.worst_item(lambda loss: loss) == 4
        assert ledger.spendings(4) == [(LAPLACE, 1.0, 2.0, 1, 2), (LAPLACE, 0.5, 4.0, 3, 4), (ANY, 0.1, 1.0, 1, 1)]
        assert ledger.spendings(7) == [(LAPLACE, 1.0, 2.0, 1, 2)]
        assert ledger.basic() == pytest.approx(1 / 2 + 3 / 8 + 0.1)


def test_gaussian_noise_by_hand():
    """One sum with a deviation of 2: rho = 1/8. A Laplace loss of 1/2 has rho = 1/8, too; item 2 is in both."""
    ledger = ConcentratedLedger(2)
    ledger.gaussian_release(1, 2, sensitivity=1.0, deviation=2.0)
    assert ledger.rho() == 1 / 8
    assert ledger.repeated(3).rho() == 3 / 8
    ledger.release(2, 2, sensitivity=1.0, scale=2.0)
    assert ledger.rho() == 1 / 4
    assert ledger.basic() == ledger.advanced(1e-6) == ledger.repeated(2).spent(0.0) == math.inf
    assert ledger.spent(1e-6) == ledger.concentrated(1e-6) == 0.25 + 2 * math.sqrt(0.25 * math.log(1e6))


@pytest.mark.parametrize("epsilon", [1e-6, 0.1, 1.0, 50.0])
def test_rho_of_an_epsilon_and_back(epsilon):
    rho = rho_of(epsilon, 1e-8)
    assert rho + 2 * math.sqrt(rho * math.log(1e8)) == pytest.approx(epsilon, rel=1e-12)
