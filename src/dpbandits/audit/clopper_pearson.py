"""A lower bound on epsilon, with a stated confidence, from games on two inputs.

A mechanism is (epsilon, delta)-private if P(E) <= e^epsilon Q(E) + delta for every event E. P and Q
are the distributions of its outputs on the two inputs. So epsilon >= ln((p - delta)/q), where p is
a lower confidence bound on P(E) and q an upper one on Q(E), both by Clopper and Pearson (1934).

The games that choose the event must not be those that count. Otherwise the same chance would choose
and confirm it.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import betaincinv

MAX_EVENTS = 128  # compared events
COMPARISON_ALPHA = 0.05  # error probability of the bounds that compare events


class Event(NamedTuple):
    """A set of codes, or all numbers that are at least (1) or at most (-1) a level."""

    values: np.ndarray
    sign: int = 0

    def count(self, published: np.ndarray) -> int:
        """In how many games the event happens."""
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
    """ln((p - delta)/q) for an event; it is too large with probability alpha at most.

    The event happened in `hits` games on one input and in `other` on the other, of `games` each.
    """
    p = np.nan_to_num(betaincinv(hits, games - hits + 1, alpha / 2), nan=0.0)
    q = np.nan_to_num(betaincinv(other + 1, games - other, 1 - alpha / 2), nan=1.0)
    with np.errstate(divide="ignore"):
        return np.log(np.maximum(p - delta, 0.0) / q)


def best_event(ours: np.ndarray, theirs: np.ndarray, delta: float) -> tuple[float, Event]:
    """The event with the largest bound, and this bound.

    It is one that is more frequent in our games than in theirs: a set of codes, or of levels of
    real numbers.
    """
    return (
        _best_level(ours, theirs, delta)
        if ours.dtype.kind == "f"
        else _best_set(ours, theirs, delta)
    )


def _best_set(ours: np.ndarray, theirs: np.ndarray, delta: float) -> tuple[float, Event]:
    """The best of the sets that hold the codes with the largest ratios of frequencies.

    One half of the games orders the codes and the other half counts them: a rare code is often in
    the games of one input alone.
    """
    codes, place = np.unique(np.concatenate([ours, theirs]), return_inverse=True)
    inputs = place[: ours.size], place[ours.size :]
    first, second = (
        [np.bincount(games[half::2], minlength=codes.size) for games in inputs] for half in (0, 1)
    )
    order = np.argsort(-(first[0] + 0.5) / (first[1] + 0.5), kind="stable")
    sizes = np.unique(np.linspace(0, codes.size - 1, MAX_EVENTS).round().astype(int))
    hits = [np.cumsum(numbers[order])[sizes] for numbers in second]
    scores = log_bounds(*hits, ours.size // 2, COMPARISON_ALPHA, delta)
    best = int(np.argmax(scores))
    return float(scores[best]), Event(codes[order][: sizes[best] + 1])


def _best_level(ours: np.ndarray, theirs: np.ndarray, delta: float) -> tuple[float, Event]:
    """The best of the events that a number is at least, or at most, a level."""
    levels = np.unique(np.quantile(ours, np.linspace(0, 1, MAX_EVENTS), method="inverted_cdf"))
    bests = []
    for sign in (1, -1):
        at_least = [
            each.size - np.searchsorted(np.sort(sign * each), sign * levels)
            for each in (ours, theirs)
        ]
        scores = log_bounds(*at_least, ours.size, COMPARISON_ALPHA, delta)
        best = int(np.argmax(scores))
        bests.append((float(scores[best]), Event(levels[best : best + 1], sign)))
    return max(bests, key=lambda pair: pair[0])
