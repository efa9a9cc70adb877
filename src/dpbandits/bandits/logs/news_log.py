"""A real news log, read by `r6a`.

With `r6a` in config.yaml it replaces the synthetic log of the experiments.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dpbandits.bandits.events import EventLog
from dpbandits.bandits.logs.news import PoolSize
from dpbandits.bandits.r6a import RECORD
from dpbandits.errors import InputError
from dpbandits.random import Stream

LARGEST_BLOCK = 65_536  # events


class LoggedEvents(NamedTuple):
    """A block of logged events (see `events`).

    `displayed` are places, and `at_random` is the logged click.
    """

    t: np.ndarray
    users: np.ndarray
    pool: np.ndarray
    pools: np.ndarray
    displayed: np.ndarray
    at_random: np.ndarray

    def feedback(self, i, place):
        """Return feedback; the event is kept if the displayed article is chosen."""
        return self.displayed[i] == place, self.at_random[i], self.at_random[i]


class RealLog(NamedTuple):
    """The log of one run, the same in every run."""

    events: Path
    pools: np.ndarray
    articles: np.ndarray
    pool_size: int
    horizon: int

    def blocks(self) -> Iterator[LoggedEvents]:
        """Yield the events up to the horizon, in order and in constant memory."""
        with open(self.events, "rb") as file:
            while (records := np.fromfile(file, RECORD, LARGEST_BLOCK)).size:
                records = records[records["t"] <= self.horizon]
                if not records.size:
                    return
                users = np.ascontiguousarray(records["user"])
                t, pool, displayed = (
                    records[name].astype(np.int64) for name in ("t", "pool", "displayed")
                )
                yield LoggedEvents(
                    t, users, pool, self.pools, displayed, records["clicked"].astype(np.float64)
                )


class NewsLog(EventLog):
    """A real log: runs differ in the policy's own random numbers only.

    Parameters
    ----------
    source : str
        The name of the log in figures.
    live : int
        The typical number of articles in the pool.
    tables : str, default ""
        The file of articles and pools that `r6a` wrote, beside that of the events.

    Examples
    --------
    >>> NewsLog("Yahoo! R6A", live=20).number_of_arms
    20
    """

    source: str
    live: PoolSize
    tables: str = ""

    @property
    def number_of_arms(self) -> int:
        """The typical size of the pool."""
        return self.live

    def draw_game(self, rng: Stream, horizon: int) -> RealLog:
        """Return the log; nothing is drawn.

        If the log has fewer lines than the experiment has events, all are played, and the curves
        stay as they are after its end.
        """
        if not self.tables:
            remedy = "write tables=<results>/news/tables.npz of a run with r6a (config/README.md)"
            raise InputError(f"NewsLog: tables: it names no file; {remedy}")
        with np.load(self.tables) as tables:
            pools, vectors = tables["pools"], tables["vectors"]
        events = Path(self.tables).with_name("events.bin")
        return RealLog(events, pools, vectors, self.live, horizon)
