"""From what is published in games on two neighbouring inputs to a lower bound on epsilon that holds with a stated confidence.

Where a mechanism is (epsilon, delta)-private, P(E) <= e^epsilon Q(E) + delta for every event E and for the distributions P
and Q of what it publishes on the two inputs. So epsilon >= ln((p - delta)/q), where p is a lower confidence bound of P(E) and q
an upper one of Q(E), both of Clopper and Pearson (1934).

The event must be chosen on other games than those that count: otherwise the same chance would choose and confirm it.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import betaincinv

CANDIDATES = 128  # events that are compared
RANK = 0.05  # the error probability of the bounds by which they are compared


class Event(NamedTuple):
    """A set of values; or, of numbers that are no codes, all that are at least a level (sign 1) or at most (-1)."""

    values: np.ndarray
    sign: int = 0

    def count(self, published: np.ndarray) -> int:
        """In how many games it happens."""
        if self.sign:
            return int(np.count_nonzero(self.sign * published >= self.sign * self.values[0]))
        return int(np.count_nonzero(np.isin(published, self.values)))

    def __str__(self) -> str:
        if self.sign:
            return f"a report of at {'least' if self.sign > 0 else 'most'} {self.values[0]:.4g}"
        return f"{self.values.size} sequences of actions"


def log_bounds(
    hits: np.ndarray, other: np.ndarray, games: int, alpha: float, delta: float
) -> np.ndarray:
    """ln((p - delta)/q) for an event that happened `hits` times in so many games on one input and `other` times on the other;
    wrong with probability alpha at most."""
    hits, other = np.asarray(hits, float), np.asarray(other, float)
    p = np.where(hits > 0, betaincinv(np.maximum(hits, 1e-9), games - hits + 1, alpha / 2), 0.0)
    q = np.where(
        other < games, betaincinv(other + 1, np.maximum(games - other, 1e-9), 1 - alpha / 2), 1.0
    )
    with np.errstate(divide="ignore"):
        return np.log(np.maximum(p - delta, 0.0) / q)


def best_event(ours: np.ndarray, theirs: np.ndarray, delta: float) -> tuple[float, Event]:
    """The event with the largest bound of those that seem more frequent in our games than in theirs, and this bound: of sets
    of codes, or of levels of real numbers."""
    return (
        _best_level(ours, theirs, delta)
        if ours.dtype.kind == "f"
        else _best_set(ours, theirs, delta)
    )


def _best_set(ours: np.ndarray, theirs: np.ndarray, delta: float) -> tuple[float, Event]:
    """Of the sets that hold the codes with the largest ratios of frequencies. One half of the games has the order of the
    codes, the other one counts: a rare code is often in the games of one input alone."""
    codes, place = np.unique(np.concatenate([ours, theirs]), return_inverse=True)
    own, other = place[: ours.size], place[ours.size :]

    def often(part: np.ndarray) -> np.ndarray:
        return np.bincount(part, minlength=codes.size)

    ratio = (often(own[::2]) + 0.5) / (often(other[::2]) + 0.5)
    order = np.argsort(-ratio, kind="stable")
    tried = np.unique(np.linspace(0, codes.size - 1, CANDIDATES).round().astype(int))
    hits, others = (np.cumsum(often(part[1::2])[order])[tried] for part in (own, other))
    scores = log_bounds(hits, others, own[1::2].size, RANK, delta)
    best = int(np.argmax(scores))
    return float(scores[best]), Event(codes[order][: tried[best] + 1])


def _best_level(ours: np.ndarray, theirs: np.ndarray, delta: float) -> tuple[float, Event]:
    """Of the events that a number is at least, or at most, a level."""
    levels = np.unique(np.quantile(ours, np.linspace(0, 1, CANDIDATES), method="inverted_cdf"))
    found = []
    for sign in (1, -1):
        at_least = [
            each.size - np.searchsorted(np.sort(sign * each), sign * levels)
            for each in (ours, theirs)
        ]
        scores = log_bounds(*at_least, ours.size, RANK, delta)
        best = int(np.argmax(scores))
        found.append((float(scores[best]), Event(levels[best : best + 1], sign)))
    return max(found, key=lambda pair: pair[0])
