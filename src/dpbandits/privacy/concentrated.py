"""Composition by concentrated differential privacy (Bun & Steinke 2016), sharper than the advanced composition theorem.

A release of loss e is e^2/2-concentrated, and one with Gaussian noise sensitivity^2/(2 variance); these values add up;
and rho-concentrated privacy is (rho + 2 sqrt(rho ln(1/delta)), delta)-privacy for every delta.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from dpbandits.privacy.ledger import GAUSSIAN, Ledger


def rho_of(epsilon: float, delta: float) -> float:
    """The rho whose concentrated privacy is (epsilon, delta)-privacy: epsilon = rho + 2 sqrt(rho ln(1/delta))."""
    log = math.log(1 / delta)
    return (epsilon / (math.sqrt(log + epsilon) + math.sqrt(log))) ** 2


class ConcentratedLedger(Ledger):
    """A ledger that also uses concentrated composition, the only one for Gaussian noise."""

    def __init__(self, items: int):
        super().__init__(items)
        self.is_pure = True

    def gaussian_release(self, first: ArrayLike, last: ArrayLike, sensitivity: ArrayLike, deviation: ArrayLike):
        """Book sums over the items first..last with Gaussian noise of this standard deviation."""
        self.is_pure = False
        self.release(first, last, sensitivity, deviation, mechanism=GAUSSIAN)

    def repeated(self, times: int) -> "ConcentratedLedger":
        """The ledger of the same releases, each `times` times with fresh noise."""
        ledger = super().repeated(times)
        ledger.is_pure = self.is_pure
        return ledger

    def basic(self) -> float:
        """Basic composition, infinite with Gaussian noise: no bound holds for every outcome."""
        return super().basic() if self.is_pure else math.inf

    def advanced(self, delta: float) -> float:
        """Advanced composition, of pure releases alone."""
        return super().advanced(delta) if self.is_pure else math.inf

    def rho(self) -> float:
        """The zero-concentrated privacy of the worst item."""
        return float(max(self._worst_candidates(np.square).max(), 0.0) / 2)

    def concentrated(self, delta: float) -> float:
        """The epsilon of the worst item at failure probability delta."""
        return self.rho() + 2 * math.sqrt(self.rho() * math.log(1 / delta))

    def spent(self, delta: float = 0.0) -> float:
        """The smallest epsilon of the three compositions."""
        return self.basic() if delta == 0 else min(super().spent(delta), self.concentrated(delta))
