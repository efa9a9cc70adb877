"""The ledger: by hand."""

import math

import pytest

from dpbandits.privacy.ledger import Ledger


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
