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
from collections.abc import Callable
from typing import Annotated, NamedTuple

import numpy as np
from annotated_types import Ge, Gt, Lt, doc

from dpbandits.bandits import Environment
from dpbandits.bandits.events import DIMENSION, NewsJournal, blank_journal
from dpbandits.errors import InputError
from dpbandits.kernels import kernel, methods, step
from dpbandits.parameters import NotNegative, Positive, Probability
from dpbandits.random import Stream, gamma, geometric, uniform

Number = Annotated[float, Gt(-math.inf), Lt(math.inf), doc("a finite number")]
PoolSize = Annotated[int, Ge(2), doc("a pool of at least 2 articles")]
MEMBERSHIPS = DIMENSION - 1


class Law(NamedTuple):
    """The constants of the probability of a click, and the number of intervals between replacements in a log."""

    base_rate: float
    ageing: float
    least: float
    most: float
    concentration: float
    live: int
    intervals: int


@methods
class KeptEvents(NamedTuple):
    """The kept events of a run (see `_events`), and what decides about clicks.

    log_rate[a] + u . pull[:, a] is the logarithm of article a's click rate when new, for the memberships u of a user.
    """

    t: np.ndarray
    users: np.ndarray
    pool: np.ndarray
    pools: np.ndarray
    at_random: np.ndarray
    chance: np.ndarray  # uniform number that decides whether the chosen article is clicked
    law: Law
    log_rate: np.ndarray
    pull: np.ndarray
    horizon: int

    def feedback(self, i, place):
        """Every event is kept."""
        p = click_rate(self, i, place)
        return True, 1.0 if self.chance[i] < p else 0.0, p


class Log(NamedTuple):
    """The log of a run, for all of its policies."""

    articles: np.ndarray
    pool_size: int
    events: KeptEvents

    def blocks(self) -> list[KeptEvents]:
        """All events are in memory."""
        return [self.events]


@step
def click_rate(events, i, place):
    """The probability that the user of event i clicks on the article at this place of the pool. Article a came in interval
    a + 1 - live."""
    law, article = events.law, events.pools[events.pool[i], place]
    log_rate = events.log_rate[article]
    for j in range(MEMBERSHIPS):
        log_rate += events.users[i, j + 1] * events.pull[j, article]
    age = (
        (events.t[i] - 1) * law.intervals / events.horizon - (article + 1 - law.live)
    ) / law.live  # of its lifetime
    return min(max(law.base_rate * math.exp(log_rate - law.ageing * age), law.least), law.most)


@kernel
def fill_rates_at_random(events):
    """The mean of `click_rate` over the pool, for every event."""
    for i in range(events.t.size):
        total = 0.0
        for place in range(events.law.live):
            total += click_rate(events, i, place)
        events.at_random[i] = total / events.law.live


class News(Environment):
    """The environment: all policies of a run get the same articles and the same kept users."""

    def __init__(
        self, law: Law, draw_articles: Callable[[np.random.Generator], tuple[np.ndarray, ...]]
    ):
        self.law, self.draw_articles, self.number_of_arms = law, draw_articles, law.live

    def check(self, horizon: int) -> None:
        """Raise InputError if the log is too short for its replacements of articles."""
        if horizon < max(self.law.live, self.law.intervals):
            raise InputError(
                f"horizon {horizon} is too short a log: the pool has {self.law.live} articles and is changed "
                f"{self.law.intervals} times; give at least {max(self.law.live, self.law.intervals)} events"
            )

    def begin(self, rng: Stream, horizon: int, t: np.ndarray) -> tuple[Log, NewsJournal]:
        """The run's log, which the next policy of the same run reads again."""
        log = self.once_for_run(
            rng, horizon, lambda: draw_log(rng, self.law, self.draw_articles(rng.numpy()), horizon)
        )
        return log, blank_journal(t)


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
        raise InputError(
            f"source: '{source}' must contain the word synthetic; write source: synthetic log"
        )
    if articles <= live:
        raise InputError(
            f"articles: {articles} should be more than the {live} that are in the pool at a time"
        )
    if least > most:
        raise InputError(
            f"least: {least:g} should be at most the largest probability of a click, {most:g}"
        )
    if len(taste) != MEMBERSHIPS:
        raise InputError(f"taste: {len(taste)} numbers, not {MEMBERSHIPS}: one for each membership")
    if [len(row) for row in match] != [MEMBERSHIPS] * MEMBERSHIPS:
        raise InputError(f"match: should be {MEMBERSHIPS} rows of {MEMBERSHIPS} numbers")

    def draw_articles(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Draw all articles of the log: their vectors as columns, and `log_rate` and `pull` of `KeptEvents`."""
        quality, vectors = (
            quality_sd * rng.standard_normal(articles),
            np.ones((DIMENSION, articles)),
        )
        vectors[1:] = (
            np.round(rng.dirichlet(np.full(MEMBERSHIPS, article_concentration), articles) * 1e6).T
            / 1e6
        )

        def added(
            start: np.ndarray | float, weights: list[float]
        ) -> np.ndarray:  # in a fixed order, on every machine
            return sum(
                (weight * row for weight, row in zip(weights, vectors[1:], strict=True)), start
            )

        return vectors, added(quality, taste), np.array([added(0.0, row) for row in match])

    return News(
        Law(base_rate, ageing, least, most, user_concentration, live, articles - live),
        draw_articles,
    )


def draw_log(rng: Stream, law: Law, articles: tuple[np.ndarray, ...], horizon: int) -> Log:
    """Draw all kept events of a log of `horizon` events."""
    vectors, log_rate, pull = articles
    t, users, chance = kept_visits(rng, law, horizon)
    interval = (t - 1) * law.intervals // horizon
    in_pool = np.arange(law.intervals)[:, None] + np.arange(law.live)
    pools = np.empty_like(in_pool)
    np.put_along_axis(
        pools, in_pool % law.live, in_pool, axis=1
    )  # an article keeps its place during its lifetime
    events = KeptEvents(
        t, users, interval, pools, np.empty(t.size), chance, law, log_rate, pull, horizon
    )
    fill_rates_at_random(events)
    return Log(vectors, law.live, events)


@kernel
def kept_visits(rng, law, horizon):
    """Draw times and users of all kept events, and the uniform numbers that decide about clicks."""
    room = (
        int(horizon / law.live + 8 * math.sqrt(horizon)) + 1
    )  # sixteen standard deviations above the expected number
    times, users, chance = np.empty(room, np.int64), np.empty((room, DIMENSION)), np.empty(room)
    count, t = 0, int(geometric(rng, 1 / law.live))
    while t <= horizon:
        times[count] = t
        draw_user(rng, law.concentration, users[count])
        chance[count] = uniform(rng)
        count += 1
        t += int(geometric(rng, 1 / law.live))
    return times[:count], users[:count], chance[:count]


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
