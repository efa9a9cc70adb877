"""The events of a log, in blocks, the probabilities of their clicks, and the journal of a run on it (mishra2015, section 4.2).

An event shows a user to the policy, with the articles of the pool that the user could be shown. In a *replay* (Li, Chu,
Langford & Wang 2011) the log contains the displayed article, and the event is kept if the policy chooses this article,
and otherwise discarded. Where the probabilities of clicks are known, a block holds kept events only: see
`dpbandits.environments.logs.news`.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dpbandits.compiled import kernel, step

DIMENSION = 6  # of a user's and of an article's vector, the constant 1 first


class Law(NamedTuple):
    """The constants of the probability of a click, and the number of intervals between replacements in a log."""

    base_rate: float
    ageing: float
    least: float
    most: float
    concentration: float
    live: int
    intervals: int


class ClickRates(NamedTuple):
    """What `click_rate` needs besides the events of a block.

    log_rate[a] + u . pull[:, a] is the logarithm of article a's click rate when new, for the memberships u of a user.
    """

    law: Law
    log_rate: np.ndarray
    pull: np.ndarray
    horizon: int


# For a block of logged events, whose clicks are known.
NO_RATES = ClickRates(Law(0.0, 0.0, 0.0, 0.0, 0.0, 0, 0), np.empty(0), np.empty((0, 0)), 0)


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


@step
def click_rate(rates, t, user, article):
    """The probability that this user clicks on this article in event number t of the log: it came at article + 1 - live."""
    law, log_rate = rates.law, rates.log_rate[article]
    for j in range(rates.pull.shape[0]):
        log_rate += user[j + 1] * rates.pull[j, article]
    age = ((t - 1) * law.intervals / rates.horizon - (article + 1 - law.live)) / law.live  # as a share of its lifetime
    return min(max(law.base_rate * math.exp(log_rate - law.ageing * age), law.least), law.most)


@kernel
def rates_at_random(rates, times, users, pool, pools):
    """The mean of `click_rate` over the pool, for every event."""
    found, live = np.empty(times.size), pools.shape[1]
    for i in range(times.size):
        total = 0.0
        for place in range(live):
            total += click_rate(rates, times[i], users[i], pools[pool[i], place])
        found[i] = total / live
    return found


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
