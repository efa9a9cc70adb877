"""The privacy ledger: the privacy loss of every single reward, release by release.

A release publishes a sum (or mean) over consecutive items of one stream, plus Laplace noise. An item inside it has a
loss of sensitivity / scale, an item outside none. Neighbouring streams differ in one item, so the loss of the stream is
that of its worst item. Post-processing of released values has no loss.
"""

import math
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dpbandits.privacy.releases import Releases

Trust = Literal["central", "aggregator", "local"]
# Mechanisms. Sums of whole numbers have discrete noise; of `any` only the loss is known: sensitivity/scale.
LAPLACE, DISCRETE, GAUSSIAN, ANY = "Laplace", "discrete Laplace", "Gaussian", "any"


class Spending(NamedTuple):
    """What a ledger books on one item with equal noise."""

    mechanism: str
    sensitivity: float
    scale: float  # of Gaussian noise, the standard deviation
    releases: int
    items: int  # the most items that one of these releases covers


class Ledger:
    """Adds up the losses of each of `items` rewards of one stream, under basic and advanced composition."""

    def __init__(self, items: int):
        self.items = items
        self.releases = 0
        self._booked: list[tuple] = []  # (first, last, loss, times), as they are given to `release`
        self._noise: list[tuple] = []  # (mechanism, sensitivity, scale) of each entry of _booked

    def release(
        self,
        first: ArrayLike | range,
        last: ArrayLike | range,
        sensitivity: ArrayLike,
        scale: ArrayLike,
        times: ArrayLike = 1,
        mechanism: str = LAPLACE,
    ):
        """Book noisy sums over the items first..last (from 1, both included), each released `times` times with fresh
        noise.

        Two ranges book evenly spaced sums of one scale, such as the nodes of a level of a tree, without listing them.
        """
        self._noise.append((mechanism, sensitivity, scale))
        if isinstance(first, range):
            self._booked.append((first, last, sensitivity / scale, times))
            self.releases += len(first) * times
            return
        first, last, sensitivity, scale, times = np.broadcast_arrays(first, last, sensitivity, scale, times)
        self._booked.append((np.ravel(first), np.ravel(last), np.ravel(sensitivity / scale), np.ravel(times)))
        self.releases += int(times.sum())

    def spend(self, first: ArrayLike, last: ArrayLike, loss: ArrayLike):
        """Book a mechanism of any kind on the items first..last, whose log-likelihood ratio is `loss` at most."""
        self.release(first, last, sensitivity=loss, scale=1.0, mechanism=ANY)

    def repeated(self, times: int) -> "Ledger":
        """The ledger of the same releases, each `times` times with fresh noise."""
        ledger = type(self)(self.items)
        ledger.releases = times * self.releases
        ledger._booked = [(first, last, loss, times * each) for first, last, loss, each in self._booked]
        ledger._noise = self._noise
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

    def worst_item(self, amount: Callable) -> int:
        """An item with the largest sum of amount(loss), counted from 1; it is the first one of a release."""
        if 16 * sum(len(first) for first, *_ in self._booked) >= self.items:
            return int(self._each_item(amount).argmax()) + 1
        candidates = np.unique(np.concatenate([first for first, *_ in self._booked]))
        return max(candidates.tolist(), key=lambda item: self._sum_of(item, amount))

    def _sum_of(self, item: int, amount: Callable) -> float:
        """The sum of amount(loss) over the releases of one item."""
        return sum(
            float(np.broadcast_to(times * amount(loss), len(first))[_covering(item, first, last)].sum())
            for first, last, loss, times in self._booked
        )

    def spendings(self, item: int) -> list[Spending]:
        """All releases of one item, those with equal noise together."""
        found: dict[tuple[str, float, float], tuple[int, int]] = {}
        for (first, last, _, times), (mechanism, sensitivity, scale) in zip(self._booked, self._noise, strict=True):
            given = [np.broadcast_to(np.ravel(values), len(first)) for values in (sensitivity, scale, times)]
            for k in _covering(item, first, last).tolist():
                noise = mechanism, float(given[0][k]), float(given[1][k])
                releases, items = found.get(noise, (0, 0))
                found[noise] = releases + int(given[2][k]), max(items, int(last[k] - first[k]) + 1)
        return [Spending(*noise, *counts) for noise, counts in found.items()]

    def spendings_of_all(self) -> list[list[Spending]]:
        """The releases of every item; of items with equally many, and equal sums of losses and of their squares, once."""
        sums = np.stack([self._each_item(amount) for amount in (np.ones_like, np.positive, np.square)])
        shares = sums / np.maximum(sums.max(axis=1, initial=0.0, keepdims=True), 1e-300)
        _, items = np.unique(shares.round(9), axis=1, return_index=True)
        return [self.spendings(item) for item in items + 1 if sums[0, item - 1]]

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


def _covering(item: int, first: np.ndarray | range, last: np.ndarray | range) -> np.ndarray:
    """The places of the sums over the items first..last that have this item."""
    if isinstance(first, range):  # both are equally spaced
        from_place, to_place = -((last.start - item) // first.step), (item - first.start) // first.step
        return np.arange(max(0, from_place), min(len(first) - 1, to_place) + 1)
    return np.flatnonzero((first <= item) & (item <= last))


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
    trust: Trust = "central"
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
