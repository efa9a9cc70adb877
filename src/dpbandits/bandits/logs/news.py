"""A synthetic substitute for the news log of mishra2015's Figure 2.

That log is Yahoo! R6A, which is licensed and not distributed. The structure here is that of R6A. A
pool has `live` articles out of `articles`, and its oldest article is replaced by a new one at even
intervals. Users and articles are vectors of a constant 1 and memberships that sum to 1, with six
decimals. The displayed article is uniform over the pool. Clicks of a few per cent depend on the
match of user and article, on the article's quality, and on its age, as a share of its lifetime:

    P(click) = clip(base_rate exp(quality_a + taste . a + u' match a - ageing age_a), least, most)

Only the kept events are drawn. A real log keeps an event with probability 1/live, whatever the
policy and the user. So the number of events up to and including the next kept one is geometric, its
user is a new one, and its displayed article is the policy's choice: the same distribution, in a
twentieth of the time. The ratio of click rates is that of the expected clicks, for fixed users and
choices, which has the same mean and a smaller variance.
"""

import math
from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np
from annotated_types import Ge

from dpbandits.bandits.events import DIMENSION, EventLog
from dpbandits.compiled import compiled_from
from dpbandits.errors import InputError
from dpbandits.kernels import kernel, step
from dpbandits.parameters import Finite, NotNegative, Positive, Probability, Words
from dpbandits.random import Stream

PoolSize = Annotated[int, Ge(2), Words("a pool of at least 2 articles")]
MEMBERSHIPS = DIMENSION - 1


class Articles(NamedTuple):
    """All articles of a log.

    log_rate[a] + u . pull[:, a] is the logarithm of article a's click rate when new, for the
    memberships u of a user.
    """

    vectors: np.ndarray  # as columns
    log_rate: np.ndarray
    pull: np.ndarray


class KeptEvents(NamedTuple):
    """The kept events of a run (see `events`), and what decides about clicks (see `Articles`)."""

    t: np.ndarray
    users: np.ndarray
    pool: np.ndarray
    pools: np.ndarray
    at_random: np.ndarray
    chance: np.ndarray  # uniform number that decides whether the chosen article is clicked
    law: Any  # the numbers of the bandit
    log_rate: np.ndarray
    pull: np.ndarray
    horizon: int

    def feedback(self, i, place):
        """Return feedback; every event is kept."""
        p = click_rate(self, i, place)
        return True, 1.0 if self.chance[i] < p else 0.0, p


class Log(NamedTuple):
    """The log of a run, for all of its policies."""

    articles: np.ndarray
    pool_size: int
    events: KeptEvents

    def blocks(self) -> list[KeptEvents]:
        """Return one block: all events are in memory."""
        return [self.events]


@step
def click_rate(events, i, place):
    """Return the probability that the user of event i clicks on the article at this place.

    Article a came in interval a + 1 - live.
    """
    law, article = events.law, events.pools[events.pool[i], place]
    log_rate = events.log_rate[article]
    for j in range(MEMBERSHIPS):
        log_rate += events.users[i, j + 1] * events.pull[j, article]
    now = (events.t[i] - 1) * law.intervals / events.horizon
    age = (now - (article + 1 - law.live)) / law.live  # of its lifetime
    return min(max(law.base_rate * math.exp(log_rate - law.ageing * age), law.least), law.most)


@kernel
def fill_rates_at_random(events):
    """Set `at_random` to the mean of `click_rate` over the pool, for every event."""
    for i in range(events.t.size):
        total = 0.0
        for place in range(events.law.live):
            total += click_rate(events, i, place)
        events.at_random[i] = total / events.law.live


class News(EventLog):
    """A synthetic news log. All policies of a run get the same articles and kept users.

    Parameters
    ----------
    source : str
        The name of the log in figures; it contains the word synthetic.
    live : int
        The number of articles in the pool at a time.
    articles : int
        The number of articles in the whole log.
    base_rate, least, most : float
        The typical, the smallest and the largest probability of a click.
    ageing : float
        How much the logarithm of the click rate falls in an article's lifetime.
    quality_sd : float
        The standard deviation of articles' qualities.
    article_concentration, user_concentration : float
        The parameters of the Dirichlet distributions of memberships.
    taste : sequence of float
        The effect of each membership of an article.
    match : sequence of sequences of float
        The effect of each pair of memberships, of a user and of an article.

    Examples
    --------
    >>> from dpbandits.random import stream
    >>> rates = {"base_rate": 0.04, "least": 0.001, "most": 0.5, "ageing": 0.5, "quality_sd": 0.3}
    >>> effects = {"taste": [0, 0, 0, 0, 0], "match": np.eye(5)}
    >>> concentrations = {"article_concentration": 0.6, "user_concentration": 0.15}
    >>> news = News("synthetic log", live=5, articles=8, **rates, **concentrations, **effects)
    >>> news.draw_game(stream(1), 1000).articles.shape
    (6, 8)
    """

    source: str
    live: PoolSize
    articles: PoolSize
    base_rate: Probability
    least: Probability
    most: Probability
    ageing: NotNegative
    quality_sd: NotNegative
    article_concentration: Positive
    user_concentration: Positive
    taste: Sequence[Finite]
    match: Sequence[Sequence[Finite]]

    def __post_init__(self) -> None:
        super().__post_init__()
        if "synthetic" not in self.source:
            remedy = "must contain the word synthetic; write source: synthetic log"
            raise InputError(f"source: '{self.source}' {remedy}")
        if self.articles <= self.live:
            says = f"more than the {self.live} that are in the pool at a time"
            raise InputError(f"articles: {self.articles} should be {says}")
        if self.least > self.most:
            says = f"at most the largest probability of a click, {self.most:g}"
            raise InputError(f"least: {self.least:g} should be {says}")
        if len(self.taste) != MEMBERSHIPS:
            says = f"{len(self.taste)} numbers, not {MEMBERSHIPS}: one for each membership"
            raise InputError(f"taste: {says}")
        if [len(row) for row in self.match] != [MEMBERSHIPS] * MEMBERSHIPS:
            raise InputError(f"match: should be {MEMBERSHIPS} rows of {MEMBERSHIPS} numbers")

    @property
    def number_of_arms(self) -> int:
        """The size of the pool."""
        return self.live

    @property
    def law(self) -> Any:
        """The parameters that are numbers, and the number of intervals with a pool of their own."""
        return compiled_from(self, EventLog, {"intervals": self.articles - self.live + 1})

    def check(self, horizon: int) -> None:
        """Raise InputError if the log is too short for its replacements of articles."""
        intervals = self.law.intervals
        if horizon < (least := max(self.live, intervals)):
            says = f"the pool has {self.live} articles and is changed {intervals - 1} times"
            remedy = f"give at least {least} events"
            raise InputError(f"horizon {horizon} is too short a log: {says}; {remedy}")

    def draw_game(self, rng: Stream, horizon: int) -> Log:
        """Draw the log of a run."""
        return draw_log(rng, self.law, self.draw_articles(rng.numpy()), horizon)

    def draw_articles(self, rng: np.random.Generator) -> Articles:
        """Draw all articles of a log."""
        quality = self.quality_sd * rng.standard_normal(self.articles)
        concentrations = np.full(MEMBERSHIPS, self.article_concentration)
        memberships = np.round(rng.dirichlet(concentrations, self.articles) * 1e6).T / 1e6

        def weighted(start: np.ndarray | float, weights: Sequence[float]) -> np.ndarray:
            # In a fixed order, on every machine.
            return sum((w * row for w, row in zip(weights, memberships, strict=True)), start)

        vectors = np.vstack([np.ones(self.articles), memberships])
        pull = np.array([weighted(0.0, row) for row in self.match])
        return Articles(vectors, weighted(quality, self.taste), pull)


def draw_log(rng: Stream, law: Any, articles: Articles, horizon: int) -> Log:
    """Draw all kept events of a log of `horizon` events."""
    t, users, chance = kept_visits(rng, law, horizon)
    interval = (t - 1) * law.intervals // horizon
    in_pool = np.arange(law.intervals)[:, None] + np.arange(law.live)
    pools = np.empty_like(in_pool)
    # An article keeps its place during its lifetime.
    np.put_along_axis(pools, in_pool % law.live, in_pool, axis=1)
    clicks = chance, law, articles.log_rate, articles.pull, horizon
    events = KeptEvents(t, users, interval, pools, np.empty(t.size), *clicks)
    fill_rates_at_random(events)
    return Log(articles.vectors, law.live, events)


@kernel
def kept_visits(rng, law, horizon):
    """Draw times and users of all kept events, and the numbers that decide about clicks."""
    # Sixteen standard deviations above the expected number.
    room = int(horizon / law.live + 8 * math.sqrt(horizon)) + 1
    times, users, chance = np.empty(room, np.int64), np.empty((room, DIMENSION)), np.empty(room)
    count, t = 0, int(rng.geometric(1 / law.live))
    while t <= horizon:
        times[count] = t
        draw_user(rng, law.user_concentration, users[count])
        chance[count] = rng.random()
        count += 1
        t += int(rng.geometric(1 / law.live))
    return times[:count], users[:count], chance[:count]


@step
def draw_user(rng, concentration, user):
    """Draw a user: (1, Dirichlet memberships), rounded to millionths."""
    user[0] = 1.0
    total = 0.0
    for i in range(1, user.size):
        user[i] = rng.gamma(concentration)
        total += user[i]
    for i in range(1, user.size):
        user[i] = math.floor(user[i] / total * 1e6 + 0.5) / 1e6
