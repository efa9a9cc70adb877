"""Composition by concentrated differential privacy (Bun & Steinke 2016), sharper than the advanced composition theorem.

A release of loss e is e^2/2-concentrated; these values add up; and rho-concentrated privacy is (rho + 2 sqrt(rho
ln(1/delta)), delta)-privacy for every delta.
"""

import math

import numpy as np

from dpbandits.privacy.ledger import Ledger


class ConcentratedLedger(Ledger):
    """A ledger that also uses concentrated composition."""

    def concentrated(self, delta: float) -> float:
        """The epsilon of the worst item at failure probability delta."""
        rho = max(self._worst_candidates(np.square).max(), 0.0) / 2
        return float(rho + 2 * math.sqrt(rho * math.log(1 / delta)))

    def spent(self, delta: float = 0.0) -> float:
        """The smallest epsilon of the three compositions."""
        return self.basic() if delta == 0 else min(super().spent(delta), self.concentrated(delta))
