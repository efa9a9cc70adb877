"""The events of a log, and a run on them (mishra2015, section 4.2).

An event shows a user to the policy, with a pool of articles. A real log says which article was
displayed (Li, Chu, Langford & Wang 2011): the event is kept if the policy chooses this article, and
otherwise discarded.

A log has the `articles`' vectors as columns, the typical `pool_size`, and `blocks()`, its events in
order, as many at a time as are in memory together. A block is a named tuple of arrays:

    t          the number of the event in the log, from 1
    users      the user's vector
    pool       a row of `pools`, whose columns are places: numbers of articles, or -1 beyond the
               pool's size
    at_random  the probability of a click on a random article of the pool; in a real log the click

with the method `feedback(i, place)`, if the policy chooses the article at this place of the pool in
event i: whether the event is kept, the click, and its probability (in a real log the click).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from dpbandits.bandit import Bandit
from dpbandits.errors import InputError
from dpbandits.kernels import step
from dpbandits.privacy.releases import Releases
from dpbandits.random import Stream

DIMENSION = 6  # of a user's and of an article's vector, the constant 1 first


# The rows of a journal: kept events and clicks on them; their expected clicks, where the
# probabilities are known; clicks of random choices on ARBITRARY events; kept events that came when
# the trees were full, from which nothing is learned.
KEPT, CLICKS, EXPECTED, RANDOM, ARBITRARY, UNLEARNED = range(6)
ROWS = 6
ONCE = "call run.play(place) once for each visit of run.visits(), in one loop"


class NewsJournal(NamedTuple):
    """The totals so far; `table[:, k]` are those after event `checkpoints[k]`."""

    checkpoints: np.ndarray
    totals: np.ndarray
    table: np.ndarray
    next: np.ndarray  # of one element: the index of the next checkpoint

    def play(self, events, i, place):
        """Choose the article at a place of the pool of event i; return feedback, and count it."""
        totals = self.totals
        is_kept, click, p = events.feedback(i, place)
        totals[ARBITRARY] += 1
        totals[RANDOM] += events.at_random[i]
        if is_kept:
            totals[KEPT] += 1
            totals[CLICKS] += click
            totals[EXPECTED] += p
        return is_kept, click


@dataclass(frozen=True)
class LogRun:
    """One run of a policy on a log, as `play` gets it.

    Attributes
    ----------
    K : int
        The typical number of articles in the pool.
    horizon : int
        The number of events of the log.
    rng : Stream
        Random numbers for choices.
    releases : Releases
        The only way by which a visit becomes public.
    """

    K: int
    horizon: int
    releases: Releases
    log: Any
    journal: NewsJournal
    event: list = field(default_factory=list)  # the block, the place there, and the pool's size
    ended: list = field(default_factory=list)  # [False] from the first block, [True] after the last

    @property
    def rng(self) -> Stream:
        """Random numbers for choices."""
        return self.releases.rng

    @property
    def t(self) -> int:
        """The number of visits so far."""
        return int(self.journal.totals[ARBITRARY])

    def blocks(self) -> Iterator[Any]:
        """Yield the blocks of the log, once: a second loop would count its visits twice."""
        if self.ended:
            raise InputError(ONCE)
        self.ended.append(False)
        yield from self.log.blocks()
        self.ended[0] = True

    def visits(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the vector of each user, and the vectors of the pool's articles as columns."""
        for events in self.blocks():
            for i, t in enumerate(events.t):
                record_checkpoints(self.journal, t)
                pool = events.pools[events.pool[i]]
                pool = pool[pool >= 0]
                self.event[:] = events, i, pool.size
                yield events.users[i], self.log.articles[:, pool]
                if self.event:
                    raise InputError(ONCE)

    def play(self, place: int) -> tuple[bool, float]:
        """Choose an article for the visit; return whether the event is kept, and the click."""
        if not self.event:
            raise InputError(ONCE)
        events, i, size = self.event
        if not 0 <= place < size:
            raise IndexError(f"there is no article {place}; those of this pool are 0 to {size - 1}")
        self.event.clear()
        return self.journal.play(events, i, place)

    def finished(self) -> bool:
        """Return whether no visit is to come. A log may end before the horizon."""
        return self.ended == [True]


class EventLog(Bandit):
    """Base class of logs."""

    family = "logs"

    def begin(self, game: Any, rng: Stream, horizon: int, t: np.ndarray) -> LogRun:
        """Return a run on the drawn log."""
        return new_log_run(game, Releases(rng), horizon, t)

    def curves(self, run, t):
        """Return the curves.

        `ctr_ratio` is the click rate of the kept events over that of random choices on all events,
        0 while one of them is 0. Both are expectations given users and choices where the
        probabilities are known.
        """
        table, journal = run.journal.table.copy(), run.journal
        table[:, journal.next[0] :] = journal.totals[:, None]
        policy = _quotient(table[EXPECTED], table[KEPT])
        chance = _quotient(table[RANDOM], table[ARBITRARY])
        return {
            "ctr_ratio": _quotient(policy, chance),
            "kept": table[KEPT],
            "clicks": table[CLICKS],
            "random_ctr": chance,
            "unlearned": _quotient(table[UNLEARNED], table[KEPT]),
        }


def _quotient(of: np.ndarray, to: np.ndarray) -> np.ndarray:
    return np.divide(of, to, out=np.zeros_like(of), where=to > 0)


def new_log_run(log: Any, releases: Any, horizon: int, checkpoints: np.ndarray) -> LogRun:
    """Begin a run; the random numbers are those of the releases."""
    table = np.zeros((ROWS, len(checkpoints)))
    journal = NewsJournal(checkpoints, np.zeros(ROWS), table, np.zeros(1, np.int64))
    return LogRun(log.pool_size, horizon, releases, log, journal)


@step
def record_checkpoints(journal, t):
    """Record the totals for every checkpoint before event t, and return the next checkpoint.

    After the last one, this is an event that never comes.
    """
    k = journal.next[0]
    while k < journal.checkpoints.size and journal.checkpoints[k] < t:
        for row in range(ROWS):
            journal.table[row, k] = journal.totals[row]
        k += 1
    journal.next[0] = k
    return journal.checkpoints[k] if k < journal.checkpoints.size else 1 << 62
