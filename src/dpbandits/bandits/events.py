"""The events of a log, and the journal of a run on them (mishra2015, section 4.2).

An event shows a user to the policy, with a pool of articles. In a *replay* (Li, Chu, Langford &
Wang 2011) the log says which article was displayed: the event is kept if the policy chooses this
article, and otherwise discarded.

A log has the `articles`' vectors as columns, the typical `pool_size`, and `blocks()`, its events in
order, as many at a time as are in memory together. A block is a named tuple of arrays:

    t          the number of the event in the log, from 1
    users      the user's vector
    pool       a row of `pools`, whose columns are places: numbers of articles, or -1 beyond the
               pool's size
    at_random  the probability of a click on a random article of the pool; in a replay the logged
               click

with the method `feedback(i, place)`, if the policy chooses the article at this place of the pool in
event i: whether the event is kept, the click, and its probability (in a replay the click).
"""

from typing import NamedTuple

import numpy as np

from dpbandits.kernels import step

DIMENSION = 6  # of a user's and of an article's vector, the constant 1 first


# The rows of a journal: kept events and clicks on them; their expected clicks, where the
# probabilities are known; clicks of random choices on ARBITRARY events; kept events that came when
# the trees were full, from which nothing is learned.
KEPT, CLICKS, EXPECTED, RANDOM, ARBITRARY, UNLEARNED = range(6)
ROWS = 6


class NewsJournal(NamedTuple):
    """The totals so far; `table[:, k]` are those after event `checkpoints[k]`."""

    checkpoints: np.ndarray
    totals: np.ndarray
    table: np.ndarray
    next: np.ndarray  # of one element: the index of the next checkpoint

    def results(self) -> dict[str, np.ndarray]:
        """Return the curves of a finished run.

        `ctr_ratio` is the click rate of the kept events over that of random choices on all events,
        0 while one of them is 0. Both are expectations given users and choices where the
        probabilities are known.
        """
        table = self.table.copy()
        table[:, self.next[0] :] = self.totals[:, None]
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


def blank_journal(checkpoints: np.ndarray) -> NewsJournal:
    """Make an empty journal."""
    table = np.zeros((ROWS, len(checkpoints)))
    return NewsJournal(checkpoints, np.zeros(ROWS), table, np.zeros(1, np.int64))


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
