"""From two samples of a published value to a lower bound on epsilon that holds with a stated confidence.

Where a mechanism is (epsilon, delta)-private, P(E) <= e^epsilon Q(E) + delta for every event E and for the laws P and Q of
what it publishes on two neighbouring inputs. So epsilon >= ln((p - delta)/q) for a lower confidence bound p on P(E) and
an upper one q on Q(E), of Clopper and Pearson, each at half of alpha. The event is chosen on one half of the sample and
measured on the other; otherwise the same chance would choose and confirm it.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import beta

CANDIDATES = 128  # events compared on the first half


@dataclass(frozen=True)
class Bound:
    """A lower bound on epsilon: `hits` of `games` on either input."""

    epsilon: float
    hits: tuple[int, int]
    games: int


class Choice(NamedTuple):
    """An event, its bound on the sample that it was chosen from, and how often it happened there on either input."""

    epsilon: float
    event: Any
    hits: tuple[int, int]


def bounds(hits: np.ndarray, other: np.ndarray, games: int, alpha: float, delta: float) -> np.ndarray:
    """ln((LCB(p) - delta)/UCB(q)), at least 0, for counts of events among `games` games on either input."""
    hits, other = np.asarray(hits, float), np.asarray(other, float)
    least = np.where(hits > 0, beta.ppf(alpha / 2, np.maximum(hits, 1), games - hits + 1), 0.0)
    most = np.where(other < games, beta.ppf(1 - alpha / 2, other + 1, np.maximum(games - other, 1)), 1.0)
    return np.log(np.maximum((least - delta) / most, 1.0))


def resolvable(epsilon: float, games: int, alpha: float, delta: float) -> float:
    """The bound that as many games would give for an event of probability 1/2 that loses exactly epsilon."""
    half = games / 2
    return float(bounds(half, math.exp(-epsilon) * max(0.5 - delta, 0.0) * games, games, alpha, delta))


def by_frequency(ours: np.ndarray, theirs: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rank values by how much more often they are in `ours`: the values, and how often the first k are in either."""
    values, place = np.unique(np.concatenate([ours, theirs]), return_inverse=True)
    counts = [np.bincount(part, minlength=values.size) for part in (place[: ours.size], place[ours.size :])]
    order = np.argsort(-(counts[0] + 0.5) / (counts[1] + 0.5), kind="stable")
    return values[order], np.cumsum(counts[0][order]), np.cumsum(counts[1][order])


def best_set(ours: np.ndarray, theirs: np.ndarray, alpha: float, delta: float) -> Choice:
    """The set of values with the largest bound on this sample."""
    values, hits, other = by_frequency(ours, theirs)
    tried = np.unique(np.linspace(0, values.size - 1, CANDIDATES).round().astype(int))
    epsilons = bounds(hits[tried], other[tried], ours.size, alpha, delta)
    best = int(epsilons.argmax())
    at = tried[best]
    return Choice(float(epsilons[best]), values[: at + 1], (int(hits[at]), int(other[at])))


def best_level(ours: np.ndarray, theirs: np.ndarray, alpha: float, delta: float) -> Choice:
    """The level c with the largest bound on this sample for the event that a value is at least c."""
    levels = np.unique(np.quantile(ours, np.linspace(0, 1, CANDIDATES), method="inverted_cdf"))
    finite = np.isfinite(levels)  # a log-ratio is infinite where a reward is published without noise
    levels[finite] -= 1e-9 * np.maximum(1, np.abs(levels[finite]))  # values that are equal but for rounding
    hits, other = (sample.size - np.searchsorted(np.sort(sample), levels) for sample in (ours, theirs))
    epsilons = bounds(hits, other, ours.size, alpha, delta)
    best = int(epsilons.argmax())
    return Choice(float(epsilons[best]), float(levels[best]), (int(hits[best]), int(other[best])))


def set_bound(ours: np.ndarray, theirs: np.ndarray, alpha: float, delta: float) -> tuple[Bound, np.ndarray]:
    """The bound from a set of values that is chosen on the first halves and measured on the second, and the set."""
    first, second = _halves(ours, theirs)
    chosen = best_set(*first, alpha, delta).event
    return measured([int(np.isin(half, chosen).sum()) for half in second], second[0].size, alpha, delta), chosen


def level_bound(ours: np.ndarray, theirs: np.ndarray, alpha: float, delta: float) -> tuple[Bound, float]:
    """The bound from the event that a value is at least a level, chosen on the first halves; and the level."""
    first, second = _halves(ours, theirs)
    level = best_level(*first, alpha, delta).event
    return measured([int((half >= level).sum()) for half in second], second[0].size, alpha, delta), level


def _halves(ours: np.ndarray, theirs: np.ndarray) -> tuple[tuple, tuple]:
    half = ours.size // 2
    return (ours[:half], theirs[:half]), (ours[half : 2 * half], theirs[half : 2 * half])


def measured(hits: Iterable[int], games: int, alpha: float, delta: float) -> Bound:
    """The bound from the counts of an event that was chosen on other games."""
    counts = tuple(hits)
    return Bound(float(bounds(*counts, games, alpha, delta)), counts, games)
