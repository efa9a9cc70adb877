"""A real news log, read by `_r6a`: with `r6a` in config.yaml it replaces the synthetic log of the experiments."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from dpbandits.environments import Environment
from dpbandits.environments.logs._clicks import NO_RATES
from dpbandits.environments.logs._events import LARGEST_BLOCK, Events, NewsJournal, blank_journal
from dpbandits.environments.logs._r6a import RECORD
from dpbandits.environments.logs.news import Pool


class Recorded:
    """The log of one run, the same in every run."""

    def __init__(self, events: Path, tables: dict[str, np.ndarray], pool_size: int, horizon: int):
        self.events, self.pools, self.articles = events, tables["pools"], tables["vectors"]
        self.pool_size, self.horizon = pool_size, horizon

    def blocks(self) -> Iterator[Events]:
        """All events in order, in constant memory."""
        with open(self.events, "rb") as file:
            while (records := np.fromfile(file, RECORD, LARGEST_BLOCK)).size:
                records = records[records["t"] <= self.horizon]
                column = {name: np.ascontiguousarray(records[name]) for name in RECORD.names}
                whole = {name: column[name].astype(np.int64) for name in ("t", "pool", "displayed", "clicked")}
                shown = whole["displayed"], whole["clicked"]
                yield Events(
                    whole["t"], column["user"], whole["pool"], self.pools, *shown, np.empty(0), np.empty(0), NO_RATES
                )
                if records.size < LARGEST_BLOCK:
                    return


class NewsLog(Environment):
    """The environment: runs differ in the policy's own random numbers only."""

    def __init__(self, folder: Path, live: int):
        self.folder, self.number_of_arms = folder, live

    def nanoseconds(self, horizon: int, checkpoints: list[int]) -> float:
        """The time for the events that are not kept: each is read, and all its articles are scored."""
        return 200.0 * horizon

    def begin(self, rng: np.random.Generator, horizon: int, t: np.ndarray) -> tuple[Recorded, NewsJournal]:
        """Nothing is drawn. Of a log with fewer lines than the experiment has events all are played, and the curves stay
        as they are after its end; figures say how many there are. Skipped lines count as well."""
        with np.load(self.folder / "tables.npz") as tables:
            known = dict(tables)
        return Recorded(self.folder / "events.bin", known, self.number_of_arms, horizon), blank_journal(t)


def news_log(*, source: str, folder: str, live: Pool) -> NewsLog:
    """The environment `{kind: news_log, ...}`: `folder` has the records, `live` is the typical size of a pool."""
    return NewsLog(Path(folder), live)
