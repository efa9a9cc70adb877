"""The probability of a click on an article, computed where it is needed: for one of the twenty articles of a visit.

In `news` it follows from the user, the article and the time. In a game of the audit it is an entry of a table.
"""

import math
from typing import NamedTuple

import numpy as np

from dpbandits.compiled import kernel, step


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
    """What `click_rate` needs besides the events of a block: a table (event, position), or if it has no rows the law.

    log_rate[a] + u . pull[:, a] is the logarithm of article a's click rate when new, for the memberships u of a user.
    """

    table: np.ndarray
    law: Law
    log_rate: np.ndarray
    pull: np.ndarray
    horizon: int


def rates_of_table(table: np.ndarray) -> ClickRates:
    """The rates of a table."""
    return ClickRates(table, Law(0.0, 0.0, 0.0, 0.0, 0.0, 0, 0), np.empty(0), np.empty((0, 0)), 0)


NO_RATES = rates_of_table(np.empty((0, 0)))  # for a block of logged events, whose clicks are known


@step
def click_rate(rates, i, place, t, user, article):
    """The probability that this user clicks on this article: in event i, number t of the log, its place in the pool."""
    if rates.table.size > 0:
        return rates.table[i, place]
    law, log_rate = rates.law, rates.log_rate[article]
    for j in range(rates.pull.shape[0]):
        log_rate += user[j + 1] * rates.pull[j, article]
    now = (t - 1) * law.intervals / rates.horizon
    return probability(law, log_rate, (now - (article + 1 - law.live)) / law.live)  # a comes at a + 1 - live


@step
def probability(law, log_rate, age):
    """The probability of a click. `age` is a share of the article's lifetime."""
    return min(max(law.base_rate * math.exp(log_rate - law.ageing * age), law.least), law.most)


@kernel
def rates_at_random(rates, times, users, pool, pools):
    """The mean of `click_rate` over the pool, for every event: article by article within each term, so that a processor
    computes several at once."""
    law, live = rates.law, pools.shape[1]
    found, log_rates, pulls = np.empty(times.size), np.empty(live), np.empty((rates.pull.shape[0], live))
    terms, ages, entered, loaded = np.empty(live), np.empty(live), np.empty(live), -1
    for i in range(times.size):
        if pool[i] != loaded:
            loaded = pool[i]
            for place in range(live):
                article = pools[loaded, place]
                entered[place], log_rates[place] = article + 1 - law.live, rates.log_rate[article]
                for j in range(pulls.shape[0]):
                    pulls[j, place] = rates.pull[j, article]
        now = (times[i] - 1) * law.intervals / rates.horizon
        for place in range(live):
            terms[place], ages[place] = log_rates[place], (now - entered[place]) / law.live
        for j in range(pulls.shape[0]):
            for place in range(live):
                terms[place] += users[i, j + 1] * pulls[j, place]
        total = 0.0
        for place in range(live):
            total += probability(law, terms[place], ages[place])
        found[i] = total / live
    return found
