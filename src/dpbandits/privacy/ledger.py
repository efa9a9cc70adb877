"""The privacy ledger: what every single reward has paid, release by release.

A release publishes a sum (or mean) over consecutive items of one stream, plus Laplace noise. An item inside it pays
sensitivity / scale; outside it pays nothing. Neighbouring streams differ in one item, so the whole stream has paid
what its worst item has paid. Everything computed from released values is free.
"""

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike


class Ledger:
    """Adds up the losses of each of `items` rewards of one stream, under basic and advanced composition."""

    def __init__(self, items: int):
        self.items = items
        self.releases = 0
        # Differences over items: a release of items first..last adds at first and subtracts after last.
        self._sum = np.zeros(items + 1)
        self._squares = np.zeros(items + 1)
        self._excess = np.zeros(items + 1)
        self._touched = np.zeros(items + 1, np.int64)

    def release(
        self,
        first: ArrayLike,
        last: ArrayLike,
        sensitivity: ArrayLike,
        scale: ArrayLike,
        times: ArrayLike = 1,
    ):
        """Book noisy sums over the items first..last (from 1, both included), each released `times` times afresh."""
        first, last, sensitivity, scale, times = np.broadcast_arrays(first, last, sensitivity, scale, times)
        loss = sensitivity / scale
        amounts = (
            (self._sum, times * loss),
            (self._squares, times * loss**2),
            (self._excess, times * loss * np.expm1(loss)),
            (self._touched, times),
        )
        for account, amount in amounts:
            np.add.at(account, first - 1, amount)
            np.subtract.at(account, last, amount)
        self.releases += int(times.sum())

    def touched(self) -> np.ndarray:
        """In how many releases each item took part."""
        return np.cumsum(self._touched[:-1])

    def basic(self) -> float:
        """Basic composition: the largest sum of losses of an item; pure differential privacy."""
        return float(np.cumsum(self._sum[:-1]).max())

    def advanced(self, delta: float) -> float:
        """Advanced composition at failure probability delta (Dwork, Rothblum & Vadhan), for the worst item."""
        squares = np.maximum(np.cumsum(self._squares[:-1]), 0.0)
        excess = np.cumsum(self._excess[:-1])
        return float((np.sqrt(2 * math.log(1 / delta) * squares) + excess).max())

    def spent(self, delta: float = 0.0) -> float:
        """The epsilon that has been spent at this delta: the better of the two compositions."""
        return self.basic() if delta == 0 else min(self.basic(), self.advanced(delta))


class Account:
    """A policy's promise beside what its mechanisms really spend.

    `trust` says who may see the rewards as they are: `central`, the one who runs the policy; `local`, nobody but the person
    whose reward it is. `neighbours` says in what two inputs may differ that must not be told apart.
    """

    def __init__(
        self,
        epsilon: float,
        delta: float,
        ledger: Ledger | None,
        *,
        trust: Literal["central", "local"] = "central",
        neighbours: str = "one reward",
    ):
        self.epsilon = epsilon
        self.delta = delta
        self.ledger = ledger
        self.trust = trust
        self.neighbours = neighbours

    @property
    def spent(self) -> float:
        """Epsilon spent at the promised delta; infinite for a policy that adds no noise at all."""
        return math.inf if self.ledger is None else self.ledger.spent(self.delta)

    @property
    def kept(self) -> bool:
        """Whether the promise is kept, up to rounding."""
        return self.spent <= self.epsilon * (1 + 1e-9)
