"""The privacy ledger: the privacy loss of every single reward, release by release.

A release publishes a sum (or mean) over consecutive items of one stream, plus Laplace noise, discrete for whole
numbers. An item inside it has a loss of sensitivity / scale, an item outside none. Neighbouring streams differ in one
item, so the loss of the stream is that of its worst item. Post-processing of released values has no loss.
"""

import math
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from dpbandits.privacy.releases import Releases


class Ledger:
    """Adds up the losses of each of `items` rewards of one stream, under basic and advanced composition."""

    def __init__(self, items: int):
        self.items = items
        self.releases = 0
        self._booked: list[tuple] = []  # (begin, end, loss, times): the items begin..end-1, counted from 0

    def release(
        self,
        first: ArrayLike | range,
        last: ArrayLike | range,
        sensitivity: ArrayLike,
        scale: ArrayLike,
        times: ArrayLike = 1,
    ):
        """Book noisy sums over the items first..last (from 1, both included), each released `times` times with fresh
        noise.

        Two ranges book evenly spaced sums of one scale, such as the nodes of a level of a tree, without listing them.
        """
        if isinstance(first, range):
            self._booked.append((first, last, sensitivity / scale, times))
            self.releases += len(first) * times
            return
        first, last, sensitivity, scale, times = np.broadcast_arrays(first, last, sensitivity, scale, times)
        self._booked.append((np.ravel(first), np.ravel(last), np.ravel(sensitivity / scale), np.ravel(times)))
        self.releases += int(times.sum())

    def spend(self, first: ArrayLike, last: ArrayLike, loss: ArrayLike):
        """Book a mechanism of any kind on the items first..last, whose log-likelihood ratio is `loss` at most."""
        self.release(first, last, sensitivity=loss, scale=1.0)

    def repeated(self, times: int) -> "Ledger":
        """The ledger of the same releases, each `times` times with fresh noise."""
        ledger = type(self)(self.items)
        ledger.releases = times * self.releases
        ledger._booked = [(first, last, loss, times * each) for first, last, loss, each in self._booked]
        return ledger

    def touched(self) -> np.ndarray:
        """The number of releases of each item."""
        return np.rint(self._each_item(lambda loss: 1.0)).astype(np.int64)

    def _worst_candidates(self, amount: Callable) -> np.ndarray:
        """The sums of amount(loss) over the releases of each item, or, if few releases are booked, of one item in each
        interval of equal items; in the same order for every amount."""
        events = sum(len(first) for first, *_ in self._booked)
        if 16 * events >= self.items:
            return self._each_item(amount)
        changes = [
            (np.asarray(place) - 1 + late, sign * np.broadcast_to(times * amount(loss), len(place)))
            for first, last, loss, times in self._booked
            for place, late, sign in ((first, 0, 1), (last, 1, -1))
        ]
        if not changes:
            return np.zeros(1)
        place, change = map(np.concatenate, zip(*changes, strict=True))
        _, of_place = np.unique(place, return_inverse=True)
        return np.cumsum(np.bincount(of_place, weights=change))

    def _each_item(self, amount: Callable) -> np.ndarray:
        """The sum of amount(loss) over the releases of each item, added at their first item and subtracted after."""
        change = np.zeros(self.items + 1)
        for first, last, loss, times in self._booked:
            paid = times * amount(loss)
            if isinstance(first, range):
                change[first.start - 1 : first.stop - 1 : first.step] += paid
                change[last.start : last.stop : last.step] -= paid
            else:
                np.add.at(change, first - 1, paid)
                np.subtract.at(change, last, paid)
        return np.cumsum(change[:-1])

    def basic(self) -> float:
        """Basic composition: the largest sum of losses of an item; pure differential privacy."""
        return float(self._worst_candidates(lambda loss: loss).max())

    def advanced(self, delta: float) -> float:
        """Advanced composition at failure probability delta (Dwork, Rothblum & Vadhan), for the worst item."""
        squares = np.maximum(self._worst_candidates(np.square), 0.0)
        excess = self._worst_candidates(lambda loss: loss * np.expm1(loss))
        return float((np.sqrt(2 * math.log(1 / delta) * squares) + excess).max())

    def spent(self, delta: float = 0.0) -> float:
        """The epsilon spent at this delta: the smaller one of the two compositions."""
        return self.basic() if delta == 0 else min(self.basic(), self.advanced(delta))


@dataclass(frozen=True)
class Account:
    """The privacy guarantee that a policy states, and the ledger of what its mechanisms spend.

    `trust`: who may see the exact rewards, the one who runs the policy (`central`) or only the user whose reward it is
    (`local`); with an `aggregator` that adds up what users send, no one may, but one sum of a batch is all that the
    policy learns. `neighbours`: the difference between two inputs that must be indistinguishable. `releases`: what is
    released, for an audit; an algorithm that does not say it is audited by its actions alone.
    """

    epsilon: float
    delta: float
    ledger: Ledger | None
    _: KW_ONLY
    trust: Literal["central", "aggregator", "local"] = "central"
    neighbours: str = "one reward"
    releases: Releases | None = None

    @property
    def spent(self) -> float:
        """Epsilon spent at the stated delta; infinite for a policy without noise."""
        return math.inf if self.ledger is None else self.ledger.spent(self.delta)

    @property
    def kept(self) -> bool:
        """Whether the guarantee holds, up to rounding."""
        return self.spent <= self.epsilon * (1 + 1e-9)
