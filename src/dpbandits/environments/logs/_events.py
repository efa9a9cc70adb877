"""What a contextual bandit plays: a log of events, block by block, and what a run on it leaves behind (mishra2015, section 4.2).

An event shows a user to the policy, with the articles of the pool that the user could be shown. In a *replay* (Li, Chu,
Langford & Wang 2011) the log says which article was displayed, and the event is kept if that is the policy's choice, else
it never happened. Where the clicks' law is known (`direct`) a block holds kept events only: see `dpbandits.environments.logs.news`.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

LARGEST_BLOCK = 65_536  # events
DIMENSION = 6  # of a user's and of an article's vector, the constant 1 first


class Events(NamedTuple):
    """A block of events. Positions are places in the pool, from 0."""

    t: np.ndarray  # number of the event in the log, from 1
    users: np.ndarray  # (event, 6)
    pool: np.ndarray  # which row of `pools`
    pools: np.ndarray  # (pool, position): numbers of articles, -1 beyond the pool's size
    displayed: np.ndarray  # position of the displayed article; empty in a direct block
    clicked: np.ndarray  # 1 if it was clicked; empty in a direct block
    p: np.ndarray  # (event, position): probability of a click; direct blocks only
    chance: np.ndarray  # uniform number that decides whether the chosen article is clicked; direct blocks only


# The rows of a diary: events kept so far and clicks on them; the same clicks in expectation, where the law is known; clicks
# that choices at random get from as many events as ARBITRARY says; updates of the policy, and those of a broken matrix.
KEPT, CLICKS, EXPECTED, RANDOM, ARBITRARY, UPDATES, INDEFINITE = range(7)


class Diary(NamedTuple):
    """`kept[:, k]` are the totals after event `checkpoints[k]`; `next[0]` the first checkpoint still to come."""

    checkpoints: np.ndarray
    totals: np.ndarray
    kept: np.ndarray
    next: np.ndarray


@dataclass(frozen=True)
class NewsJournal:
    """Kernels write into the diary; the curves follow from it when the run is over."""

    diary: Diary

    def results(self) -> dict[str, np.ndarray]:
        """The curves of a finished run.

        `ctr_ratio` is the click rate of the kept events over that of random choices, 0 before the first click of either. The
        random rate is that of all events, not of the kept ones alone, which are twenty times fewer; both rates are
        expectations given users and choices where the law is known.
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
        }


def _quotient(of: np.ndarray, to: np.ndarray) -> np.ndarray:
    return np.divide(of, to, out=np.zeros_like(of), where=to > 0)


def blank_journal(checkpoints: np.ndarray) -> NewsJournal:
    """A journal in which nothing is written yet."""
    return NewsJournal(Diary(checkpoints, np.zeros(7), np.zeros((7, len(checkpoints))), np.zeros(1, np.int64)))
