"""A real news log, read by `r6a`: with `r6a` in config.yaml it replaces the synthetic log of the experiments."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dpbandits.bandits import Environment
from dpbandits.bandits.events import NewsJournal, blank_journal
from dpbandits.bandits.logs.news import PoolSize
from dpbandits.bandits.r6a import RECORD
from dpbandits.kernels import methods
from dpbandits.random import Stream

LARGEST_BLOCK = 65_536  # events


@methods
class Replay(NamedTuple):
    """A block of logged events (see `_events`): `displayed` are places, `at_random` is the logged click."""

    t: np.ndarray
    users: np.ndarray
    pool: np.ndarray
    pools: np.ndarray
    displayed: np.ndarray
    at_random: np.ndarray

    def feedback(self, i, place):
        """The event is kept if the displayed article is chosen."""
        return self.displayed[i] == place, self.at_random[i], self.at_random[i]


class RealLog(NamedTuple):
    """The log of one run, the same in every run."""

    events: Path
    pools: np.ndarray
    articles: np.ndarray
    pool_size: int
    horizon: int

    def blocks(self) -> Iterator[Replay]:
        """All events in order, in constant memory."""
        with open(self.events, "rb") as file:
            while (records := np.fromfile(file, RECORD, LARGEST_BLOCK)).size:
                records = records[records["t"] <= self.horizon]
                users = np.ascontiguousarray(records["user"])
                t, pool, displayed = (
                    records[name].astype(np.int64) for name in ("t", "pool", "displayed")
                )
                yield Replay(
                    t, users, pool, self.pools, displayed, records["clicked"].astype(np.float64)
                )


class NewsLog(Environment):
    """The environment: runs differ in the policy's own random numbers only."""

    def __init__(self, tables: Path, live: int):
        self.tables, self.number_of_arms = tables, live

    def begin(self, rng: Stream, horizon: int, t: np.ndarray) -> tuple[RealLog, NewsJournal]:
        """Nothing is drawn. Of a log with fewer lines than the experiment has events all are played, and the curves stay as they are
        after its end."""
        with np.load(self.tables) as tables:
            pools, vectors = tables["pools"], tables["vectors"]
        return RealLog(
            self.tables.with_name("events.bin"), pools, vectors, self.number_of_arms, horizon
        ), blank_journal(t)


def news_log(*, source: str, live: PoolSize, tables: str = "") -> NewsLog:
    """The environment `{kind: news_log, ...}`: `tables` are beside the events, `live` is the typical size of a pool."""
    return NewsLog(Path(tables), live)
