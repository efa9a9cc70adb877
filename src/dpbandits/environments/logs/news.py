"""A synthetic substitute for the news log of mishra2015's Figure 2, Yahoo! R6A, which is licensed and not distributed.

Its structure is that of R6A: a pool of `live` articles out of `articles`, the oldest replaced by a new one at even
intervals; users and articles are vectors of a constant 1 and memberships that sum to 1, with six decimals; the displayed article
is uniform over the pool; clicks of a few per cent depend on the match of user and article, on the article's quality, and
on its age, as a share of its lifetime:

    P(click) = clip(base_rate exp(quality_a + taste . a + u' match a - ageing age_a), least, most)

Only the kept events are drawn. A replay keeps a logged event with probability 1/live, whatever the policy and the user; so the
number of events up to and including the next kept one is geometric, its user is a new one, and its displayed article is the
policy's choice: the same distribution, in a twentieth of the time. The ratio of click rates is that of the expected clicks
given users and choices, which has the same mean and a smaller variance.
"""

import math
from typing import Annotated, NamedTuple

import numpy as np
from annotated_types import Ge, Gt, Lt, doc

from dpbandits.compiled import kernel, step
from dpbandits.environments import Environment
from dpbandits.environments.logs._events import (
    DIMENSION,
    ClickRates,
    Events,
    Law,
    NewsJournal,
    blank_journal,
    rates_at_random,
)
from dpbandits.errors import InputError
from dpbandits.parameters import NotNegative, Positive, Probability
from dpbandits.random import Stream, gamma, geometric, uniform

Number = Annotated[float, Gt(-math.inf), Lt(math.inf), doc("a finite number")]
PoolSize = Annotated[int, Ge(2), doc("a pool of at least 2 articles")]
BLOCK = 4096  # events drawn at once
MEMBERSHIPS = DIMENSION - 1


class Log(NamedTuple):
    """The kept events of a run, for all of its policies."""

    articles: np.ndarray
    pool_size: int
    kept: list[Events]

    def blocks(self) -> list[Events]:
        return self.kept


class News(Environment):
    """The environment: all policies of a run get the same articles and the same kept users."""

    def __init__(self, law: Law, total: int, shape: float, spread: float, taste: np.ndarray, match: np.ndarray):
        self.law, self.total, self.shape, self.spread = law, total, shape, spread
        self.taste, self.match = taste, match
        self.number_of_arms = law.live

    def check(self, horizon: int) -> None:
        """Raise InputError if the log is too short for its replacements of articles."""
        if horizon < max(self.law.live, self.law.intervals):
            raise InputError(
                f"horizon {horizon} is too short a log: the pool has {self.law.live} articles and is changed "
                f"{self.law.intervals} times; give at least {max(self.law.live, self.law.intervals)} events"
            )

    def begin(self, rng: Stream, horizon: int, t: np.ndarray) -> tuple[Log, NewsJournal]:
        """The run's log, which the next policy of the same run reads again."""
        log = self.once_for_run(rng, horizon, lambda: draw_log(rng, self.law, self.draw_articles(rng.numpy()), horizon))
        return log, blank_journal(t)

    def draw_articles(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Draw all articles of the log: their vectors as columns, and `log_rate` and `pull` of `ClickRates`."""
        quality = self.spread * rng.standard_normal(self.total)
        memberships = np.round(rng.dirichlet(np.full(MEMBERSHIPS, self.shape), self.total) * 1e6) / 1e6
        vectors = np.ones((DIMENSION, self.total))
        vectors[1:] = memberships.T
        # Sums in a fixed order; those of a library may differ between machines in the last bit.
        log_rate, pull = quality.copy(), np.zeros((MEMBERSHIPS, self.total))
        for j in range(MEMBERSHIPS):
            log_rate += self.taste[j] * vectors[1 + j]
            for i in range(MEMBERSHIPS):
                pull[i] += self.match[i, j] * vectors[1 + j]
        return vectors, log_rate, pull


def news(
    *,
    source: str,
    live: PoolSize,
    articles: PoolSize,
    base_rate: Probability,
    least: Probability,
    most: Probability,
    ageing: NotNegative,
    quality_sd: NotNegative,
    article_concentration: Positive,
    user_concentration: Positive,
    taste: list[Number],
    match: list[list[Number]],
) -> News:
    """The environment `{kind: news, ...}` of a paper file. `source` is the name of the log in figures."""
    if "synthetic" not in source:
        raise InputError(f"source: '{source}' must contain the word synthetic; write source: synthetic log")
    if articles <= live:
        raise InputError(f"articles: {articles} should be more than the {live} that are in the pool at a time")
    if least > most:
        raise InputError(f"least: {least:g} should be at most the largest probability of a click, {most:g}")
    if len(taste) != MEMBERSHIPS:
        raise InputError(f"taste: {len(taste)} numbers, not {MEMBERSHIPS}: one for each membership")
    if [len(row) for row in match] != [MEMBERSHIPS] * MEMBERSHIPS:
        raise InputError(f"match: should be {MEMBERSHIPS} rows of {MEMBERSHIPS} numbers")
    law = Law(base_rate, ageing, least, most, user_concentration, live, articles - live)
    return News(law, articles, article_concentration, quality_sd, np.array(taste), np.array(match))


def draw_log(rng: Stream, law: Law, articles: tuple[np.ndarray, np.ndarray, np.ndarray], horizon: int) -> Log:
    """Draw all kept events of a log of `horizon` events, in blocks."""
    vectors, log_rate, pull = articles
    rates = ClickRates(law, log_rate, pull, horizon)
    kept, t = [], 0
    while t < horizon:
        t, visits, chance = kept_visits(rng, law, horizon, t)
        kept.append(Events(*visits, np.empty(0, np.int64), rates_at_random(rates, *visits), chance, rates))
    return Log(vectors, law.live, kept)


@kernel
def kept_visits(rng, law, horizon, t):
    """Draw the next block of kept events after event t: return its last event; times, users and pools; and the uniform
    numbers that decide about clicks."""
    n = BLOCK
    times, users, pool = np.empty(n, np.int64), np.empty((n, DIMENSION)), np.empty(n, np.int64)
    pools, chance = np.empty((min(n, law.intervals), law.live), np.int64), np.empty(n)
    count, known, oldest = 0, -1, -1
    while count < n:
        t += int(geometric(rng, 1 / law.live))
        if t > horizon:
            t = horizon
            break
        first = (t - 1) * law.intervals // horizon
        if first != oldest:
            oldest = first
            known += 1
            fill_pool(law, first, pools[known])
        times[count], pool[count] = t, known
        draw_user(rng, law.concentration, users[count])
        chance[count] = uniform(rng)
        count += 1
    return t, (times[:count], users[:count], pool[:count], pools[: known + 1].copy()), chance[:count]


@step
def fill_pool(law, first, pool):
    """The pool while article `first` is the oldest in it. An article keeps its position during its lifetime."""
    for a in range(first, first + law.live):
        pool[a % law.live] = a


@step
def draw_user(rng, concentration, user):
    """Draw a user: (1, Dirichlet memberships), rounded to millionths."""
    user[0] = 1.0
    total = 0.0
    for i in range(1, user.size):
        user[i] = gamma(rng, concentration)
        total += user[i]
    for i in range(1, user.size):
        user[i] = math.floor(user[i] / total * 1e6 + 0.5) / 1e6
