"""From two samples of a published value to a lower bound on epsilon that holds with a stated confidence.

Where a mechanism is (epsilon, delta)-private, P(E) <= e^epsilon Q(E) + delta for every event E and for the laws P and Q of
what it publishes on two neighbouring inputs. So epsilon >= ln((p - delta)/q) for a lower confidence bound p on P(E) and
an upper one q on Q(E), of Clopper and Pearson, each at half of alpha. The event is chosen on one half of the sample and
measured on the other; otherwise the same chance would choose and confirm it.
"""

import math
from collections.abc import Callable, Sequence
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
    """An event (a set of values, or a level that a value is at least), and its bound on the sample that it was chosen from."""

    epsilon: float
    event: Any


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


def best_set(ours: np.ndarray, theirs: np.ndarray, alpha: float, delta: float) -> Choice:
    """The set of values with the largest bound on this sample, of those that are the most frequent ones in `ours`."""
    values, place = np.unique(np.concatenate([ours, theirs]), return_inverse=True)
    counts = [np.bincount(part, minlength=values.size) for part in (place[: ours.size], place[ours.size :])]
    order = np.argsort(-(counts[0] + 0.5) / (counts[1] + 0.5), kind="stable")
    tried = np.unique(np.linspace(0, values.size - 1, CANDIDATES).round().astype(int))
    epsilons = bounds(*(np.cumsum(each[order])[tried] for each in counts), ours.size, alpha, delta)
    best = int(epsilons.argmax())
    return Choice(float(epsilons[best]), values[order][: tried[best] + 1])


def best_level(ours: np.ndarray, theirs: np.ndarray, alpha: float, delta: float) -> Choice:
    """The level c with the largest bound on this sample for the event that a value is at least c."""
    levels = np.unique(np.quantile(ours, np.linspace(0, 1, CANDIDATES), method="inverted_cdf"))
    finite = np.isfinite(levels)  # a log-ratio is infinite where a reward is published without noise
    levels[finite] -= 1e-9 * np.maximum(1, np.abs(levels[finite]))  # values that are equal but for rounding
    hits, other = (sample.size - np.searchsorted(np.sort(sample), levels) for sample in (ours, theirs))
    epsilons = bounds(hits, other, ours.size, alpha, delta)
    best = int(epsilons.argmax())
    return Choice(float(epsilons[best]), float(levels[best]))


def hits_of(event: Any, sample: np.ndarray) -> int:
    """How often an event happened."""
    return int((np.isin(sample, event) if isinstance(event, np.ndarray) else sample >= event).sum())


def bound_of(
    choose: Callable[..., Choice], ours: np.ndarray, theirs: np.ndarray, alpha: float, delta: float
) -> tuple[Bound, Any]:
    """The bound from an event that is chosen on the first halves and counted on the second, and the event."""
    half = ours.size // 2
    event = choose(ours[:half], theirs[:half], alpha, delta).event
    counts = [hits_of(event, sample[half : 2 * half]) for sample in (ours, theirs)]
    return measured(counts, half, alpha, delta), event


def measured(hits: Sequence[int], games: int, alpha: float, delta: float) -> Bound:
    """The bound from the counts of an event that was chosen on other games."""
    return Bound(float(bounds(*hits, games, alpha, delta)), tuple(hits), games)
