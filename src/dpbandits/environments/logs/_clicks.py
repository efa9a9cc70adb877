"""The probability of a click on an article, computed where it is needed: for one of the twenty articles of a visit."""

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
    """What `click_rate` needs besides the events of a block.

    log_rate[a] + u . pull[:, a] is the logarithm of article a's click rate when new, for the memberships u of a user.
    """

    law: Law
    log_rate: np.ndarray
    pull: np.ndarray
    horizon: int


# For a block of logged events, whose clicks are known.
NO_RATES = ClickRates(Law(0.0, 0.0, 0.0, 0.0, 0.0, 0, 0), np.empty(0), np.empty((0, 0)), 0)


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
