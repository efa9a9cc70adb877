"""The events of a log, in blocks, and the journal of a run on it (mishra2015, section 4.2).

An event shows a user to the policy, with the articles of the pool that the user could be shown. In a *replay* (Li, Chu,
Langford & Wang 2011) the log contains the displayed article, and the event is kept if the policy chooses this article,
and otherwise discarded. Where the probabilities of clicks are known, a block holds kept events only: see
`dpbandits.environments.logs.news`.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dpbandits.compiled import step
from dpbandits.environments.logs._clicks import ClickRates

DIMENSION = 6  # of a user's and of an article's vector, the constant 1 first


class Events(NamedTuple):
    """A block of events. Positions are places in the pool, from 0."""

    t: np.ndarray  # number of the event in the log, from 1
    users: np.ndarray  # (event, 6)
    pool: np.ndarray  # which row of `pools`
    pools: np.ndarray  # (pool, position): numbers of articles, -1 beyond the pool's size
    displayed: np.ndarray  # position of the displayed article; empty if all events are kept
    at_random: np.ndarray  # probability of a click on a random article of the pool, or in a replay the logged click
    chance: np.ndarray  # uniform number that decides whether the chosen article is clicked; empty in a replay
    rates: ClickRates  # from which `click_rate` computes the probability of a click on the chosen article


# The rows of a diary: kept events and clicks on them; their expected clicks, where the probabilities are known; clicks of random
# choices on ARBITRARY events; updates of the policy, and those with an indefinite matrix; kept events that came when the
# trees were full, from which nothing is learned.
KEPT, CLICKS, EXPECTED, RANDOM, ARBITRARY, UPDATES, INDEFINITE, UNLEARNED = range(8)
ROWS = 8


class Diary(NamedTuple):
    """`kept[:, k]` are the totals after event `checkpoints[k]`; `next[0]` is the index of the next checkpoint."""

    checkpoints: np.ndarray
    totals: np.ndarray
    kept: np.ndarray
    next: np.ndarray


@step
def record_checkpoints(diary, t):
    """Record the totals for every checkpoint before event t, and return the next checkpoint, or after the last one an event
    that never comes."""
    k = diary.next[0]
    while k < diary.checkpoints.size and diary.checkpoints[k] < t:
        for row in range(ROWS):
            diary.kept[row, k] = diary.totals[row]
        k += 1
    diary.next[0] = k
    return diary.checkpoints[k] if k < diary.checkpoints.size else 1 << 62


@dataclass(frozen=True)
class NewsJournal:
    """The journal of a run: kernels write to its diary, from which the curves are computed after the run."""

    diary: Diary

    def results(self) -> dict[str, np.ndarray]:
        """The curves of a finished run.

        `ctr_ratio` is the click rate of the kept events over that of random choices on all events, 0 while one of them is 0. Both are
        expectations given users and choices where the probabilities are known.
        """
        table = self.diary.kept.copy()
        table[:, self.diary.next[0] :] = self.diary.totals[:, None]
        policy, chance = _quotient(table[EXPECTED], table[KEPT]), _quotient(table[RANDOM], table[ARBITRARY])
        return {
            "ctr_ratio": _quotient(policy, chance),
            "kept": table[KEPT],
            "clicks": table[CLICKS],
            "random_ctr": chance,
            "indefinite": _quotient(table[INDEFINITE], table[UPDATES]),
            "unlearned": _quotient(table[UNLEARNED], table[KEPT]),
        }


def _quotient(of: np.ndarray, to: np.ndarray) -> np.ndarray:
    return np.divide(of, to, out=np.zeros_like(of), where=to > 0)


def blank_journal(checkpoints: np.ndarray) -> NewsJournal:
    """An empty journal."""
    return NewsJournal(Diary(checkpoints, np.zeros(ROWS), np.zeros((ROWS, len(checkpoints))), np.zeros(1, np.int64)))
