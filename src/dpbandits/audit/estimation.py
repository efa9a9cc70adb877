"""From two samples of what is published to a lower bound on epsilon that holds with a stated confidence.

Where a mechanism is (epsilon, delta)-private, P(E) <= e^epsilon Q(E) + delta for every event E and for the laws P and Q of
what it publishes on two neighbouring inputs. So epsilon >= ln((p - delta)/q). Two bounds follow:

    counted   from a lower confidence bound p on P(E) and an upper one q on Q(E), of Clopper and Pearson
    by tape   from games on one input alone: Q(E)/P(E) is the mean of e^-L over the games in E, where L is the log-likelihood
              ratio of a game's noise; its upper confidence bound is the empirical Bernstein bound of Maurer & Pontil (2009)

The counted bound supposes nothing. The second one supposes that the tape is right about what the noise was added to; it is
sharper, and tells which event is worth counting. Whether the counts agree with it is a test of the tape (`disagreement`).

An event is chosen on a part of the games and measured on the others; otherwise the same chance would choose and confirm it.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.special import betaincinv

CANDIDATES = 128  # events that are compared
CHOOSING = 4  # one in so many games is for the choice of the event
RANK = 0.05  # the error probability of the counted bounds by which events are compared
CAUTION, PRIOR = 2.0, 5.0  # by the tape: standard errors, and hits without a loss that every event has besides its own
# Events, how often each must be expected (times the largest weight), and games, for whether the tape agrees with the counts.
COMPARED, SEEN, GAMES = 64, 100, 50_000


class Sample(NamedTuple):
    """What is published in each game, and the log-likelihood ratio of its noise under this input to that under the other;
    None where no tape knows it."""

    values: np.ndarray
    ratios: np.ndarray | None

    def part(self, which: slice) -> "Sample":
        """Some of the games."""
        return Sample(self.values[which], None if self.ratios is None else self.ratios[which])


class Loss(NamedTuple):
    """What the ledger books at most (infinite: no tape), the delta of the promise, and whether the tape chooses events. Where
    much is lost the largest weights are rare, and counts choose better."""

    ledger: float
    delta: float
    tape_chooses: bool = True


@dataclass(frozen=True)
class Bound:
    """A lower bound on epsilon: `hits` of `games` on either input; the bound by the tape, and by how many standard errors
    the counts on the other input disagree with the tape (nan without one)."""

    epsilon: float
    hits: tuple[int, int]
    games: int
    tape: float = math.nan
    disagreement: float = math.nan


class Choice(NamedTuple):
    """An event (a set of values, or a level that a value is at least); what games are expected to show of its loss, and a
    cautious guess of the loss itself, by which events are compared; and its estimated probabilities."""

    score: float
    guess: float
    event: Any
    shares: tuple[float, float]


def log_bounds(hits: np.ndarray, other: np.ndarray, games: int, alpha: float, delta: float) -> np.ndarray:
    """ln((LCB(p) - delta)/UCB(q)) for counts of events among `games` games on either input."""
    hits, other = np.asarray(hits, float), np.asarray(other, float)
    least = np.where(hits > 0, betaincinv(np.maximum(hits, 1e-9), games - hits + 1, alpha / 2), 0.0)
    most = np.where(other < games, betaincinv(other + 1, np.maximum(games - other, 1e-9), 1 - alpha / 2), 1.0)
    with np.errstate(divide="ignore"):
        return np.log(np.maximum(least - delta, 0.0) / most)


def bounds(hits: np.ndarray, other: np.ndarray, games: int, alpha: float, delta: float) -> np.ndarray:
    """`log_bounds`, at least 0."""
    return np.maximum(log_bounds(hits, other, games, alpha, delta), 0.0)


def unseen(games: int, alpha: float) -> float:
    """The upper confidence bound of the probability of an event that happened in none of so many games."""
    return -math.expm1(math.log(alpha / 2) / games)


def largest_share(hits: np.ndarray, sums: np.ndarray, squares: np.ndarray, alpha: float, ledger: float) -> np.ndarray:
    """Upper confidence bounds of Q(E)/P(E) from the sums of e^-L and of its squares over the `hits` games in E; e^-L is
    within e^-ledger and e^ledger."""
    n, log = np.maximum(hits, 2.0), math.log(1 / alpha)
    mean = sums / n
    variance = np.maximum(squares - n * mean**2, 0.0) / (n - 1)
    width = math.exp(ledger) - math.exp(-ledger)
    found = mean + np.sqrt(2 * variance * (log + math.log(2)) / n) + 7 * width * (log + math.log(2)) / (3 * (n - 1))
    return np.where(hits >= 2, found, math.exp(ledger))


def cautious_share(hits: np.ndarray, sums: np.ndarray, squares: np.ndarray) -> np.ndarray:
    """Q(E)/P(E) as `largest_share` has it, but a guess by which events are compared, and no bound."""
    n = hits + PRIOR
    mean = (sums + PRIOR) / n
    return mean + CAUTION * np.sqrt(np.maximum((squares + PRIOR) / n - mean**2, 0.0) / n)


def resolvable(epsilon: float, games: int, alpha: float, delta: float) -> float:
    """The bound that as many games would give for an event of probability 1/2 that loses exactly epsilon."""
    half = games / 2
    return float(bounds(half, math.exp(-epsilon) * max(0.5 - delta, 0.0) * games, games, alpha, delta))


def weights_of(sample: Sample, loss: Loss) -> np.ndarray | None:
    """e^-L of every game; None without a tape."""
    return None if sample.ratios is None or math.isinf(loss.ledger) else np.exp(-sample.ratios)


def best_set(ours: Sample, theirs: Sample, alpha: float, loss: Loss, games: int) -> Choice:
    """The set of values with the largest loss, of those sets that hold the values with the largest ratios of frequencies."""
    values, place = np.unique(np.concatenate([ours.values, theirs.values]), return_inverse=True)
    own, other = place[: ours.values.size], place[ours.values.size :]
    tried = np.unique(np.linspace(0, values.size - 1, CANDIDATES).round().astype(int))

    def often(part: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
        return np.bincount(part, weights, values.size).astype(float)

    def candidates(order: np.ndarray, *sums: np.ndarray) -> Candidates:
        return Candidates(lambda i: values[order][: tried[i] + 1], *(np.cumsum(each[order])[tried] for each in sums))

    # One half of the games has the order of the values, the other one counts: rare values are in the games of one input alone.
    order = np.argsort(-(often(own[::2]) + 0.5) / (often(other[::2]) + 0.5), kind="stable")
    counted, of_tape = candidates(order, 2 * often(own[1::2]), 2 * often(other[1::2])), None
    weights = weights_of(ours, loss)
    if weights is not None and loss.tape_chooses:
        hits, sums = often(own), often(own, weights)
        order = np.argsort(-(hits + 0.05) / (sums + 0.05), kind="stable")
        of_tape = candidates(order, hits, sums, often(own, weights**2))
    return _best(counted, of_tape, ours.values.size, alpha, loss, games)


def best_level(ours: Sample, theirs: Sample, alpha: float, loss: Loss, games: int) -> Choice:
    """The level c with the largest loss of the event that a value is at least c."""
    levels = np.unique(np.quantile(ours.values, np.linspace(0, 1, CANDIDATES), method="inverted_cdf"))
    finite = np.isfinite(levels)  # a log-ratio is infinite where a reward is published without noise
    levels[finite] -= 1e-9 * np.maximum(1, np.abs(levels[finite]))  # values that are equal but for rounding
    order = np.argsort(ours.values)
    below = np.searchsorted(ours.values[order], levels)
    hits, counts = ours.values.size - below, theirs.values.size - np.searchsorted(np.sort(theirs.values), levels)

    def candidates(*sums: np.ndarray) -> Candidates:
        return Candidates(lambda i: float(levels[i]), hits, *sums)

    weights, of_tape = weights_of(ours, loss), None
    if weights is not None and loss.tape_chooses:
        above = (np.cumsum(each[order][::-1])[::-1] for each in (weights, weights**2))
        of_tape = candidates(*(np.append(each, 0.0)[below] for each in above))
    return _best(candidates(counts), of_tape, ours.values.size, alpha, loss, games)


class Candidates(NamedTuple):
    """Events, and of each its hits; its counts on the other input, or its sums of e^-L; and the sums of squares of these."""

    event: Callable[[int], Any]
    hits: np.ndarray
    other: np.ndarray
    squares: np.ndarray | None = None


def _best(counted: Candidates, of_tape: Candidates | None, number: int, alpha: float, loss: Loss, games: int) -> Choice:
    """The best of several events, by what as many `games` may be expected to count: by the tape if there is one, unless the
    counts show more than the ledger allows, so that the tape is wrong."""
    most = np.minimum(counted.hits, number), np.minimum(counted.other, number)
    scores = log_bounds(*most, number, RANK if of_tape is None else alpha, loss.delta)
    found, guesses = counted, scores
    if of_tape and scores.max() <= loss.ledger:
        found, often = of_tape, games / number * of_tape.hits
        share = cautious_share(of_tape.hits, of_tape.other, of_tape.squares)
        scores, guesses = log_bounds(often, np.minimum(often * share, games), games, alpha, loss.delta), -np.log(share)
    best = int(np.argmax(scores if scores.max() > 0 else guesses))
    shares = float(found.hits[best] / number), float(found.other[best] / number)
    return Choice(float(scores[best]), float(guesses[best]), found.event(best), shares)


def is_in(event: Any, sample: Sample) -> np.ndarray:
    """In which games an event happened."""
    return np.isin(sample.values, event) if isinstance(event, np.ndarray) else sample.values >= event


def bound_of(
    choose: Callable[..., Choice], ours: Sample, theirs: Sample, alpha: float, loss: Loss
) -> tuple[Bound, Any]:
    """The bounds from an event that is chosen on the first games and measured on the others, and the event."""
    first = max(ours.values.size // CHOOSING, 1)
    number = ours.values.size - first
    event = choose(*(each.part(slice(first)) for each in (ours, theirs)), alpha, loss, number).event
    ours, theirs = (each.part(slice(first, None)) for each in (ours, theirs))
    inside = is_in(event, ours)
    hits = int(inside.sum()), int(is_in(event, theirs).sum())
    counted = float(bounds(*hits, number, alpha, loss.delta))
    weights = weights_of(ours, loss)
    if weights is None:
        return Bound(counted, hits, number), event
    share = largest_share(hits[0], weights[inside].sum(), (weights[inside] ** 2).sum(), alpha / 2, loss.ledger)
    least = betaincinv(max(hits[0], 1e-9), number - hits[0] + 1, alpha / 2) if loss.delta else 1.0
    by_tape = max(0.0, math.log1p(-min(loss.delta / least, 1 - 1e-15)) - math.log(share)) if least > 0 else 0.0
    return Bound(counted, hits, number, by_tape, disagreement(ours, theirs, weights, loss.ledger)), event


def disagreement(ours: Sample, theirs: Sample, weights: np.ndarray, ledger: float) -> float:
    """The largest |z| of the counts of published values on the other input beside the sums of e^-L on this one: of the most
    frequent values, or of numbers between quantiles. The standard errors are upper bounds: the largest weights are too rare
    for an estimate. nan if no value is frequent enough for a normal law."""
    ours, theirs, weights = ours.part(slice(GAMES)), theirs.part(slice(GAMES)), weights[:GAMES]
    if ours.values.dtype.kind == "f":
        edges = np.unique(np.quantile(ours.values, np.linspace(0, 1, 17)[1:-1]))
        edges += 1e-9 * np.maximum(1, np.abs(edges))  # values that are equal but for rounding are on one side
        own, other = (np.searchsorted(edges, each.values) for each in (ours, theirs))
    else:
        place = np.unique(np.concatenate([ours.values, theirs.values]), return_inverse=True)[1]
        own, other = place[: ours.values.size], place[ours.values.size :]
    size = int(max(own.max(), other.max())) + 1
    counts, sums = np.bincount(other, minlength=size), np.bincount(own, weights, size)
    # A weight is at most e^ledger, so that the variance of a sum of weights is at most its mean times this.
    largest, expected = math.exp(ledger), np.maximum(counts, sums)
    often = np.argsort(-expected, kind="stable")[:COMPARED]
    often = often[expected[often] >= SEEN * largest]
    if not often.size:
        return math.nan
    return float(np.max(np.abs(sums - counts)[often] / np.sqrt((largest + 1) * expected[often])))
